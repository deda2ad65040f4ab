"""Snippets: the place of the match, marked, and never anything that is not in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.query import parse
from hermes_agent.text.snippet import CLOSE, ELLIPSIS, OPEN, excerpt, snippet

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)
# Without the characters of markers and ellipses, so that these can be taken out again.
PLAIN = st.text(st.characters(codec=None, exclude_categories=(), exclude_characters="<>."), max_size=300)
VOCABULARY = ["docker", "Straße", "café", "ÉTÉ", "机器", "学习机", "ﬁle", "it's", "İz", "🎉", "\n", "  "]
TEXT = st.lists(st.sampled_from(VOCABULARY), max_size=120).map(" ".join)


def unmarked(shown: str) -> str:
    return shown.replace(OPEN, "").replace(CLOSE, "").removeprefix(ELLIPSIS).removesuffix(ELLIPSIS)


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        ("we use docker here", "docker", "we use >>>docker<<< here"),
        ("Docker and docker", "DOCKER", ">>>Docker<<< and >>>docker<<<"),
        ("dockers dock", "dock", "dockers >>>dock<<<"),
        ("dockers dock", "dock*", ">>>dockers<<< >>>dock<<<"),
        ("the docker deployment", '"docker deployment"', "the >>>docker deployment<<<"),
        ("a chat-send b", "chat-send", "a >>>chat-send<<< b"),
        ("snake_case", "case", "snake_>>>case<<<"),
        ("it's", "it's", ">>>it's<<<"),
        ("un café noir", "cafe", "un >>>café<<< noir"),
        ("a 机器学习 b", "机器", "a >>>机器<<<学习 b"),
        ("a 机器学习 b", "器学习", "a 机>>>器学习<<< b"),
        ("学习", "习", "学>>>习<<<"),
        ("Agent通信 ok", "Agent通信", ">>>Agent通信<<< ok"),
        ("party 🎉 now", "🎉", "party >>>🎉<<< now"),
        ("a or b", "a OR b", ">>>a<<< or >>>b<<<"),
        ("keep drop", "keep NOT drop", ">>>keep<<< drop"),
        ("nothing of it", "missing", "nothing of it"),
        ("", "a", ""),
        (" \n ", "a", ""),
    ],
)
def test_matches_are_marked(text: str, typed: str, expected: str) -> None:
    assert snippet(text, parse(typed)) == expected


@pytest.mark.parametrize(
    ("text", "typed", "marked"),
    [
        ("Die Straße ist über dem Fluss", "über", "über"),
        ("Die Straße ist über dem Fluss", "strasse", "Straße"),
        ("wait… un café", "cafe", "café"),
        ("İstanbul and a résumé", "resume", "résumé"),
        ("cafe\u0301 au lait", "café", "cafe\u0301"),
        ("the ﬁle is here", "file", "ﬁle"),
    ],
)
def test_a_text_whose_folding_changes_its_length_is_marked_too(text: str, typed: str, marked: str) -> None:
    assert f"{OPEN}{marked}{CLOSE}" in snippet(text, parse(typed))


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("docker\n\n- deployment", '"docker deployment"'),
        ("он ещё её видел", '"ещё её"'),
        ("한국어로 말하다", '"한국어로 말하다"'),
    ],
)
def test_a_phrase_is_marked_whatever_stands_between_its_words(text: str, typed: str) -> None:
    assert OPEN in snippet(text, parse(typed))


def test_a_long_text_is_cut_to_forty_words_around_the_match() -> None:
    text = " ".join([*("before" for _ in range(200)), "needle", *("after" for _ in range(200))])
    shown = snippet(text, parse("needle"))
    assert shown.startswith(ELLIPSIS) and shown.endswith(ELLIPSIS)
    assert len(unmarked(shown).split()) == 40
    assert "before >>>needle<<< after" in shown


def test_the_ends_of_the_text_have_no_ellipsis() -> None:
    long = ["word"] * 100
    first = snippet(" ".join(["needle", *long]), parse("needle"))
    assert first.startswith(">>>needle<<<") and first.endswith(ELLIPSIS)
    last = snippet(" ".join([*long, "needle"]) + "\n", parse("needle"))
    assert last.startswith(ELLIPSIS) and last.endswith(">>>needle<<<")


def test_the_window_with_most_matches_is_shown() -> None:
    text = " ".join(["apple", *["x"] * 100, "apple", "banana", "cherry", *["y"] * 100, "cherry"])
    assert ">>>apple<<< >>>banana<<< >>>cherry<<<" in snippet(text, parse("apple OR banana OR cherry"))


@pytest.mark.parametrize("place", [0, 500, 2_900, 5_998])
def test_a_long_run_without_spaces_shows_the_match(place: int) -> None:
    text = "甲" * place + "机器" + "乙" * (5_998 - place)
    shown = snippet(text, parse("机器"))
    assert ">>>机器<<<" in shown
    assert len(shown) < 2_000


def test_a_match_after_a_very_long_word_is_shown() -> None:
    assert ">>>needle<<<" in snippet("x" * 5_000 + " needle", parse("needle"))


@given(ANY_STRING, ANY_STRING)
def test_a_snippet_never_raises(text: str, typed: str) -> None:
    snippet(text, parse(typed))
    snippet(text, parse(text))
    excerpt(text, typed)


@given(st.one_of(PLAIN, TEXT), st.one_of(PLAIN, st.sampled_from(VOCABULARY)), st.integers(1, 40))
def test_without_its_marks_a_snippet_is_part_of_the_text(text: str, typed: str, tokens: int) -> None:
    assert unmarked(snippet(text, parse(typed), tokens)) in text


@given(TEXT, st.sampled_from([word for word in VOCABULARY if word.strip()]))
def test_a_word_of_the_text_is_marked(text: str, word: str) -> None:
    if word in text.split():
        assert OPEN in snippet(text, parse(word))


@given(PLAIN, PLAIN)
def test_without_its_marks_an_excerpt_is_part_of_the_text(text: str, fragment: str) -> None:
    assert unmarked(excerpt(text, fragment)) in text


@pytest.mark.parametrize(
    ("text", "fragment", "expected"),
    [
        ("call getUserById now", "UserBy", "call get>>>UserBy<<<Id now"),
        ("call getUserById now", "userby", "call get>>>UserBy<<<Id now"),
        ("100% sure", "%", "100>>>%<<< sure"),
        ("İİİİ needle here", "needle", "İİİİ >>>needle<<< here"),
        ("nothing", "x", "nothing"),
    ],
)
def test_an_excerpt_marks_the_literal_fragment(text: str, fragment: str, expected: str) -> None:
    assert excerpt(text, fragment) == expected


def test_an_excerpt_begins_forty_characters_before_its_fragment() -> None:
    shown = excerpt("a" * 100 + "NEEDLE" + "b" * 200, "needle")
    assert shown.startswith(ELLIPSIS + "a" * 40 + ">>>NEEDLE<<<b")
    assert shown.endswith("b" + ELLIPSIS)
    assert len(unmarked(shown)) == 120
