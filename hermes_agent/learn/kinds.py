"""What kind of thing a word names, as far as it decides what having one tells: a spaniel is a pet."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from hermes_agent.learn.lexicon import HEALTH, OCCUPATIONS, PLURAL_RELATIONS, RELATIONS, word_set
from hermes_agent.text.kinds import listed
from hermes_agent.text.verbs import kind_of, lemma

# What one has of a kind: the first name of a kind of `text/kinds.txt`, and the attribute it makes.
_ATTRIBUTES = {
    "animal": "pet",
    "dog": "pet",
    "cat": "pet",
    "bird": "pet",
    "fish": "pet",
    "snake": "pet",
    "illness": "health",
    "medicine": "health",
    "relative": "family",
    "vehicle": "owns",
    "instrument": "owns",
    "device": "owns",
    "boat": "owns",
    "furniture": "owns",
    "appliance": "owns",
    "jewelry": "owns",
}
_PASSING = word_set(
    """bronchitis gastroenteritis conjunctivitis tonsillitis sinusitis laryngitis appendicitis spots headache
    headaches cold cough fever hangover pain ache flu cramp cramps stomachache hiccups sneeze itch rash
    problem condition trouble issue break cut burn drug crush shock attack strain stress panic bug mouse kid
    kids crew man woman host guest member"""
)
_NO_KIN = word_set(
    """assistant boss coach colleague dentist doctor friend landlord lawyer manager mentor neighbour roommate
    teacher therapist"""
)
_FOR_WORK = word_set("""bus taxi cab lorry truck tram train van ambulance forklift tractor minibus coach crane""")
_DEGREES = word_set(
    """degree bachelor bachelor's bachelors master's masters doctorate phd diploma apprenticeship mba msc bsc
    a-levels"""
)
_PAPERS = word_set("licence license certificate certification citizenship passport visa")
_EATEN = (
    *("food", "drink", "dessert", "fruit", "vegetable", "meat", "seafood", "sauce", "pasta", "bread", "cheese"),
    *("soup", "candy", "nut", "spice", "wine", "beer", "coffee"),
)
# Animals by name, and other things by use: a charger, a cardigan, a Ford Mustang.
_NOT_KEPT = word_set(
    """barracuda bee beetle cardigan charger cougar deer fox game jaguar lynx mustang panther puma ram viper
    worm"""
)
_BEHAVING = ("communication", "perception", "body", "stative", "emotion")
_FOODS = word_set(
    """food dairy gluten sugar salt caffeine alcohol booze carbs meat lactose soy wheat pork beef sweets milk
    matcha kombucha tofu tempeh seitan kimchi quinoa oats"""
)
_ILL = (
    "itis",
    "osis",
    "epsy",
    "emia",
    "aemia",
    "lexia",
    "disease",
    "syndrome",
    "algia",
    "pathy",
    "ism",
    "disorder",
)
_MEDICINES = (
    *("azapine", "azepam", "barbital", "buterol", "cillin", "codone", "dipine", "formin", "gliflozin", "gliptin"),
    *("glutide", "lukast", "meterol", "mycin", "olol", "oxacin", "parin", "prazole", "profen", "sartan", "semide"),
    *("setron", "statin", "thyroxine", "tidine", "triptan", "triptyline", "umab", "xaban", "xetine", "zolam"),
    *("gabalin", "nisolone", "nisone", "pentin", "peridone", "trexate", "trigine"),
)
_BRANDS = word_set(
    """adderall adalimumab concerta elvanse hrt humira insulin lexapro lithium mounjaro ozempic prozac ritalin
    ventolin vyvanse warfarin wegovy xanax zoloft antidepressants inhaler"""
)
_NO_MEDICINES = word_set("roof acoustic aftercare antidote balm dope downers ointment remedy therapy treatment")
_TOWNS = word_set("nz uk uae nyc")
_BEGIN_TOWNS = word_set(
    """abu addis bad buenos cape costa del den east el fort great hong kuala la las le little los lower monte north
    palo phnom port porto puerto rio saint salt san santa santo sao são south sri st st. tel upper west"""
)
_NEW_TOWNS = word_set("brunswick delhi england hampshire haven jersey mexico orleans plymouth south york zealand")
_NEW_VEHICLES = word_set("ebike e-bike escooter e-scooter campervan camper vespa")
_MAKES = word_set(
    """car cabrio convertible estate hatchback suv minivan audi bmw chevy chevrolet citroen citroën clio corolla
    corsa cupra dacia fabia fiat fiesta focus ford golf honda hyundai jaguar jeep kia lexus mazda mercedes merc
    micra mini nissan octavia opel passat peugeot polo porsche prius punto renault rover saab seat skoda subaru
    suzuki tesla toyota twingo vauxhall volkswagen volvo vw yaris"""
)
_IMPLANTS = word_set("pacemaker stoma stent")
_PILLS = word_set("tablets pills meds medication thinners steroids antibiotics chemo dialysis")
_COMING_AND_GOING = word_set("tooth teeth hair nail nails beard eye eyes")
_GROUNDS = word_set(
    """garden allotment balcony cabin cottage farm smallholding orchard greenhouse workshop bungalow vineyard
    houseboat chalet paddock"""
)
_HOUSEHOLD = word_set(
    """balcony bath car dishwasher dryer freezer fridge garage garden kids lift microwave oven pets siblings
    smartphone tv television children"""
)
_SUBJECTS = word_set(
    """history law nursing architecture journalism politics logistics literature accounting drama economics
    macroeconomics microeconomics ergonomics genomics proteomics metabolomics"""
)
_SCIENCES = ("ology", "onomy", "istry")
_FAMILY = word_set("""widow widower twins triplets grandchildren grandkids siblings family orphan grandchild""")


@cache
def _kinds() -> Mapping[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for kind in listed():
        for thing in kind.things:
            found[thing].add(kind.names[0])
    return {thing: frozenset(names) for thing, names in found.items()}


def kinds_of(word: str) -> frozenset[str]:
    """Return the kinds a word names a thing of, one or many."""
    known = _kinds()
    for one in (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"):
        if one in known:
            return known[one]
    return frozenset()


def had(word: str) -> str:
    """Return the attribute that having such a thing makes; empty if it tells nothing."""
    if word in _FAMILY:
        return "family"
    if word in ("bees", "hens", "chickens"):
        return "pet"
    relation = RELATIONS.get(word) or PLURAL_RELATIONS.get(word)
    if relation in _NO_KIN:
        return ""
    if relation is not None:
        return "pet" if "animal" in kinds_of(relation) and relation != "child" else "family"
    if word in HEALTH or word in _IMPLANTS:
        return "health"
    if word in _DEGREES:
        return "studies"
    if word in _PAPERS:
        return "owns" if word in ("passport", "visa", "citizenship") else "skill"
    if word in _PASSING or word in _NOT_KEPT:
        return ""
    if word in _NEW_VEHICLES:
        return "owns"
    if is_medicine(word):
        return "health"
    kinds = kinds_of(word)
    if "food" in kinds:
        return ""
    return next((attribute for name, attribute in _ATTRIBUTES.items() if name in kinds), "")


def is_lasting_illness(word: str) -> bool:
    """Tell whether a word names an illness one lives with."""
    if word in HEALTH:
        return True
    return "illness" in kinds_of(word) and word not in _PASSING and word.endswith(_ILL)


def is_drug(word: str) -> bool:
    """Tell whether a word can be nothing but the name of a drug."""
    return word in _BRANDS or (len(word) > 7 and word.endswith(_MEDICINES))


def is_medicine(word: str) -> bool:
    """Tell whether a word names what a doctor prescribes: listed, or made as the names of drugs are."""
    if is_drug(word):
        return True
    kinds = kinds_of(word)
    return "medicine" in kinds and kinds.isdisjoint(_EATEN) and word not in _NO_MEDICINES


def is_regimen(word: str) -> bool:
    """Tell whether one who is "on" such a thing is treated with it."""
    return word in _PILLS or had(word) == "health"


def is_town(word: str) -> bool:
    """Tell whether a word names a town or a country, however it is written."""
    return word in _TOWNS or not kinds_of(word).isdisjoint(("city", "country"))


def is_place_name(listed: Sequence[str]) -> bool:
    """Tell whether words name a place: one of them does, or they begin as such names do (Buenos Aires)."""
    if any(not kinds_of(word).isdisjoint(("city", "country", "place", "state")) for word in listed):
        return True
    return is_two_word_town(listed)


def is_two_word_town(listed: Sequence[str]) -> bool:
    """Tell whether words begin as the names of places do."""
    return len(listed) > 1 and (listed[0] in _BEGIN_TOWNS or (listed[0] == "new" and listed[1] in _NEW_TOWNS))


def is_body_part(word: str) -> bool:
    """Tell whether a word names a part of the body that one misses; teeth, hair and nails come and go."""
    return word == "appendix" or ("muscle" in kinds_of(word) and word not in _COMING_AND_GOING)


def is_ground(word: str) -> bool:
    """Tell whether a word names a place of one's own."""
    return word in _GROUNDS


def is_household(word: str) -> bool:
    """Tell whether a word names something most people have at home, so that having none tells something."""
    return word in _HOUSEHOLD or not kinds_of(word).isdisjoint(("appliance", "vehicle", "device"))


def is_food(phrase: Sequence[str]) -> bool:
    """Tell whether a phrase names something one eats or drinks."""
    return any(not kinds_of(word).isdisjoint(_EATEN) or word in _FOODS for word in phrase)


def is_drink(word: str) -> bool:
    """Tell whether a word names something one drinks."""
    return word in ("booze", "alcohol", "caffeine", "matcha", "kombucha") or not kinds_of(word).isdisjoint(
        ("drink", "coffee", "wine", "beer")
    )


def is_pastime(word: str) -> bool:
    """Tell whether a word names what people take up: an activity, an instrument, a language."""
    return is_activity(word) or not kinds_of(word).isdisjoint(("instrument", "language"))


def is_mood(word: str) -> bool:
    """Tell whether a doing is no pastime but a way to behave: sulking, judging, snoring."""
    verb = lemma(word, "ing") if word.endswith("ing") else ""
    return bool(verb) and not is_pastime(word) and (verb == "judge" or kind_of(verb) in _BEHAVING)


def is_subject(word: str) -> bool:
    """Tell whether a word names what one reads at a university."""
    return word in _SUBJECTS or "subject" in kinds_of(word) or (word.endswith(_SCIENCES) and word != "apology")


def is_vehicle(word: str) -> bool:
    """Tell whether a word names what one drives, by its kind or its make."""
    return word in _MAKES or word in _NEW_VEHICLES or "vehicle" in kinds_of(word)


def is_for_work(word: str) -> bool:
    """Tell whether one drives such a thing for a living."""
    return word in _FOR_WORK


def is_job(word: str) -> bool:
    """Tell whether a word names somebody by their work."""
    return word in OCCUPATIONS or "job" in kinds_of(word)


def is_activity(word: str) -> bool:
    """Tell whether a word names what people do for pleasure."""
    return not kinds_of(word).isdisjoint(("activity", "sport", "dance", "game"))
