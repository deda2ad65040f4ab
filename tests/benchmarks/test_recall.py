"""The score of recall: small conversations written by hand, through the real store and the real embedder."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.conversations import Conversation, read
from benchmarks.kept import kept
from benchmarks.recall import main
from benchmarks.signals import GROUPS, chosen, left_out, weighed
from benchmarks.unanswerable import FOREIGN, OWN, RENAMED, renamed, unanswerable

DATE = "2024-05-08T13:56:00"


def conversation(name: str, said: list[tuple[str, str]], *questions: dict[str, Any]) -> dict[str, Any]:
    turns = [
        {"id": f"T{number}", "speaker": speaker, "text": text, "date": DATE}
        for number, (speaker, text) in enumerate(said)
    ]
    return {"id": name, "sessions": [{"id": "S1", "date": DATE, "turns": turns}], "questions": list(questions)}


def question(text: str, *evidence: str, category: str = "single-hop", scored: bool = True) -> dict[str, Any]:
    asked = {"id": text, "text": text, "category": category, "now": "2024-06-01T00:00:00"}
    return {**asked, "evidence": list(evidence), "scored": scored}


ADA_AND_BO = conversation(
    "ada",
    [
        ("Bo", "I bought a red kayak for the trip along the Danube."),
        ("Ada", "I bought a red bicycle for the trip along the Danube."),
        ("Ada", "My sister plays the harp in an orchestra."),
        ("Bo", "The bakery at the corner closes on Mondays."),
    ],
    question("What did Ada buy for the trip along the Danube?", "T1"),
    question("Which instrument does Ada's sister play?", "T2"),
    question("What does Bo's sister play?", "T2", category="adversarial", scored=False),
)
CY_AND_DEE = conversation(
    "cy",
    [("Cy", "I grow orchids under violet lamps."), ("Dee", "My submarine licence expired in Lisbon.")],
    question("Which flowers does Cy grow under violet lamps?", "T0"),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with gzip.open(tmp_path / "locomo.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in (ADA_AND_BO, CY_AND_DEE))
    return tmp_path


def conversations(data: Path) -> list[Conversation]:
    return list(read(data, "locomo"))


def test_what_was_said_is_found(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data), "--json", str(data / "out.json")]) == 0
    found = json.loads((data / "out.json").read_text(encoding="utf-8"))["locomo"]
    assert found["questions"] == 3
    assert found["turn"]["all"]["recall@5"] == found["session"]["all"]["recall@10"] == 1.0
    assert "| turn | all | 3 | 100.0 |" in capsys.readouterr().out


def test_left_out_signals_no_longer_order_what_is_found(data: Path) -> None:
    with kept(conversations(data)[0], "local") as memory:
        answer = memory.ask("What did Ada buy for the trip along the Danube?", DATE, 10)
    # Only who speaks tells the two purchases apart; the first of a conversation is preferred otherwise.
    assert answer.turns()[:2] == ["T1", "T0"]
    assert answer.turns(without={"speaker"})[:2] == ["T0", "T1"]
    assert answer.turns(without={"denial"}) == answer.turns()


def test_the_worth_of_each_group(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data), "--ablate", "--json", str(data / "out.json")]) == 0
    found = json.loads((data / "out.json").read_text(encoding="utf-8"))["locomo"]
    assert {"nothing", "words", "speaker", "words and soft words"} <= set(found)
    assert "role" not in found
    shown = capsys.readouterr().out
    assert "|  | locomo (people) |" in shown
    assert "| without role | – |" in shown


def test_every_signal_is_in_one_group() -> None:
    members = [signal for group in GROUPS.values() for signal in group]
    assert sorted(members) == sorted(weighed())


def test_a_group_is_left_out_where_it_counts() -> None:
    present = frozenset({"own_words", "role"})
    assert left_out(present) == {"nothing": frozenset(), "words": {"own_words"}, "role": {"role"}}


def test_signals_are_chosen_by_their_name_or_their_group() -> None:
    assert chosen(" speaker, days,") == {"speaker"} | GROUPS["days"]
    assert chosen("") == frozenset()


@pytest.mark.parametrize(
    "wrong",
    [
        ["--without", "spaeker"],
        ["--without", "speaker", "--write-docs"],
        ["--without", "speaker", "--ablate"],
        ["--set", "beam-100k"],
    ],
)
def test_what_cannot_be_measured_is_refused(data: Path, wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(["--data", str(data), *wrong])
    assert error.value.code == 2


def test_a_folder_without_conversations_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path / "none")]) == 1
    assert "docs/benchmarks.md says how" in capsys.readouterr().err


def test_a_set_without_a_question_to_score_is_an_error(tmp_path: Path) -> None:
    twisted = {**ADA_AND_BO, "questions": ADA_AND_BO["questions"][2:]}
    with gzip.open(tmp_path / "locomo.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(twisted) + "\n")
    with pytest.raises(SystemExit, match="locomo has no question that can be scored"):
        main(["--data", str(tmp_path)])


def test_questions_of_others_cannot_be_answered_here(data: Path) -> None:
    ada, cy = conversations(data)
    asked = list(unanswerable(ada, [ada, cy]))
    assert [(kind, one.text) for kind, one in asked] == [
        (FOREIGN, "Which flowers does Cy grow under violet lamps?"),
        (RENAMED, "Which flowers does Bo grow under violet lamps?"),
        (OWN, "What does Bo's sister play?"),
    ]
    assert all(one.now == "2024-06-01T00:00:00" for _, one in asked)


def test_a_question_whose_answer_is_here_too_is_not_foreign(data: Path) -> None:
    ada, cy = conversations(data)
    twin = conversation("twin", [("Eve", "I grow orchids under violet lamps.")], question("What grows?", "T0"))
    with gzip.open(data / "twin.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(twin) + "\n")
    (eve,) = read(data, "twin")
    assert [kind for kind, _ in unanswerable(eve, [eve, cy])] == []
    assert [kind for kind, _ in unanswerable(eve, [eve, ada])] == [FOREIGN, RENAMED]


def test_conversations_that_share_a_speaker_are_not_foreign(data: Path) -> None:
    ada, cy = conversations(data)
    same = Conversation("same", ada.sessions, cy.questions)
    assert [kind for kind, _ in unanswerable(ada, [ada, same])] == [OWN]


def test_names_are_put_in_place_of_names() -> None:
    assert (
        renamed("Does cy's aunt know Dee or Cyril?", ["Cy", "Dee"], ["Ada"])
        == "Does Ada's aunt know Ada or Cyril?"
    )
    assert renamed("Where do I live?", [], ["Ada"]) == "Where do I live?"


def test_what_the_threshold_keeps_out_and_costs(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data), "--unanswerable", "--json", str(data / "out.json")]) == 0
    found = json.loads((data / "out.json").read_text(encoding="utf-8"))["locomo"]
    assert set(found) == {"cost", FOREIGN, RENAMED, OWN}
    assert 0 <= found["cost"] <= 1
    assert found[FOREIGN] == 0
    assert "0.0 % of 2" in capsys.readouterr().out
