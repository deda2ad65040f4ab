"""What counts as a match, on every engine: syntax, scripts, parts of words, and any string at all."""

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage
from tests.recall.conversations import found, search, talk

SAID = {
    "docker": "the docker deployment to staging",
    "works": "docker works",
    "kubernetes": "kubernetes instead",
    "send": "run chat-send for P2.2 please",
    "file": "see simulate.p2.test.ts and getUserById(42)",
    "party": "it's the Café 🎉 party",
    "chinese": "我们用机器学习 Agent通信 很好",
    "glued": "使用docker2部署，通信Agent也好",
    "korean": "한국어로 말하다",
    "japanese": "パソコンを買いました",
    "percent": "100% of snake_case, C++ is a test {braces}",
    "german": "Die Straße ist über dem Fluß",
    "hindi": "हिन्दी भाषा",
    "brand": "Acme™ sells 𝐁old words",
}


class MatchingContract:
    """Tests of what matches; `memory` is a new one on the engine at hand, `shared_memory` one for the class."""

    @pytest.fixture(scope="class")
    @classmethod
    def spoken(cls, shared_memory: Memory) -> Memory:
        """A memory with one short session for each thing to find, named after it; tests only read it."""
        for name, said in SAID.items():
            talk(shared_memory, name, said)
        return shared_memory

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            # The syntax.
            ("docker", ["docker", "works"]),
            ("docker deployment", ["docker"]),
            ("deployment AND docker", ["docker"]),
            ('"docker deployment"', ["docker"]),
            ('"deployment docker"', []),
            ("docker OR kubernetes", ["docker", "kubernetes", "works"]),
            ("docker NOT deployment", ["works"]),
            ("docker NOT missing", ["docker", "works"]),
            ("kuber*", ["kubernetes"]),
            ('"docker dep"*', ["docker"]),
            ("DOCKER Works", ["works"]),
            # Strings that are no syntax.
            ("C++", ["percent"]),
            ('"unterminated', []),
            ("(kubernetes", ["kubernetes"]),
            ("kubernetes AND", ["kubernetes"]),
            ("OR kubernetes", ["kubernetes"]),
            ("works AND OR kubernetes", ["kubernetes", "works"]),
            ("{braces}", ["percent"]),
            ("TODO: kubernetes", ["kubernetes"]),
            ("chat-send", ["send"]),
            ("P2.2", ["send"]),
            ("simulate.p2.test.ts", ["file"]),
            ("it's", ["party"]),
            # Scripts.
            ("cafe", ["party"]),
            ("CAFÉ", ["party"]),
            ("🎉", ["party"]),
            ("机器", ["chinese"]),
            ("器学", ["chinese"]),
            ("机器学习", ["chinese"]),
            ("习", ["chinese"]),
            ("Agent通信", ["chinese"]),
            ("agent", ["chinese", "glued"]),
            ("通信", ["chinese", "glued"]),
            ("买", []),
            ("買い", ["japanese"]),
            ("ﾊﾟｿｺﾝ", ["japanese"]),
            ("국어", ["korean"]),
            ("말하다", ["korean"]),
            ("strasse", ["german"]),
            ("FLUSS uber", ["german"]),
            ("हिन्दी", ["hindi"]),
        ],
    )
    def test_a_query_finds_its_sessions_by_words(self, spoken: Memory, query: str, expected: list[str]) -> None:
        answer = search(spoken, query=query, limit=10)
        assert sorted(result["session_id"] for result in answer["results"]) == expected
        assert answer.get("reason") in ((None, "widened") if expected else ("no_match", "no_words"))

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("通信Agent", ["glued"]),
            ("使用docker2部署", ["glued"]),
            ("用docker2", ["glued"]),
            ("docker2部", ["glued"]),
            ('"한국어로 말하다"', ["korean"]),
            ('"机器学习 Agent通信"', ["chinese"]),
        ],
    )
    def test_mixed_scripts_and_their_phrases_are_words_too(
        self, spoken: Memory, query: str, expected: list[str]
    ) -> None:
        answer = search(spoken, query=query, limit=10)
        assert [result["session_id"] for result in answer["results"]] == expected
        assert "reason" not in answer

    @pytest.mark.parametrize("query", ["acmetm", "Acme™", "bold", "𝐁old", "𝐛old"])
    def test_compatible_forms_are_the_same_word(self, spoken: Memory, query: str) -> None:
        answer = search(spoken, query=query)
        assert [result["session_id"] for result in answer["results"]] == ["brand"]
        assert "reason" not in answer

    @pytest.mark.parametrize(
        "query", ["often OR rare", "rare OR often", "often rare", "what about often or rare?"]
    )
    def test_a_common_word_is_found_beside_a_rare_one(self, memory: Memory, query: str) -> None:
        for number in range(6):
            talk(memory, f"s{number}", "it is often so")
        talk(memory, "rare", "a rare thing")
        assert sorted(found(memory, query)) == ["rare", *(f"s{number}" for number in range(6))]

    @pytest.mark.parametrize("query", ["***", '"', '""""', '"*"', "  * "])
    def test_a_query_without_words_says_so(self, spoken: Memory, query: str) -> None:
        answer = search(spoken, query=query)
        assert (answer["results"], answer["reason"]) == ([], "no_words")
        assert "no word" in answer["message"]

    @pytest.mark.parametrize(
        "query", ["\x00", "\ud800", "' OR 1=1 --", "a:b", "^", "\\", "NEAR(", "-" * 50, "(((", '"a" "', "%_%"]
    )
    def test_a_strange_query_has_an_answer(self, spoken: Memory, query: str) -> None:
        found(spoken, query)

    @pytest.mark.parametrize(
        "query",
        [
            '"' * 100_000,
            "NOT the " * 50_000,
            "a pasted page of text " * 5_000,
            " OR ".join(f"a{n}*" for n in range(400)),
            "机" * 5_000,
            "ab-" * 2_000,
            "ab " * 2_000,
            "(" * 5_000 + "docker",
        ],
    )
    def test_a_huge_query_has_an_answer(self, spoken: Memory, query: str) -> None:
        found(spoken, query)

    def test_a_query_of_very_many_different_words_has_an_answer(self, memory: Memory) -> None:
        many = [f"{number:02x}" for number in range(256)] + [f"g{number:x}" for number in range(160)]
        talk(memory, "many", " ".join(many))
        talk(memory, "keep", "zebra")
        assert found(memory, " ".join(many)) == ["many"]
        assert found(memory, " OR ".join(many)) == ["many"]
        assert found(memory, "zebra " + " ".join(f"NOT {word}" for word in many)) == ["keep"]

    # Widening.

    @pytest.mark.parametrize(
        "query",
        [
            "what did we say about the docker deployment?",
            "how was the deployment again",
            "tell me about the staging",
        ],
    )
    def test_a_natural_question_is_ranked_by_its_topic(self, spoken: Memory, query: str) -> None:
        assert found(spoken, query)[0] == "docker"

    def test_a_question_does_not_ask_for_words_without_topic(self, spoken: Memory) -> None:
        assert found(spoken, "what is the deal with kubernetes?") == ["kubernetes"]

    def test_the_more_words_of_a_question_a_session_holds_the_better(self, memory: Memory) -> None:
        talk(memory, "one", "the budget of another project")
        talk(memory, "three", "the budget of project atlas")
        talk(memory, "none", "hello")
        assert found(memory, "what was the budget for atlas?") == ["three", "one"]

    def test_keywords_that_never_stand_together_are_widened_and_said_so(self, spoken: Memory) -> None:
        answer = search(spoken, query="docker kubernetes", limit=10)
        assert {result["session_id"] for result in answer["results"]} == {"docker", "works", "kubernetes"}
        assert answer["reason"] == "widened"
        assert "all of the words" in answer["message"]

    @pytest.mark.parametrize("query", ['"docker kubernetes"', "docker AND kubernetes", "kuber* docker"])
    def test_a_query_with_syntax_is_never_widened(self, spoken: Memory, query: str) -> None:
        assert found(spoken, query) == []
        assert search(spoken, query=query)["reason"] == "no_match"

    @pytest.mark.parametrize("query", ["机器学习的部署怎么样？", "我们怎么做机器学习"])
    def test_a_question_without_spaces_is_widened_too(self, spoken: Memory, query: str) -> None:
        assert "chinese" in found(spoken, query)

    def test_a_single_character_does_not_keep_a_query_from_widening(self, spoken: Memory) -> None:
        assert found(spoken, "机器 书") == ["chinese"]

    # Parts of words.

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("UserBy", "file"),
            ("userbyid", "file"),
            ("p2.test", "file"),
            ("mulate.p2", "file"),
            ("nake_cas", "percent"),
            ("ubernet", "kubernetes"),
            ("oyment ocker", "docker"),
            ("0%", "percent"),
            ("++", "percent"),
            ("%", "percent"),
            ("_case", "percent"),
            ("ソコ", "japanese"),
        ],
    )
    def test_a_part_of_a_word_is_found(self, spoken: Memory, query: str, expected: str) -> None:
        assert found(spoken, query) == [expected]

    def test_parts_are_looked_for_until_there_are_enough_conversations(self, memory: Memory) -> None:
        talk(memory, "old", "something extraordinary")
        talk(memory, "long", *["extraordinary again"] * 2_100)
        assert found(memory, "traordin") == ["long", "old"]

    def test_a_part_is_marked_and_said_to_be_one(self, spoken: Memory) -> None:
        answer = search(spoken, query="UserBy")
        assert answer["reason"] == "fragment"
        assert "parts of longer ones" in answer["message"]
        assert answer["results"][0]["snippet"].endswith("get>>>UserBy<<<Id(42)")

    @pytest.mark.parametrize("query", ["1_0", "d%r", "%%", "__", "getUser_yId"])
    def test_wildcards_of_the_database_are_literal(self, spoken: Memory, query: str) -> None:
        assert found(spoken, query) == []

    # Where the engines' own limits lie.

    def test_a_prefix_of_many_words_finds_the_newest(self, memory: Memory) -> None:
        for number in range(60):
            talk(memory, f"s{number}", f"pre{number:02}", day=number)
        assert found(memory, "pre*", sort="newest", limit=3) == ["s59", "s58", "s57"]

    def test_a_phrase_is_found_after_hundreds_of_the_same_word(self, memory: Memory) -> None:
        talk(memory, "s", "the " * 300 + "the end")
        talk(memory, "other", "end the")
        assert found(memory, '"the end"') == ["s"]

    def test_a_huge_text_of_different_long_words_is_kept_and_found(self, memory: Memory) -> None:
        hashes = " ".join(f"{number:064x}" for number in range(16_500))
        talk(memory, "s", hashes)
        assert found(memory, f"{7:064x}") == ["s"]

    def test_the_rank_does_not_depend_on_what_tools_put_out(self, memory: Memory) -> None:
        talk(memory, "rare", "apple in a sentence of some length")
        talk(memory, "often", "banana banana banana banana")
        for number in range(8):
            talk(memory, f"s{number}", "banana split" if number < 3 else "nothing of it")
        before = found(memory, "apple OR banana")
        assert before[0] == "rare"
        talk(memory, "noise", *[NewMessage("tool", f"output {number}") for number in range(1_000)])
        assert found(memory, "apple OR banana") == before
