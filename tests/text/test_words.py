"""Cutting text into words: folding, scripts without spaces, emoji, and the caps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.words import (
    WORD_CAP,
    WORD_LENGTH_CAP,
    fold,
    has_unspaced,
    placed_words,
    query_words,
    words,
)

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
HAN = st.text(st.sampled_from("机器学习通信系统部署服务"), min_size=2, max_size=12)
MIXED_TOKEN = st.text(st.sampled_from("机器学习ひらカタ한국ไทยab9"), min_size=1, max_size=10)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Hello, World!", ["hello", "world"]),
        ("it's", ["it", "s"]),
        ("chat-send", ["chat", "send"]),
        ("snake_case", ["snake", "case"]),
        ("P2.2", ["p2", "2"]),
        ("C++", ["c"]),
        ("Café naïve Ångström", ["cafe", "naive", "angstrom"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("İstanbul", ["istanbul"]),
        ("ﬁle ½", ["file", "1", "2"]),
        ("１２ ＡＢＣ", ["12", "abc"]),
        ("机器学习", ["机器", "器学", "学习", "习"]),
        ("习", ["习"]),
        ("Agent通信", ["agent", "通信", "信"]),
        ("한국어", ["한국", "국어", "어"]),
        ("ﾊﾟｿｺﾝ", ["パソ", "ソコ", "コン", "ン"]),
        ("สวัสดี", ["สว", "วั", "ัส", "สด", "ดี", "ี"]),
        ("go 🎉🚀 now", ["go", "🎉", "🚀", "now"]),
        ("❤️", ["❤"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("привет Ёлка", ["привет", "елка"]),
        ("\x00a\x1fb\ud800c", ["a", "b", "c"]),
        ("x\u200by", ["x", "y"]),
    ],
)
def test_text_is_cut_into_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize("text", ["foo™", "№ 5", "𝐀bc", "℡", "㏒"])
def test_compatible_forms_of_capitals_are_lower_case_too(text: str) -> None:
    assert words(text) == [word.lower() for word in words(text)]


@given(ANY_STRING)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(ANY_STRING)
def test_any_text_is_cut_into_short_words_without_spaces(text: str) -> None:
    for word in words(text):
        assert 0 < len(word) <= WORD_LENGTH_CAP
        assert len(word.split()) == 1
        # The word index of SQLite splits at every ASCII character that is neither letter nor digit.
        assert all(c.isalnum() for c in word if c.isascii())


@given(st.text(st.characters(max_codepoint=127), max_size=200))
def test_the_short_cut_for_ascii_gives_the_same_words(text: str) -> None:
    assert words(text) == words(text + " ü")[:-1]


@given(st.one_of(ANY_STRING, MIXED_TOKEN, st.text(st.sampled_from("aé e\u0301ßﬁ½™İ机ｶﾞ한🎉 ."), max_size=30)))
def test_every_word_has_its_place_in_the_text(text: str) -> None:
    placed = list(placed_words(text))
    assert [word for word, _, _ in placed] == words(text)
    assert all(0 <= start < end <= len(text) for _, start, end in placed)
    assert [start for _, start, _ in placed] == sorted(start for _, start, _ in placed)


def test_no_more_words_are_taken_than_the_cap() -> None:
    assert len(words("word " * (WORD_CAP + 5))) == WORD_CAP
    assert len(words("机" * (WORD_CAP + 5))) == WORD_CAP
    assert len(words("wörd " * 10, cap=3)) == 3
    assert words("x" * 1_000) == query_words("x" * 1_000) == ["x" * WORD_LENGTH_CAP]


def is_side_by_side(wanted: list[str], text: str) -> bool:
    """Tell whether the words stand side by side, the last one as a beginning."""
    found = words(text)
    *exact, last = wanted
    return any(
        found[i : i + len(exact)] == exact and found[i + len(exact)].startswith(last)
        for i in range(len(found) - len(exact))
    )


@given(HAN, st.integers(0, 10), st.integers(1, 10))
def test_any_part_of_a_run_without_spaces_is_found(run: str, start: int, length: int) -> None:
    part = run[start : start + length]
    if part:
        assert is_side_by_side(query_words(part), run)


@given(MIXED_TOKEN)
def test_a_token_of_mixed_scripts_is_found_in_its_own_text(token: str) -> None:
    assert is_side_by_side(query_words(token), f"before {token} after")


@pytest.mark.parametrize("phrase", ["한국어로 말하다", "机器 学习", "机器学习 docker", "用 Python 写"])
def test_a_phrase_with_spaces_in_such_a_script_is_found_in_its_own_text(phrase: str) -> None:
    assert is_side_by_side(query_words(phrase), phrase)


@pytest.mark.parametrize("text", ["机", "㐀", "𠀀", "ひ", "カ", "한", "ㄅ", "ไทย", "abc 机"])
def test_scripts_without_spaces_are_known(text: str) -> None:
    assert has_unspaced(text)


@pytest.mark.parametrize("text", ["", "abc", "über", "привет", "🎉", "שלום", "。、"])
def test_other_scripts_are_written_with_spaces(text: str) -> None:
    assert not has_unspaced(text)
