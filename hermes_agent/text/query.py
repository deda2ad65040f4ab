"""Read what a person or a model typed as a search, whatever it is, into a value engines can run.

The syntax is that of the public product (FTS5): words side by side are all wanted, `"a phrase"`,
`OR`, `NOT`, `prefix*`. Anything else typed (brackets, quotes without end, operators in odd places)
loses its special meaning; no string is an error. A query is an OR of groups; a group wants all of
its terms and none of what it excludes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hermes_agent.text.stopwords import QUESTION_WORDS, STOP_WORDS
from hermes_agent.text.words import has_unspaced, query_words

QUERY_CAP = 2_048
_ANY_CAP = 32

_PIECE = re.compile(r'"([^"]*)"(\*?)|([^\s"]+)')
_OPERATORS = frozenset({"AND", "OR", "NOT"})


@dataclass(frozen=True, slots=True)
class Term:
    """Words that stand side by side; with `is_prefix` the last one may go on."""

    words: tuple[str, ...]
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """All of `wanted`, and none of the conjunctions in `excluded`."""

    wanted: tuple[Term, ...]
    excluded: tuple[tuple[Term, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """Any of the groups. `text` is what was typed, cut to the cap."""

    text: str
    groups: tuple[Group, ...]
    is_plain: bool
    """Whether nothing of the syntax was used: such a query may be widened."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every wanted term, each once, in the order typed."""
        return tuple(dict.fromkeys(term for group in self.groups for term in group.wanted))

    @property
    def every_term(self) -> tuple[Term, ...]:
        """Every term, excluded ones too."""
        excluded = (term for group in self.groups for terms in group.excluded for term in terms)
        return tuple(dict.fromkeys([*self.terms, *excluded]))


def parse(typed: str) -> Query:
    """Read any string as a query; one without a single word has no groups."""
    text = typed[:QUERY_CAP]
    tokens = list(_tokens(text))
    groups: list[Group] = []
    for part in _split(tokens, "OR"):
        group = _group(part)
        if group is not None:
            groups.append(group)
    is_plain = all(isinstance(token, Term) for token in tokens) and '"' not in text and "*" not in text
    return Query(text, tuple(groups), is_plain)


def is_question(query: Query) -> bool:
    """Tell whether the query reads like a sentence to be answered rather than words to be matched."""
    if not query.is_plain or len(query.terms) < 3:
        return False
    first = query.terms[0].words[0]
    stops = sum(1 for term in query.terms if term.words[0] in STOP_WORDS)
    return "?" in query.text or "？" in query.text or first in QUESTION_WORDS or stops >= 3


def any_of(query: Query) -> Query:
    """Widen a query to any of its words, without those that carry no topic."""
    loose: list[Term] = []
    for term in query.terms:
        loose.extend(_loosened(term))
    loose = list(dict.fromkeys(loose))
    topical = [term for term in loose if not (len(term.words) == 1 and term.words[0] in STOP_WORDS)]
    chosen = (topical or loose)[:_ANY_CAP]
    return Query(query.text, tuple(Group((term,)) for term in chosen), is_plain=False)


def is_any(query: Query) -> bool:
    """Tell whether the query asks for any of single terms, the form that can be ranked within a budget."""
    return all(len(group.wanted) == 1 and not group.excluded for group in query.groups)


def _loosened(term: Term) -> list[Term]:
    """A long run of a script without spaces is a sentence: let each of its pairs count."""
    if len(term.words) > 1 and has_unspaced(term.words[0] + term.words[-1]):
        return [Term((word,)) for word in term.words]
    return [term]


def _tokens(text: str) -> Iterator[Term | str]:
    for match in _PIECE.finditer(_balanced(text)):
        phrase, star, bare = match.groups()
        if bare is None:
            term = _term(phrase, is_prefix=bool(star))
            if term is not None:
                yield term
        elif bare in _OPERATORS:
            yield bare
        else:
            term = _term(bare, is_prefix=bare.endswith("*"))
            if term is not None:
                yield term


def _balanced(text: str) -> str:
    """Turn the one quote that has no partner into a space."""
    if text.count('"') % 2 == 0:
        return text
    last = text.rindex('"')
    return text[:last] + " " + text[last + 1 :]


def _term(token: str, is_prefix: bool) -> Term | None:
    found = tuple(query_words(token))
    if not found:
        return None
    # One character of a script without spaces begins the pairs it stands in.
    is_lone = len(found[-1]) == 1 and has_unspaced(found[-1])
    return Term(found, is_prefix or is_lone)


def _split(tokens: list[Term | str], operator: str) -> Iterator[list[Term | str]]:
    part: list[Term | str] = []
    for token in tokens:
        if token == operator:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _group(tokens: list[Term | str]) -> Group | None:
    """Read `a b NOT c d AND e`: words side by side bind tightest, then NOT, then AND."""
    wanted: list[Term] = []
    excluded: list[tuple[Term, ...]] = []
    for part in _split(tokens, "AND"):
        runs = list(_split(part, "NOT"))
        kept = [run for run in ([t for t in run if isinstance(t, Term)] for run in runs) if run]
        if not kept:
            continue
        starts_with_not = not any(isinstance(token, Term) for token in runs[0])
        if starts_with_not and wanted:
            excluded.extend(tuple(run) for run in kept)
        else:
            wanted.extend(kept[0])
            excluded.extend(tuple(run) for run in kept[1:])
    if not wanted:
        return None
    return Group(tuple(dict.fromkeys(wanted)), tuple(excluded))
