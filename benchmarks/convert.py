"""Turn public files into conversations that we can score: `python -m benchmarks.convert SET FILE FOLDER`.

`SET` is locomo (of LoCoMo's `locomo10.json`), lme-pool (of LongMemEval's `longmemeval_oracle.json`) or
lme-s-lite (of its `longmemeval_s.json`). `FOLDER/SET.jsonl.gz` is written. The shape: docs/benchmarks.md.
"""

import argparse
import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.conversations import Conversation, Question, Session, Turn

# Foreign JSON, read once, here: any value can be anything.
Raw = Mapping[str, Any]

_LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_LOCOMO_DATE = "%I:%M %p on %d %B, %Y"
# The public file has "D8:6; D9:17" in one string, "D:11:26" and "D30:05".
_LOCOMO_TURN = re.compile(r"D:?(\d+):(\d+)")
_POOL = 24
"""Questions for one memory of lme-pool."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the public file and write ours."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.convert", description=__doc__)
    parser.add_argument("set", choices=_CONVERTERS)
    parser.add_argument("file", type=Path, help="the public file")
    parser.add_argument("folder", type=Path, help="where ours is written")
    parser.add_argument("--only", nargs="+", metavar="ID", help="only these conversations, or questions")
    options = parser.parse_args(arguments)
    samples = json.loads(options.file.read_text(encoding="utf-8"))
    if options.only:
        samples = [one for one in samples if one.get("sample_id", one.get("question_id")) in options.only]
    conversations = list(_CONVERTERS[options.set](samples))
    options.folder.mkdir(parents=True, exist_ok=True)
    target = options.folder / f"{options.set}.jsonl.gz"
    with gzip.open(target, "wt", encoding="utf-8") as file:
        for conversation in conversations:
            file.write(_line(conversation) + "\n")
    asked = sum(len(conversation.scored) for conversation in conversations)
    print(f"{target}: {len(conversations)} conversations, {asked} scored questions")
    return 0


def locomo(samples: Sequence[Raw]) -> Iterator[Conversation]:
    """Read LoCoMo: two people, one memory for each pair."""
    for sample in samples:
        sessions = list(_locomo_sessions(sample["conversation"]))
        known = {turn.id for session in sessions for turn in session.turns}
        questions = []
        for number, asked in enumerate(sample["qa"]):
            marked = (f"D{int(a)}:{int(b)}" for a, b in _LOCOMO_TURN.findall(" ".join(asked.get("evidence", ()))))
            evidence = frozenset(marked) & known
            category = _LOCOMO_CATEGORIES[asked["category"]]
            is_scored = bool(evidence) and category != "adversarial"
            name = f"{sample['sample_id']}/q{number}"
            questions.append(Question(name, asked["question"], category, evidence, sessions[-1].date, is_scored))
        yield Conversation(sample["sample_id"], sessions, questions)


def _locomo_sessions(raw: Raw) -> Iterator[Session]:
    numbers = sorted(int(key.removeprefix("session_")) for key in raw if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        date = datetime.strptime(raw[f"session_{number}_date_time"], _LOCOMO_DATE).isoformat()
        turns = [
            Turn(one["dia_id"], one["speaker"], text, date)
            for one in raw[f"session_{number}"]
            if (text := _with_picture(one.get("text") or "", one.get("blip_caption")))
        ]
        if turns:
            yield Session(f"S{number}", date, turns)


def _with_picture(text: str, caption: str | None) -> str:
    return f"{text} [shares a picture: {caption}]".strip() if caption else text.strip()


def lme_pool(samples: Sequence[Raw]) -> Iterator[Conversation]:
    """Read LongMemEval's evidence: the sessions of some questions are one memory for all of them."""
    for start in range(0, len(samples), _POOL):
        group = samples[start : start + _POOL]
        sessions = {session.id: session for sample in group for session in _lme_sessions(sample)}
        questions = [_lme_question(sample, _lme_sessions(sample)) for sample in group]
        in_order = sorted(sessions.values(), key=lambda session: session.date or "")
        yield Conversation(f"pool-{start // _POOL}", in_order, questions)


def lme_s_lite(samples: Sequence[Raw]) -> Iterator[Conversation]:
    """Read LongMemEval-S: a memory for each question, only what the user said."""
    for sample in samples:
        sessions = []
        for session in _lme_sessions(sample):
            said = [turn for turn in session.turns if turn.speaker == "user"]
            if said:
                sessions.append(replace(session, turns=said))
        sessions.sort(key=lambda session: session.date or "")
        yield Conversation(sample["question_id"], sessions, [_lme_question(sample, sessions)])


def _lme_sessions(sample: Raw) -> list[Session]:
    found = {}
    keys = ("haystack_session_ids", "haystack_dates", "haystack_sessions")
    for name, date, said in zip(*(sample[key] for key in keys), strict=True):
        moment = _lme_date(date)
        turns = [
            Turn(f"{name}#{place}", turn["role"], turn["content"], moment)
            for place, turn in enumerate(said)
            if turn["content"].strip()
        ]
        if turns:
            found[name] = Session(name, moment, turns)
    return list(found.values())


def _lme_question(sample: Raw, sessions: Sequence[Session]) -> Question:
    known = {turn.id for session in sessions for turn in session.turns}
    marked = frozenset(
        f"{name}#{place}"
        for name, said in zip(sample["haystack_session_ids"], sample["haystack_sessions"], strict=True)
        for place, turn in enumerate(said)
        if turn.get("has_answer")
    )
    is_answerable = not sample["question_id"].endswith("_abs")
    category = sample["question_type"] if is_answerable else "abstention"
    evidence = marked & known if is_answerable else frozenset[str]()
    now = _lme_date(sample["question_date"])
    return Question(sample["question_id"], sample["question"], category, evidence, now, bool(evidence))


def _lme_date(text: str) -> str:
    """Read `2023/05/20 (Sat) 02:21`."""
    return datetime.strptime(re.sub(r"\(\w+\) ?", "", text), "%Y/%m/%d %H:%M").isoformat()


def _line(conversation: Conversation) -> str:
    raw = asdict(conversation)
    for question in raw["questions"]:
        question["evidence"] = sorted(question["evidence"])
    return json.dumps(raw, ensure_ascii=False)


_CONVERTERS: Mapping[str, Callable[[Sequence[Raw]], Iterator[Conversation]]] = {
    "locomo": locomo,
    "lme-pool": lme_pool,
    "lme-s-lite": lme_s_lite,
}


if __name__ == "__main__":
    sys.exit(main())
