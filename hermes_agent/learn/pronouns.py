"""Say whom a pronoun means, or that it cannot be said.

A pronoun means the person spoken of last only if gender and number fit and nobody else came in between. A wrong
guess would put one person's life into another's entry, so in doubt it means nobody.
"""

from hermes_agent.learn import lexicon
from hermes_agent.learn.grammar_english import LEAD_IN
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement, Who
from hermes_agent.text.words import fold

_WORD = Pattern(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_OTHERS = lexicon.word_set(
    """twin twins triplets baby babies kid kids child children toddler guy guys man men woman women girl girls boy
    boys lady ladies gentleman person people couple family families parents grandparents colleague colleagues
    coworker coworkers co-worker co-workers neighbour neighbours neighbor neighbors client clients customer
    customers student students pupil pupils teacher teachers tenant tenants guest guests visitor visitors hire
    hires intern interns trainee manager managers puppy puppies kitten kittens pet pets animal animals somebody
    someone everyone everybody team crew lodger nanny dev devs"""
)
# Beside these verbs and words a capital letter begins somebody's name, known or not.
_BESIDE = Pattern(r"\b(?:with|met|and|saw|knows|loves|married|dating|called|named)\s+(?-i:[A-Z])[\w'-]+")
_BETWEEN = Pattern(r"[\s,;:.!—–-]*(?:(?:and|but|so|also|plus|then|now|while|yet)\b[\s,]*)*")
_SENTENCE_END = Pattern(r"[,;.!?\n]")
_SINGULAR = ("he", "him", "his", "she", "her")
# "Is a doctor" says who somebody is and brings in no second one.
_IS_A = Pattern(r"(?:\b(?:is|as|was)|'s)\s+an?\s+(?:[\w-]+\s+){0,2}$")


def may_be(pronoun: str, person: Who) -> bool:
    """Tell whether a pronoun can mean one person: "he" is no sister, "they" is not one."""
    relation = person.relation.split()[-1] if person.relation else ""
    if pronoun in ("he", "him", "his"):
        return relation not in lexicon.SHE
    return pronoun in _SINGULAR and relation not in lexicon.HE


def must_be(pronoun: str, person: Who) -> bool:
    """Tell whether gender speaks for it, too: "she" for a sister, but not for a boss."""
    relation = person.relation.split()[-1] if person.relation else ""
    return may_be(pronoun, person) and relation in lexicon.SHE | lexicon.HE


def follows(text: str) -> bool:
    """Tell whether nothing but a joint or a lead-in stands in a text: the pronoun behind it goes straight on."""
    rest = text[_end(text) :]
    lead = LEAD_IN.match(rest)
    return not (rest[lead.end() :] if lead else rest).strip()


def leads_to(message: str, spoken: Statement, place: int) -> bool:
    """Tell whether a pronoun at a place of a message can only mean the person of a statement before it."""
    text = message[spoken.start : place]
    own = text[: spoken.end - spoken.start]
    rest = text[len(own) :]
    if not follows(rest):
        # The clause that named the person may go on: "my sister Mia is coming to visit. She …".
        end = _SENTENCE_END.search(rest)
        if end is None or not follows(rest[end.start() :]):
            return False
        own += rest[: end.start()]
    return not brings_in(own, spoken.who)


def brings_in(text: str, person: Who) -> bool:
    """Tell whether a text speaks of anybody beside a person."""
    relation = person.relation.split()[-1:]
    names = fold(person.name).split()
    if any(fold(found[0].split()[-1]) not in names for found in _BESIDE.finditer(text)):
        return True
    for match in _WORD.finditer(text):
        word = fold(match[0])
        other = lexicon.RELATIONS.get(word) or lexicon.PLURAL_RELATIONS.get(word) or lexicon.BREEDS.get(word)
        is_named = match[0][0].isupper() and word in lexicon.GIVEN_NAMES
        is_other = other is not None or is_named or word in _OTHERS or word in lexicon.OCCUPATIONS
        is_same = word in names or [other] == relation or _IS_A.search(text[: match.start()]) is not None
        if is_other and not is_same:
            return True
    return False


def _end(text: str) -> int:
    match = _BETWEEN.match(text)
    return match.end() if match else 0
