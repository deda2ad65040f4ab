"""Stands for ByteRover's `brv`: speaks the JSON that version 3.14.0 speaks, and keeps a tree of files.

A test puts it under the name `brv` into a folder of its own; `BRV_PLAY` says what goes wrong. As the real one it
ends with 0 when it failed, and prints several lines when it curates.
"""

import hashlib
import json
import os
import re
import sys
import time
from pathlib import Path

TREE = Path.cwd() / ".brv" / "context-tree"
GARBAGE = {
    "page": "<html>Welcome to the hotel</html>",
    "list": "[1, 2, 3]",
    "half": '{"command":"search","data":{"results":[{"exc',
    "types": '{"command":"x","data":{"results":7,"result":7,"status":"completed","changes":7},"success":true}',
    "keys": '{"command":"x","data":{"unexpected":1},"success":true}',
    "nothing": "",
}


def say(command: str, data: object, success: bool = True) -> None:
    told = {"command": command, "data": data, "success": success, "timestamp": "2026-11-18T09:20:58.476Z"}
    sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def curate(text: str) -> None:
    say("curate", {"event": "thinking", "taskId": "t"})
    if os.environ.get("BRV_PLAY") == "killed":
        os.kill(os.getpid(), 9)
    done: dict[str, object] = {
        "event": "completed",
        "message": "Context curated successfully",
        "status": "completed",
    }
    if os.environ.get("BRV_PLAY") != "plain answer":
        path = TREE / "people" / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        changed = "updated" if path.exists() else "created"
        summary = " ".join(text.split())
        front = f"---\ntitle: Told\nsummary: {summary}\ntags: []\nupdatedAt: '2026-11-18T09:20:59.077Z'\n---\n"
        path.write_text(f"{front}## Reason\ntold\n\n## Raw Concept\n{text}\n", encoding="utf-8")
        path.with_suffix(".abstract.md").write_text("An abstract.", encoding="utf-8")
        done["changes"] = {"created": [], "updated": [], changed: [str(path)]}
    say("curate", done)


def found(query: str) -> list[dict[str, object]]:
    words = set(re.findall(r"\w+", query.lower()))
    files = [path for path in sorted(TREE.rglob("*.md")) if not path.name.endswith(".abstract.md")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    return [
        {"excerpt": text, "path": path.relative_to(TREE).as_posix(), "score": 0.71, "title": path.stem}
        for path, text in texts.items()
        if len(words & set(re.findall(r"\w+", text.lower()))) > 1
    ]


def main() -> None:
    verb, *rest = sys.argv[1:]
    text = rest[rest.index("--") + 1] if "--" in rest else ""
    play = os.environ.get("BRV_PLAY", "")
    if play == "environment":
        Path("environment.json").write_text(json.dumps(dict(os.environ)), encoding="utf-8")
    if play == "slow":
        time.sleep(600)
    if play in GARBAGE:
        sys.stdout.write(GARBAGE[play])
    elif play == "no provider":
        say(
            verb,
            {"error": "No provider connected. Run brv providers connect byterover.", "status": "error"},
            False,
        )
    elif play == "wrong key":
        say(verb, {"error": f"Invalid API key {os.environ['BRV_API_KEY']}", "status": "error"}, False)
    elif play == "down":
        say(verb, {"error": "connect ECONNREFUSED 127.0.0.1:51355", "status": "error"}, False)
    elif play == "crash":
        sys.stderr.write("TypeError: cannot read properties of undefined\n")
        sys.exit(1)
    elif verb == "curate":
        curate(text)
    elif verb == "search":
        results = found(text)
        say(verb, {"results": results, "totalFound": len(results), "status": "completed"})
    elif verb == "query":
        results = found(text)
        told = (
            "\n".join(str(one["excerpt"]) for one in results)
            or f'**Summary**: No matching knowledge found for "{text}".'
        )
        say(verb, {"event": "completed", "matchedDocs": results, "result": told, "status": "completed"})
    elif verb == "status":
        say(verb, {"authStatus": "not_logged_in", "contextTreeStatus": "no_vc", "cliVersion": "3.14.0"})


if __name__ == "__main__":
    main()
