"""Public files become conversations: small originals written by hand, read back by the loader."""

import json
from pathlib import Path

import pytest

from benchmarks.conversations import Conversation, read
from benchmarks.convert import main


def converted(tmp_path: Path, name: str, original: object, *options: str) -> list[Conversation]:
    file = tmp_path / "original.json"
    file.write_text(json.dumps(original), encoding="utf-8")
    assert main([name, str(file), str(tmp_path / "data"), *options]) == 0
    return list(read(tmp_path / "data", name))


def locomo_sample(**changed: object) -> dict[str, object]:
    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_2_date_time": "12:05 am on 1 June, 2023",
            "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "I moved to Łódź."}],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a red bicycle"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": ""},
            ],
            "session_3_date_time": "1:00 pm on 2 June, 2023",
        },
        "qa": [
            {"question": "What did Ada show?", "answer": "a bicycle", "evidence": ["D1:1"], "category": 4},
            {"question": "Where, and what?", "evidence": ["D2:01; D:1:1", "D9:9"], "category": 1},
            {"question": "What did Bo show?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
            {"question": "Is Bo Polish?", "evidence": [], "category": 3},
        ],
        **changed,
    }


def test_locomo_sessions_are_in_order_and_pictures_are_words(tmp_path: Path) -> None:
    (conversation,) = converted(tmp_path, "locomo", [locomo_sample()])
    assert [session.id for session in conversation.sessions] == ["S1", "S2"]
    first, second = (session.turns for session in conversation.sessions)
    assert [(turn.id, turn.speaker, turn.text) for turn in first] == [
        ("D1:1", "Ada", "Look! [shares a picture: a red bicycle]")
    ]
    assert second[0].date == "2023-06-01T00:05:00"


def test_locomo_evidence_is_read_as_it_is_written(tmp_path: Path) -> None:
    (conversation,) = converted(tmp_path, "locomo", [locomo_sample()])
    shown, both, twisted, unmarked = conversation.questions
    assert (shown.category, shown.scored, shown.now) == ("single-hop", True, "2023-06-01T00:05:00")
    assert both.evidence == {"D1:1", "D2:1"}
    assert (twisted.category, twisted.scored) == ("adversarial", False)
    assert not unmarked.scored


def test_only_some_conversations(tmp_path: Path) -> None:
    samples = [locomo_sample(sample_id=name) for name in ("conv-1", "conv-2")]
    assert [one.id for one in converted(tmp_path, "locomo", samples, "--only", "conv-2")] == ["conv-2"]


def lme_sample(name: str, **changed: object) -> dict[str, object]:
    return {
        "question_id": name,
        "question_type": "single-session-user",
        "question": "Which tea do I like?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": [f"{name}_late", f"{name}_early"],
        "haystack_dates": ["2023/05/21 (Sun) 02:21", "2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I like sencha.", "has_answer": True},
                {"role": "assistant", "content": "A fine tea.", "has_answer": True},
            ],
            [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Hi."}],
        ],
        **changed,
    }


def test_a_pool_holds_the_sessions_of_all_its_questions(tmp_path: Path) -> None:
    samples = [lme_sample(f"q{number}") for number in range(25)]
    first, second = converted(tmp_path, "lme-pool", samples)
    assert (len(first.questions), len(second.questions)) == (24, 1)
    assert [session.id for session in second.sessions] == ["q24_early", "q24_late"]
    assert second.questions[0].evidence == {"q24_late#0", "q24_late#1"}
    assert second.questions[0].now == "2023-05-30T23:40:00"


def test_the_lite_haystack_has_only_what_the_user_said(tmp_path: Path) -> None:
    (conversation,) = converted(tmp_path, "lme-s-lite", [lme_sample("q")])
    assert [turn.id for session in conversation.sessions for turn in session.turns] == ["q_early#1", "q_late#0"]
    assert conversation.questions[0].evidence == {"q_late#0"}


@pytest.mark.parametrize("name", ["lme-pool", "lme-s-lite"])
def test_an_abstention_is_not_scored(tmp_path: Path, name: str) -> None:
    (conversation,) = converted(tmp_path, name, [lme_sample("q_abs")])
    assert [(one.category, one.scored) for one in conversation.questions] == [("abstention", False)]


def test_a_session_that_is_there_twice_is_kept_once(tmp_path: Path) -> None:
    again = lme_sample("q")
    for key in ("haystack_session_ids", "haystack_dates", "haystack_sessions"):
        again[key] = [*again[key], again[key][0]]  # type: ignore[misc, index]
    (conversation,) = converted(tmp_path, "lme-s-lite", [again])
    assert [session.id for session in conversation.sessions] == ["q_early", "q_late"]
