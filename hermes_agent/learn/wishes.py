"""Wishes about what the assistant writes, told without an order: "menus must be nut-free", "short answers please".

What it writes is known by its noun: answers, letters, menus. A rule holds for all of a kind ("replies", "every
draft"), never for one thing ("the reply"), which is the task at hand.
"""

from collections.abc import Sequence
from itertools import pairwise, takewhile

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import verb_group

WORKS = word_set(
    """agendas answers bullets captions citations commits dates directions docstrings drafts emails essays
    examples explanations figures headings ideas invoices itineraries letters lists mails measurements menus
    messages minutes notes outlines paragraphs plans playlists posts prices quizzes quotes recipes recommendations
    replies reports responses samples sentences slides snippets suggestions summaries sums tables temperatures
    titles translations units worksheets"""
)
_ONE_OF_THEM = word_set(
    """agenda answer caption code commit document draft email essay example explanation file function heading
    invoice itinerary letter list mail menu message module page paragraph plan post query recipe recommendation
    release reply report request response script sentence spreadsheet suggestion summary table text title
    translation worksheet"""
)
_ARTIFACTS = word_set(
    """abbreviations classes comments commits containers dependencies deploys exceptions files frameworks globals
    hacks headers images imports libraries loops macros merges mocks names packages plugins scripts selectors
    snippets statements styles suffixes templates types variables wrappers"""
)
_FOUND = word_set("new open more other such further recent unread matching broken bad big good")
_THEMSELVES = word_set("anything everything whatever")
_OWNED = word_set("the this that these those his her their its my our")
_RULED = word_set("should must have need")
_LENGTHS = word_set("under below over in for at within without on as no short brief long free never always")
_KEPT_TO = word_set("fit use have include start end begin stay contain follow avoid come open close go look read")
_ONLY = word_set("only please throughout always forever")
_INSISTING = word_set("please ever only always never")
_STYLES = word_set(
    """answers bullets commas comments emails examples explanations letters measurements messages paragraphs quotes
    points replies responses sentences spaces spelling style summaries tabs units"""
)
_MANNERS = word_set(
    """american brief british concise formal imperial informal metric plain polite short shorter simple single
    double straight terse quick bullet"""
)
_SYSTEMS = word_set("celsius fahrenheit metric imperial")
_LONGEST_FRAGMENT = 12
_AROUND = word_set("please thanks ok okay and so also but just k , . !")
_ENSURED = (["ensure"], ["sure"])
_FROM_HERE = ["from", "now", "on"]
_FROM_NOW = (
    "any more",
    "anymore",
    "at all times",
    "any longer",
    "every time",
    "each time",
    "from now on",
    "in future",
    "going forward",
)
_POLITE = word_set(
    """prefer appreciate grateful glad obliged happy like love great nice better helpful help ask request beg
    insist kind welcome"""
)
_POLITELY = word_set("could would can will might kindly please")
_HERE = word_set("this these following below above attached now today tonight")
_REACHED = word_set("telephoned phoned called contacted addressed disturbed reminded emailed")
_WRITING = word_set("use keep write answer reply respond speak address sign format round spell include cite")
_ENDS = word_set("because since") | frozenset(";:")


def is_for_all(listed: Sequence[str]) -> bool:
    """Tell whether something is asked for all that is written: "in any letter", "of every report".

    What comes first is what is asked for itself: "any examples" of what is meant now.
    """
    for place, word in enumerate(listed):
        rest = listed[place + 1 : place + 5]
        if word in _THEMSELVES and (not rest or listed[place - 1] in glue.PREPOSITIONS):
            return rest[:1] not in (["else"], ["i"])
        if place and word in glue.EVERY and rest and rest[0] not in _OWNED and rest[0] != "of":
            return not (WORKS | _ONE_OF_THEM).isdisjoint(rest)
    return False


def is_ruled_out(listed: Sequence[str], *, is_reason: bool = False) -> bool:
    """Tell whether "no Groovy build files" forbids what is made at work; "no new messages" says there are none."""
    inner = list(takewhile(lambda word: word not in glue.PREPOSITIONS, listed[1:]))
    if listed[0] != "no" or len(inner) < 2 - is_reason or inner[-1] not in _ARTIFACTS:
        return False
    return all(
        word not in glue.CLOSED and word not in _FOUND and not word.endswith(("ing", "ed")) for word in inner
    )


def is_insisted(listed: Sequence[str]) -> bool:
    """Tell whether a sentence says that it rules something: by a word, or by two refusals in a row."""
    return not _INSISTING.isdisjoint(listed) or listed.count("no") > 1


def rule_at(words: Words, clause: Clause) -> Span | None:
    """Return the words of "shell answers should be for bash", "every draft needs a number"."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or verb.tense != "present":
        return None
    listed = words.words[subject[0] : subject[1]]
    is_every = listed[0] in glue.EVERY
    if not (listed[-1] in WORKS or (is_every and listed[-1] in _ONE_OF_THEM)) or listed[0] in _OWNED:
        return None
    following = words.at(verb.end)
    is_due = verb.verb == "be" and following == "to" and words.at(verb.end + 1) == "be"
    is_needed = is_every and (verb.verb == "need" or words.words[clause.begin - 1 : clause.begin] in _ENSURED)
    if not (verb.modal in _RULED or is_due or is_needed):
        return None
    is_manner = verb.verb in _KEPT_TO or following in _LENGTHS or "-" in following
    is_wanted = is_every or is_due or listed[0] == "your" or "so" in clause.joint
    return (subject[0], clause.end) if is_wanted or is_manner else None


def refused_at(words: Words, clause: Clause) -> Span | None:
    """Return the words of "you don't need to shout any more", "I don't want emojis in your answers"."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or not verb.is_denied or verb.tense != "present":
        return None
    said = words.said(verb.end, clause.end).lower() if verb.end < clause.end else ""
    who = words.words[subject[0]]
    is_spared = who == "you" and (verb.verb == "need" or verb.modal == "must")
    is_unwanted = who in glue.I_OR_WE and verb.verb in ("want", "need") and words.at(verb.end) not in ("to", "you")
    is_unwished = who in glue.I_OR_WE and verb.verb in ("wish", "want") and words.at(verb.end) == "to"
    if is_unwished and words.at(verb.end + 1) == "be" and words.at(verb.end + 2) in _REACHED:
        return verb.begin, clause.end
    if is_spared and any(one in said for one in _FROM_NOW):
        return verb.begin, clause.end
    if is_unwanted and any(f" your {one}" in said or "from you" in said for one in WORKS):
        return verb.begin, clause.end
    return None


def short_wish(words: Words) -> Span | None:
    """Return a sentence without a verb that says how to write: "short answers please", "Celsius only"."""
    listed = words.words
    begin, end = 0, len(listed)
    while begin < end and listed[begin] in _AROUND:
        begin += 1
    while end > begin and listed[end - 1] in _AROUND:
        end -= 1
    inner = listed[begin:end]
    if not 1 < len(inner) <= _LONGEST_FRAGMENT or not glue.AUXILIARIES.isdisjoint(inner):
        return None
    is_said = not _ONLY.isdisjoint(listed) or listed[-4:-1] == ["from", "now", "on"] or inner[-3:] == _FROM_HERE
    is_spared = inner[:3] == ["no", "need", "to"] and any(one in " ".join(inner) for one in _FROM_NOW)
    is_wish = is_spared or (is_ruled_out(inner) and is_insisted(listed)) or _is_contrast(inner)
    return (begin, end) if is_wish or (is_said and _is_style(inner)) else None


def _is_style(inner: list[str]) -> bool:
    """Tell whether words name a manner of writing: "British spelling throughout", "answers in German"."""
    if inner[1:2] == ["only"] and len(inner) == 2:
        return inner[0] in _SYSTEMS or "language" in kinds.kinds_of(inner[0])
    place = 0
    while place < len(inner) and (inner[place] in _MANNERS or inner[place] in ("just", "only", "and", ",")):
        place += 1
    if place >= len(inner) or inner[place] not in _STYLES:
        return False
    is_described = not _MANNERS.isdisjoint(inner[:place])
    return is_described or inner[place + 1 : place + 2] in (["in"], ["under"], ["without"])


def _is_contrast(inner: list[str]) -> bool:
    """Tell whether words choose for all of a kind: "tabs, not spaces, in all Go"."""
    if "not" not in inner or inner[inner.index("not") - 1] != "," or inner[0] in glue.CLOSED:
        return False
    rest = inner[inner.index("not") :]
    return any(one in ("in", "for", "on") and after in glue.EVERY for one, after in pairwise(rest))


def polite_wish(words: Words) -> Span | None:
    """Return what is wished politely: "I'd prefer it if you didn't use contractions", "I ask that you sign …"."""
    listed = words.words
    if "you" not in listed or _POLITE.isdisjoint(listed):
        return None
    for place in range(1, len(listed) - 3):
        is_wish = listed[place] in ("if", "that") and listed[place - 1] not in ("know", "see", "wonder")
        aside = listed[place + 1 : place + 5] if is_wish else []
        is_for_good = aside == [",", "in", "future", ","] or aside[:2] == ["in", "future"]
        asked = place + (4 if aside[:1] == [","] else 2) * is_for_good
        if is_wish and words.at(asked + 1) == "you":
            if _POLITE.isdisjoint(listed[:place]) or not {"i", "it", "we"} & set(listed[:place]):
                return None
            begin = asked + 2
            while begin < len(listed) and listed[begin] in _POLITELY:
                begin += 1
            end = next((at for at in range(begin, len(listed)) if listed[at] in _ENDS), len(listed))
            return (begin, end) if begin < end and (is_for_good or _lasts(words, begin, end)) else None
    return None


def _lasts(words: Words, begin: int, end: int) -> bool:
    """Tell whether what is wished holds for more than the task: refused, for all of a kind, or a manner."""
    verb = verb_group(words, begin, end, "we")
    listed = words.words[begin:end]
    if verb is None or not _HERE.isdisjoint(listed):
        return False
    said = words.said(begin, end).lower()
    is_refused = verb.is_denied or verb.phase == "ends" or verb.verb in ("refrain", "avoid", "omit", "skip")
    if is_refused or "always" in listed or any(one in said for one in _FROM_NOW):
        return True
    if is_for_all(words.words[verb.end : end]) or words.words[verb.end : verb.end + 2] == ["me", "as"]:
        return True
    return verb.verb in _WRITING and not (WORKS | _MANNERS).isdisjoint(listed) and not _OWNED & set(listed)
