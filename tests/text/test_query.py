"""Reading whatever is typed as a query: the syntax of FTS5, and no string an error."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.query import QUERY_CAP, Group, Query, any_of, is_any, is_question, parse

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
SYNTAX = st.lists(st.sampled_from(["AND", "OR", "NOT", '"', "*", "(", ")", "a", "b", "c", "机器", " "]))


def written(query: Query) -> str:
    """Write a query on one line: groups by ` | `, phrases in brackets, `!` before what is excluded."""
    return " | ".join(_group(group) for group in query.groups)


def _group(group: Group) -> str:
    wanted = [_term(term.words, term.is_prefix) for term in group.wanted]
    excluded = ["!" + "&".join(_term(t.words, t.is_prefix) for t in terms) for terms in group.excluded]
    return " ".join(wanted + excluded)


def _term(words: tuple[str, ...], is_prefix: bool) -> str:
    joined = words[0] if len(words) == 1 else f"[{' '.join(words)}]"
    return joined + "*" * is_prefix


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("docker", "docker"),
        ("docker deployment", "docker deployment"),
        ("docker AND deployment", "docker deployment"),
        ('"docker deployment"', "[docker deployment]"),
        ("docker OR kubernetes", "docker | kubernetes"),
        ("docker NOT swarm", "docker !swarm"),
        ("deploy*", "deploy*"),
        ('"docker dep"*', "[docker dep]*"),
        ("docker and or not", "docker and or not"),
        ("a a", "a"),
        ("a OR a", "a | a"),
    ],
)
def test_the_syntax_is_that_of_the_public_product(typed: str, expected: str) -> None:
    assert written(parse(typed)) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        # Side by side binds tightest, then NOT, then AND, then OR.
        ("a NOT b OR c", "a !b | c"),
        ("a OR b NOT c", "a | b !c"),
        ("a b OR c", "a b | c"),
        ("a AND b OR c AND d", "a b | c d"),
        ("a NOT b c", "a !b&c"),
        ("a NOT b AND c", "a c !b"),
        ("a NOT b NOT c", "a !b !c"),
        ("a AND NOT b", "a !b"),
        ('a NOT "b c" OR d*', "a ![b c] | d*"),
    ],
)
def test_operators_bind_as_in_fts5(typed: str, expected: str) -> None:
    assert written(parse(typed)) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("C++", "c"),
        ('"unterminated', "unterminated"),
        ("(problem", "problem"),
        ("hello AND", "hello"),
        ("hello NOT", "hello"),
        ("OR hello", "hello"),
        ("NOT hello", "hello"),
        ("AND OR NOT", ""),
        ("a AND OR b", "a | b"),
        ("a OR OR b", "a | b"),
        ("a NOT NOT b", "a !b"),
        ("{test}", "test"),
        ("***", ""),
        ("a ***", "a"),
        ("*a", "a"),
        ("a**", "a*"),
        ("TODO: fix", "todo fix"),
        ("content:secret", "[content secret]"),
        ("^start", "start"),
        ("chat-send", "[chat send]"),
        ("P2.2", "[p2 2]"),
        ("simulate.p2.test.ts", "[simulate p2 test ts]"),
        ("it's", "[it s]"),
        ('say "hello world" "again', "say [hello world] again"),
        ('"" a', "a"),
        ('a"b"c', "a b c"),
        ("NEAR(a b)", "[near a] b"),
        ("100%", "100"),
        ("", ""),
        ("   \n\t", ""),
        ("🎉", "🎉"),
        ("机器学习", "[机器 器学 学习]"),
        ("机器", "机器"),
        ("习", "习*"),
        ("\x00\ud800", ""),
    ],
)
def test_what_is_no_syntax_loses_its_meaning(typed: str, expected: str) -> None:
    assert written(parse(typed)) == expected


@given(st.one_of(ANY_STRING, SYNTAX.map(" ".join), SYNTAX.map("".join)))
def test_any_string_is_a_query(typed: str) -> None:
    query = parse(typed)
    assert all(group.wanted for group in query.groups)
    assert all(term.words and all(term.words) for term in query.every_term)
    assert set(query.terms) <= set(query.every_term)
    loose = any_of(query)
    assert is_any(loose)
    assert bool(loose.groups) == bool(query.groups)


def work(function: Callable[[], object]) -> int:
    """Count the calls a function makes: what takes its time, whatever else the machine does."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("piece", ['"', '" ', '"a" ', "* ", "OR ", "NOT a ", "(", "机", "\\", "a-"])
def test_a_huge_query_costs_no_more_than_one_at_the_cap(piece: str) -> None:
    huge = piece * 100_000
    assert len(parse(huge).text) == QUERY_CAP
    parse(huge)
    assert work(lambda: parse(huge)) <= work(lambda: parse(huge[:QUERY_CAP])) + 10


@pytest.mark.parametrize("typed", ["docker deployment", "it's", "机器学习", "机器 书", "习", "C++ and rust"])
def test_a_query_without_syntax_is_plain(typed: str) -> None:
    assert parse(typed).is_plain


@pytest.mark.parametrize("typed", ['"a b"', "a OR b", "a NOT b", "a AND b", "dep*"])
def test_a_query_with_syntax_is_not_plain(typed: str) -> None:
    assert not parse(typed).is_plain


@pytest.mark.parametrize(
    "typed",
    [
        "what did we decide about docker?",
        "how do I deploy",
        "wie war das mit Berlin",
        "où est le rapport",
        "tell me about the plan for the launch",
        "docker deployment staging?",
    ],
)
def test_a_sentence_is_a_question(typed: str) -> None:
    assert is_question(parse(typed))


@pytest.mark.parametrize("typed", ["docker deployment staging", "why", '"what did we"', "what OR how OR why", ""])
def test_keywords_are_no_question(typed: str) -> None:
    assert not is_question(parse(typed))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("what did we decide about docker?", "decide | docker"),
        ("docker deployment", "docker | deployment"),
        ("chat-send fix", "[chat send] | fix"),
        ("was it the", "was | it | the"),
        ("机器学习 docker", "机器 | 器学 | 学习 | docker"),
        ("我们部署服务器", "我们 | 们部 | 部署 | 署服 | 服务 | 务器"),
    ],
)
def test_widening_drops_what_carries_no_topic(typed: str, expected: str) -> None:
    assert written(any_of(parse(typed))) == expected


def test_widening_a_long_text_is_bounded() -> None:
    long = " ".join(f"word{i}" for i in range(300))
    assert len(any_of(parse(long)).groups) < len(parse(long).terms)
