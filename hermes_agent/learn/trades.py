"""What somebody is for long: a trade, or a trait."""

from hermes_agent.learn import kinds, lexicon
from hermes_agent.learn.lexicon import word_set
from hermes_agent.text.words import fold

TRAITS = {
    **dict.fromkeys(lexicon.DIETS, "diet"),
    **dict.fromkeys(lexicon.TRAITS, "health"),
    **dict.fromkeys(lexicon.STATUSES, "status"),
    **dict.fromkeys(lexicon.NATIONALITIES, "origin"),
    **dict.fromkeys(word_set("muslim jewish catholic protestant buddhist hindu atheist agnostic"), "religion"),
    **dict.fromkeys(word_set("deaf blind pregnant bipolar autistic anaemic epileptic dyslexic coeliac"), "health"),
    **dict.fromkeys(word_set("veggie plant-based gluten-free dairy-free sugar-free keto paleo teetotal"), "diet"),
    **dict.fromkeys(word_set("short-sighted near-sighted long-sighted insomniac neurodivergent"), "health"),
    **dict.fromkeys(word_set("sober single bilingual trilingual homeless"), "status"),
    **dict.fromkeys(word_set("intolerant diabetic asthmatic colourblind celiac"), "health"),
    **dict.fromkeys(word_set("introvert extrovert gay lesbian bisexual transgender nonbinary"), "is"),
    **dict.fromkeys(word_set("smoker non-smoker owl bird"), "habit"),
}
_AGENTS = ("er", "or", "ist", "ian", "ant", "ent", "man", "woman", "wife", "tician")
DEPARTMENTS = word_set(
    """accounts admin accounting analytics audit backend billing compliance consulting data design devops editorial
    engineering facilities finance frontend growth hr infra infrastructure it legal logistics marketing mobile
    operations ops payroll platform procurement product qa research sales school security sre support
    testing work"""
)
"""Parts of a firm, written small."""
_NO_JOBS = word_set(
    """tourist antagonist protagonist foreigner stickler eater riser
    teenager youngster toddler schoolboy schoolgirl
    bystander customer diva dreamer fighter hater hoarder insider joker loner messenger outsider passenger
    quitter saint slacker slave superstar survivor talker visitor warrior worrier
    adult amateur answer beginner brother computer daughter dinner disaster drinker error event factor fan
    father goner horror keeper killer letter loser lover matter member mess mirror moment believer gamer
    observer participant spectator supporter learner listener planner reader runner shopper starter thinker
    traveler traveller user viewer monster mother newcomer number order owner paint paper parent patient
    person sister subscriber follower sleeper smoker stranger sucker sufferer summer terror want winner winter"""
)
_THINGS = (
    "device",
    "tool",
    "food",
    "animal",
    "vehicle",
    "instrument",
    "furniture",
    "clothes",
    "illness",
    "flower",
)


def trait_of(word: str) -> str:
    """Return the attribute of what somebody is for long (vegan, diabetic, retired); empty of other words."""
    return TRAITS.get(fold(word), "")


def is_job(word: str) -> bool:
    """Tell whether a word is a trade: listed as one, or ending as most do."""
    word = word.removeprefix("ex-")
    if word in _NO_JOBS or trait_of(word):
        return False
    is_thing = not kinds.kinds_of(word).isdisjoint(_THINGS)
    is_agent = word.endswith(_AGENTS) and not word.endswith("ment") and len(word) > 5
    is_agent = is_agent and "-" not in word and not is_thing
    return kinds.is_job(word) or (is_agent and not kinds.kinds_of(word))
