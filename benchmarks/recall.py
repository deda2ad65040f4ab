"""Score recall on public conversations: `python -m benchmarks.recall --data FOLDER`.

Each conversation becomes a home of its own and is asked its questions (`kept.py`); what is found is compared
with the turns that hold the answer. `--ablate` says what each group of signals is worth, `--unanswerable` how
often a question without an answer in memory gets a hit, and what the threshold against that costs.

How to make the folder: docs/benchmarks.md.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

from benchmarks import recall_page, signals, unanswerable
from benchmarks.conversations import CHAT, Conversation, mean, names, read, score
from benchmarks.kept import THRESHOLD, kept
from benchmarks.measure import Times
from benchmarks.page import PAGE, write_section
from benchmarks.recall_page import COLUMNS, Result
from hermes_agent.text.kinds import asked_things
from tests import counts

_DATA = Path("../shared/bench/data")
_DEPTH = 50
ASKS_FOR_A_KIND = "asks for a kind"
"""The questions that name a kind of thing, where what was said names the thing."""
_ALL = 30_000
"""Every message a question is compared with: without a signal any of them may become the best."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every set, or one, and print the tables."""
    options = _read(arguments)
    found = names(options.data)
    if not found:
        print(f"No conversations in {options.data}; docs/benchmarks.md says how to make them.", file=sys.stderr)
        return 1
    chosen = options.sets or found
    if options.ablate:
        figures, section = _ablate(options, chosen), "recall signals"
    elif options.unanswerable:
        figures, section = _unanswerable(options, chosen), "recall unanswerable"
    else:
        figures, section = _score(options, chosen), f"recall {options.embedder}"
    data, text = figures
    if options.json is not None:
        options.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if options.write_docs:
        write_section(PAGE, section, text)
    return 0


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    parser.add_argument("--data", type=Path, default=_DATA, metavar="FOLDER", help="folder with NAME.jsonl.gz")
    parser.add_argument("--embedder", choices=("local", "minilm", "none"), default="local")
    parser.add_argument("--set", dest="sets", action="append", metavar="NAME", help="only this set; repeatable")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to this file")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--without", default="", metavar="SIGNALS", help="signals or groups, with commas")
    what.add_argument("--ablate", action="store_true", help="leave out one group of signals after the other")
    what.add_argument("--unanswerable", action="store_true", help="ask what memory cannot answer, too")
    options = parser.parse_args(arguments)
    try:
        options.without = signals.chosen(options.without)
    except ValueError as error:
        parser.error(str(error))
    unknown = [name for name in options.sets or () if name not in names(options.data)]
    if unknown:
        parser.error(f"{options.data} has no set {', '.join(unknown)}")
    if options.write_docs and options.without:
        parser.error("what was measured without some signals is not for the docs; --ablate is")
    return options


def _read_set(folder: Path, name: str) -> list[Conversation]:
    conversations = list(read(folder, name))
    if not any(conversation.scored for conversation in conversations):
        sys.exit(f"{name} has no question that can be scored")
    return conversations


Figures = tuple[dict[str, object], str]
"""What was measured, as data and as a section of the docs."""


def _score(options: argparse.Namespace, chosen: Sequence[str]) -> Figures:
    results = {}
    for name in chosen:
        result = measure(_read_set(options.data, name), options.embedder, options.without)
        results[name] = result
        print(f"{name}, {options.embedder}\n{recall_page.by_category(result)}")
        print(f"{json.dumps(result.data()['speed'])}\n", flush=True)
        if options.write_docs:
            for column in COLUMNS:
                counts.record(f"recall.{options.embedder}.{name}.{column}", result.figure(column))
    data: dict[str, object] = {name: result.data() for name, result in results.items()}
    return data, recall_page.scores(options.embedder, results)


def measure(conversations: Sequence[Conversation], embedder: str, without: Collection[str] = ()) -> Result:
    """Keep each conversation and ask its questions."""
    turns, sessions = defaultdict(list), defaultdict(list)
    milliseconds, turn_count, seconds = [], 0, 0.0
    for conversation in conversations:
        with kept(conversation, embedder) as memory:
            turn_count += len(memory.turn_of)
            seconds += memory.seconds
            for question in conversation.scored:
                answer = memory.ask(question.text, question.now, _ALL if without else _DEPTH)
                milliseconds.append(answer.milliseconds)
                ranked = answer.turns(without)[:_DEPTH]
                gold = frozenset(conversation.session_of[turn] for turn in question.evidence)
                for category in ("all", question.category, *_classes(question.text)):
                    turns[category].append(score(ranked, question.evidence))
                    sessions[category].append(score([conversation.session_of[turn] for turn in ranked], gold))
    return Result(turns, sessions, Times(tuple(milliseconds)), turn_count / seconds)


def _classes(question: str) -> Sequence[str]:
    """Name the further rows of the table that a question counts in."""
    return (ASKS_FOR_A_KIND,) if asked_things(question) else ()


def _ablate(options: argparse.Namespace, chosen: Sequence[str]) -> Figures:
    recalls, kinds = {}, {}
    for name in chosen:
        conversations = _read_set(options.data, name)
        recalls[name] = recall_without(conversations, options.embedder)
        is_chat = conversations[0].sessions[0].turns[0].speaker in CHAT
        kinds[name] = "assistant" if is_chat else "people"
        print(f"{name}: {json.dumps(recalls[name])}", flush=True)
    text = recall_page.worth(options.embedder, recalls, kinds)
    print(text)
    return dict(recalls), text


def recall_without(conversations: Sequence[Conversation], embedder: str) -> dict[str, float]:
    """Return the turn recall@10 without each group of signals that counts here, and without nothing."""
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    for conversation in conversations:
        with kept(conversation, embedder) as memory:
            for question in conversation.scored:
                answer = memory.ask(question.text, question.now, _ALL)
                weighed = frozenset(signal for _, hit in answer.hits[:1] for signal in hit.contributions)
                for group, members in signals.left_out(weighed).items():
                    rows[group].append(score(answer.turns(members)[:_DEPTH], question.evidence))
    return {group: mean(found)["recall@10"] for group, found in rows.items()}


def _unanswerable(options: argparse.Namespace, chosen: Sequence[str]) -> Figures:
    found = {}
    for name in chosen:
        found[name] = one = unanswerable.measure(_read_set(options.data, name), options.embedder)
        print(recall_page.thresholds(options.embedder, {name: one}, THRESHOLD), flush=True)
        if options.write_docs:
            for kind in one.is_hit:
                counts.record(f"recall.{name}.unanswerable.{kind}", 100 * (one.share(kind) or 0.0))
            counts.record(f"recall.{name}.threshold.cost", 100 * one.cost)
    data: dict[str, object] = {
        name: {"cost": one.cost, **{kind: one.share(kind) for kind in one.is_hit}} for name, one in found.items()
    }
    return data, recall_page.thresholds(options.embedder, found, THRESHOLD)


if __name__ == "__main__":
    sys.exit(main())
