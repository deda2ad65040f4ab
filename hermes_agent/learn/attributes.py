"""What can be said about somebody: one line per attribute, with the words for it.

A statement's attribute is a name of this table, or any other noun as it was said ("phone number", "deploy
day"). The wording serves notes, answers and, later, facts: the same attribute always reads the same.
"""

from dataclasses import dataclass

from hermes_agent.learn.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Attribute:
    """How an attribute is worded. `{v}` is the value, `{who}` a person.

    `phrases` are the words such a statement is looked up by in the archive.
    """

    name: str
    is_single: bool
    you: str
    they: str
    note: str
    you_not: str
    they_not: str
    note_not: str
    phrases: tuple[str, ...] = ()


TABLE: dict[str, Attribute] = {}

NAME, CALLED, HOME, LIKES, USES, NOTE = "name", "called", "home", "likes", "uses", "note"
INSTRUCTION, MEANING, DECISION, UNNAMED, HAS, ENDED = "instruction", "meaning", "decision", "", "has", "ended"


def _verb(name: str, you: str, they: str, *, phrases: tuple[str, ...] = (), is_single: bool = False) -> None:
    """Enter an attribute that is a verb: you live in, she lives in."""
    TABLE[name] = Attribute(
        name,
        is_single,
        f"you {you} {{v}}",
        f"{{who}} {they} {{v}}",
        f"{they[0].upper()}{they[1:]} {{v}}",
        f"you do not {you} {{v}}",
        f"{{who}} does not {you} {{v}}",
        f"Does not {you} {{v}}",
        phrases or (f'"{you}"', f'"{they}"'),
    )


def _be(
    name: str, rest: str, *, phrases: tuple[str, ...] = (), is_single: bool = False, is_past: bool = False
) -> None:
    """Enter an attribute that one is: allergic to."""
    words = f"{rest} {{v}}".strip()
    are, is_ = ("were", "was") if is_past else ("are", "is")
    TABLE[name] = Attribute(
        name,
        is_single,
        f"you {are} {words}",
        f"{{who}} {is_} {words}",
        f"Is {words}" if not rest else f"{words[0].upper()}{words[1:]}",
        f"you {are} not {words}",
        f"{{who}} {is_} not {words}",
        f"Is not {words}",
        phrases or ((f'"{rest}"',) if rest else ()),
    )


def _noun(name: str, *, phrases: tuple[str, ...] = ()) -> None:
    """Enter an attribute that one has one of: a name, a birthday."""
    title = f"{name[0].upper()}{name[1:]}"
    TABLE[name] = Attribute(
        name,
        True,
        f"your {name} is {{v}}",
        f"{{who}}'s {name} is {{v}}",
        f"{title}: {{v}}",
        f"your {name} is not {{v}}",
        f"{{who}}'s {name} is not {{v}}",
        f"{title} is not {{v}}",
        phrases or (f'"{name} is"', f'"my {name}"'),
    )


_noun("name", phrases=('"my name is"', '"call me"'))
_noun("birthday", phrases=("birthday", "born"))
_verb("called", "want to be called", "wants to be called", is_single=True, phrases=('"call me"', '"go by"'))
_verb(
    "home", "live in", "lives in", is_single=True, phrases=('"live in"', '"moved to"', '"living in"', '"based in"')
)
_verb("origin", "come from", "comes from", is_single=True, phrases=('"i m from"', '"i am from"', '"come from"'))
_verb("grew up", "grew up in", "grew up in", is_single=True, phrases=('"grew up"', "raised"))
_verb(
    "employer",
    "work at",
    "works at",
    is_single=True,
    phrases=('"work at"', '"work for"', '"working at"', "joined"),
)
_verb("field", "work in", "works in", is_single=True)
_verb("role", "work as", "works as", is_single=True, phrases=('"work as"', '"i m a"', '"i am a"', '"my job"'))
_verb("studies", "study", "studies", phrases=("study", "studying"))
_verb("likes", "like", "likes", phrases=("like", "love", "enjoy", "hate"))
_verb("prefers", "prefer", "prefers", phrases=("prefer", "preferred"))
_verb("speaks", "speak", "speaks", phrases=("speak",))
_verb("uses", "use", "uses", phrases=("use", "using", "switched", "migrated"))
_verb("eats", "eat", "eats", phrases=("eat",))
_verb("drinks", "drink", "drinks", phrases=("drink",))
_verb("drives", "drive", "drives", phrases=("drive",))
_verb("plays", "play", "plays", phrases=("play",))
_verb("collects", "collect", "collects", phrases=("collect",))
_be("learns", "learning")
_be("works on", "working on")
_verb("has", "have", "has")
_be("age", "", is_single=True, phrases=('"years old"', '"my age"', "turned"))
_be("birthplace", "born in", is_single=True, phrases=("born",), is_past=True)
_be("allergy", "allergic to", phrases=("allergic", "allergy"))
_be("is", "")
_be("is in", "in", phrases=('"i m in"', '"i am in"'))


def _said(name: str, you: str, note: str, phrases: tuple[str, ...]) -> None:
    """Enter what is kept in the user's own words."""
    TABLE[name] = Attribute(name, False, you, you, note, you, you, note, phrases)


_said(INSTRUCTION, "I should {v}", "{v}", ("always", "never", '"from now on"', "please", "answer"))
_said(MEANING, "{v}", "{v}", ("mean", "means"))
_said(DECISION, "you decided {v}", "Decided {v}", ("decided", "agreed", "decision", "chose"))
_said(ENDED, "that is over: {v}", "{v}", ())
_said(NOTE, "{v}", "{v}", ("remember",))


# What is learned beside the table: how a fact reads, and how its denial does. Of most there are many at a time.
LEARNED: dict[str, tuple[str, str]] = {
    "pet": ("{who} has {v}", "{who} does not have {v}"),
    "owns": ("{who} owns {v}", "{who} does not own {v}"),
    "cooks": ("{who} cooks {v}", "{who} does not cook {v}"),
    "rides": ("{who} rides {v}", "{who} does not ride {v}"),
    "grows": ("{who} grows {v}", "{who} does not grow {v}"),
    "breeds": ("{who} breeds {v}", "{who} does not breed {v}"),
    "weight": ("{who} weighs {v}", "{who} does not weigh {v}"),
    "income": ("{who} earns {v}", "{who} does not earn {v}"),
    "member of": ("{who} is a member of {v}", "{who} is not a member of {v}"),
    "time zone": ("{whose} time zone is {v}", "{whose} time zone is not {v}"),
    "religion": ("{who} is {v}", "{who} is not {v}"),
    "diet": ("{who} is {v}", "{who} is not {v}"),
    "location": ("{who} is in {v}", "{who} is not in {v}"),
    **{
        name: (f"{{whose}} {name}: {{v}}", f"{{whose}} {name}: not {{v}}")
        for name in (
            *(
                "budget",
                "contact",
                "date",
                "deadline",
                "family",
                "goal",
                "habit",
                "health",
                "hobby",
                "plan",
            ),
            *("schedule", "skill", "status", "version", "work"),
        )
    },
}
_ONE_AT_A_TIME = frozenset(
    ("budget", "date", "deadline", "income", "location", "religion", "status", "time zone", "version", "weight")
)

_FIRMS = frozenset(
    (
        "agency",
        "army",
        "bank",
        "clinic",
        "company",
        "council",
        "factory",
        "firm",
        "hospital",
        "navy",
        "police",
        "school",
    )
)
_SECRET = Pattern(
    r"\b(?:pass(?:word|code|phrase)|pin|secret|api key|access key|token|credentials?|cvv|cvc|seed phrase"
    r"|(?:credit |debit |bank )?card number|social security number|ssn)\b"
)
_TASTES = ("likes", "prefers", "drinks", "eats", "uses")
DONE_SOMEWHERE = ("employer", "role", "studies", "field", "work")
"""What is done in a town that is told behind it: "physics in Berlin"."""
_IN = Pattern(r"\s(?:in|at)\s")
_MY = Pattern(r"(?<![\w-])(?:my|our)\s+")
_BEHIND_DECIDED = ("to", "on", "that", "for", "against", "not")
_ANSWERED = ("accepted", "declined", "refused", "rejected", "turned")
_NO_ARTICLE = frozenset(
    (
        "a",
        "an",
        "the",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "one",
        "part",
        "head",
        "chief",
        "acting",
        "tech",
    )
)

# Nouns that ask for an attribute of the table.
ALIASES = {
    **dict.fromkeys(
        (
            "job",
            "occupation",
            "profession",
            "beruf",
            "metier",
            "trabajo",
            "profesion",
            "lavoro",
            "emprego",
            "beroep",
        ),
        "role",
    ),
    **dict.fromkeys(("namen", "nom", "prenom", "nombre", "nome", "naam", "first name", "full name"), "name"),
    **dict.fromkeys(
        ("geburtstag", "anniversaire", "cumpleanos", "compleanno", "aniversario", "verjaardag"), "birthday"
    ),
    **dict.fromkeys(("date of birth", "birth date", "birthdate", "bday", "b-day"), "birthday"),
    **dict.fromkeys(("allergies", "allergien"), "allergy"),
    **dict.fromkeys(("company", "workplace"), "employer"),
    **dict.fromkeys(("nickname", "preferred name"), "called"),
    **dict.fromkeys(("hometown", "home town"), "origin"),
    **dict.fromkeys(("place of birth", "birth place"), "birthplace"),
    **dict.fromkeys(("residence", "city", "home city"), "home"),
}


def shown(attribute: str, value: str) -> str:
    """Return a value as it reads behind the words of its attribute: one works as a nurse, at the hospital.

    What is told of somebody's tastes is theirs, not "my" own: oat milk in their coffee.
    """
    if attribute in _TASTES:
        return _MY.sub("their ", value)
    first = value.split(" ", 1)[0]
    if attribute == "employer" and first.islower() and value.split()[-1] in _FIRMS and first not in _NO_ARTICLE:
        return f"the {value}"
    is_title = (
        " of " in f" {value} " or " for " in value or first in _NO_ARTICLE or _IN.split(value)[0].endswith("s")
    )
    if attribute != "role" or not first.islower() or is_title:
        return value
    return f"{'an' if first[0] in 'aeiou' else 'a'} {value}"


def is_secret(attribute: str) -> bool:
    """Tell whether what goes by a noun is nobody's business, a memory's neither."""
    return _SECRET.search(attribute) is not None


def settled(value: str) -> str:
    """Say of a decision's value what somebody did: decided to, against …, turned down, or chose it."""
    first, _, rest = value.partition(" ")
    word = first.lower()
    if word == "not" and rest.split(" ", 1)[0].endswith("ing"):
        return f"decided against {rest}"
    if word in _BEHIND_DECIDED:
        return f"decided {value}"
    return value if word in _ANSWERED else f"chose {value}"


def is_single(attribute: str) -> bool:
    """Tell whether an attribute has one value at a time; of a noun that was said there is one."""
    known = TABLE.get(attribute)
    if known is not None:
        return known.is_single
    return attribute not in LEARNED or attribute in _ONE_AT_A_TIME


def is_personal(attribute: str) -> bool:
    """Tell whether an attribute is of the tables: of people rather than of any thing."""
    return attribute in TABLE or attribute in LEARNED
