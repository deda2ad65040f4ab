"""With what somebody works: "I review everything in vim", "we track bugs in Linear", "our monorepo uses Bazel".

A tool is known by its name, behind what is kept or made with it; what is kept in a town or written in French is
kept with no tool.
"""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds, lexicon
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import values
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import Statement

_TOOLS = frozenset().union(
    *(
        lexicon.KINDS[kind]
        for kind in ("system", "editor", "shell", "browser", "database", "cloud", "ci", "queue", "packager")
    )
)
_TOOLS |= word_set(
    "ansible bun docker git grafana helm kubernetes make podman poetry ruff screen sway terraform tmux uv"
)
_MADE = word_set(
    """backups bills bookmarks bugs builds code contacts data decks deploys designs diagrams docs documentation
    documents drafts drawings emails errors everything experiments expenses features figures files invoices issues
    logs mail metrics mockups music notes papers passwords photos plots prototypes recipes records references
    releases reports research schedules scripts secrets services sketches slides spreadsheets state stuff tasks
    tests tickets timesheets todos videos wireframes writing"""
)
_KEPT = word_set("live run build sit deploy go happen")
_BEHIND = word_set("in on with using via through")
_NO_TOOLS = ("country", "city", "place", "state", "language")


def read_tooling(told: Told) -> Iterator[Statement]:
    """Yield the tools that somebody does something with."""
    words, verb = told.words, told.verb
    is_ours = told.subject.who.kind in ("user", "we") and told.subject.noun is None
    if not is_ours or verb.tense != "present" or verb.modal or verb.is_denied or verb.is_progressive:
        return
    if verb.verb in ("write", "code", "program") and is_code(words, verb.end):
        spans = values(words, verb.end, told.clause.end)
        coded = (span[0] for span in spans if is_code(words, span[0]))
        yield from (told.made("uses", (at, at + 1), "is") for at in coded)
        return
    if is_of_everything(words, told.clause):
        yield from (told.made("uses", span, "is") for span in values(words, verb.end + 1, told.clause.end)[:1])
        return
    place = verb.end
    while place < told.clause.end - 1:
        if words.words[place] in _MADE and words.words[place + 1] in _BEHIND:
            spans = values(words, place + 2, told.clause.end)[:1]
            yield from (told.made("uses", span, "is") for span in spans if is_tool(words, span[0]))
            place += 2
        else:
            place += 1


def is_code(words: Words, place: int) -> bool:
    """Tell whether a word names a language for computers."""
    word = words.at(place)
    return word in lexicon.KINDS["language"] and kinds.kinds_of(word).isdisjoint(_NO_TOOLS)


def is_of_everything(words: Words, clause: Clause) -> bool:
    """Tell whether "everything lives in Linear", "everything builds on Buildkite"."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or words.words[subject[0]] != "everything":
        return False
    is_kept = verb.verb in _KEPT and words.at(verb.end) in ("in", "on", "to") and verb.tense == "present"
    return is_kept and verb.end + 1 < clause.end and is_tool(words, verb.end + 1)


def is_known_tool(word: str) -> bool:
    """Tell whether a word is listed as a tool, a language or a framework."""
    return word in _TOOLS or any(word in listed for listed in lexicon.KINDS.values())


def is_tool(words: Words, place: int) -> bool:
    """Tell whether a word names a tool: a known one, or a name that is no place, language or month."""
    word = words.words[place]
    if word in _TOOLS:
        return True
    is_other = not kinds.kinds_of(word).isdisjoint(_NO_TOOLS) or words.time_letters[place] != "."
    return words.is_capital(place) and not is_other and word not in glue.CLOSED
