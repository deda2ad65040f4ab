"""Measure every page and API route in a large memory: `python -m benchmarks.pages`.

The routes are those of the site: what is added to it is measured without a line here. A route with a gap in its
path (`/facts/{number}`) is asked for what the others link to, or list; one that has nothing to show is a failure.
What is measured is the server's own time,
in this process: from the request to the last byte of the answer, without a network. A page that starts long work
and is asked for again (`Refresh`) until that is there has the time of its answers, and beside it that of the work.

The memory is that of `benchmarks/scale.py`, copied to its size, with facts, beside the home the browser tests look
at, in which a little of everything happened. `--folder DIR` keeps it.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from urllib.parse import urlencode

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from benchmarks.exchanges import YEARS
from benchmarks.grown import grow, last
from benchmarks.measure import Times, since
from benchmarks.page import PAGE, measured_on, table, write_section
from benchmarks.scale import fill
from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.daemon.serving import settle
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import worker
from hermes_agent.memory import facts, skills, tokens
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import journal
from hermes_agent.web.callers import cookie_at
from hermes_agent.web.site import build
from tests import counts
from tests.browser import home as a_little_of_everything

_EPISODES = 100_000
_FILLED = 10_000
_FACTS = 2_000
_TIMES = 20
_ADDRESS = "http://127.0.0.1"
_PROMISED_MS = 150
_AGAIN_SECONDS = 0.1
_LEFT_OUT = re.compile(r"^/(static|login|health|mcp|api/openapi)|stream|export|download|^/api/chat/")
"""What has no page, never ends, is there while an answer is written, or is the whole memory by its nature."""
_QUESTION = {
    **dict.fromkeys(("q", "query", "text", "task", "question", "about", "value"), "library"),
    "from": "yesterday",
    "what": "about",
    "target": "facts",
}
"""What a route gets that wants something; each takes what it knows."""
_SEARCHED = {
    **{"/search": "q", "/sessions": "q", "/journal": "about", "/facts": "about", "/context": "task"},
    **{"/api/events": "about", "/api/facts": "about"},
}
"""Routes that also look for something, and what they call it."""
_ALSO_SHOWN = (
    *("/api/facts/1/source", "/api/messages/1", "/api/notes/memory", "/api/notes/memory/history"),
    *("/api/skills/release-notes/diff", "/skills/release-notes/remove?file=templates/release.md"),
)
"""Addresses of one thing that no page links to, and no list names."""
_WORD = "grioprer"
"""A word of the memory's own, often said."""


@dataclass(frozen=True)
class Route:
    """A route that was measured, and with which address."""

    template: str
    asked: str
    status: int
    times: Times
    worked: Times
    """The same, of the processor: on a busy machine it says more."""
    there_seconds: float | None = None
    """How long it took until the page had all it shows, where that is not in the answer."""

    @property
    def is_api(self) -> bool:
        return self.template.startswith("/api/")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the memory, ask every route, print what it took; fail if one is slower than promised."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--episodes", type=int, default=_EPISODES)
    parser.add_argument("--folder", type=Path, metavar="DIR", help="keep the home here, use one that is")
    parser.add_argument("--times", type=int, default=_TIMES, help="how often each route is asked")
    parser.add_argument("--write-docs", action="store_true", help="write the section of docs/benchmarks.md")
    options = parser.parse_args(arguments)
    os.environ["HERMES_WEB_REQUESTS_PER_MINUTE"] = "0"  # a refusal is no page
    with TemporaryDirectory(prefix="hermes-bench-") as temporary:
        home = paths.home_at(options.folder or temporary)
        with closing(App(home, load(home))) as app:
            found = measured(app, options.times, made(home, app, options.episodes))
    text = report(found)
    print(text)
    if options.write_docs:
        about = f"{options.episodes:,} episodes, each route {options.times} times. {measured_on()}."
        write_section(PAGE, "pages", f"{about}\n\n{text}")
    _record(found, options.times)
    return 0 if not late(found) and all(one.status < 400 for one in found) else 1


def report(found: Sequence[Route]) -> str:
    """Write the figures as a table, and before it which routes are slower than promised."""
    missed = ", ".join(f"`{one.template}` ({one.times.p95:.0f} ms)" for one in late(found))
    kept = f"Slower than {_PROMISED_MS} ms: {missed}." if missed else f"Every route is below {_PROMISED_MS} ms."
    rows = [
        [
            f"`{one.template}`",
            str(one.status),
            f"{one.times.p50:.0f}",
            f"{one.times.p95:.0f}",
            f"{one.worked.p50:.0f}",
            "" if one.there_seconds is None else f"{one.there_seconds:.0f}",
        ]
        for one in found
    ]
    head = ["route", "status", "p50 ms", "p95 ms", "of the processor, p50 ms", "until all is there, s"]
    return f"{kept}\n\n{table(head, rows)}"


def late(found: Sequence[Route]) -> list[Route]:
    """Return the routes that are slower than promised."""
    return [one for one in found if one.times.p95 >= _PROMISED_MS]


def _record(found: Sequence[Route], times: int) -> None:
    counts.record("pages.routes", len(found))
    counts.record("pages.times", times)
    counts.record("pages.failed", sum(1 for one in found if one.status >= 400))
    counts.record("pages.slowest.page.p95_ms", max(one.times.p95 for one in found if not one.is_api))
    counts.record("pages.slowest.api.p95_ms", max(one.times.p95 for one in found if one.is_api))


def made(home: Home, app: App, count: int) -> list[str]:
    """Fill the home unless that was done; return addresses of pages that show one thing."""
    done = home.root / "built.json"
    if not done.exists():
        paths.ensure(home)
        filled = min(count, _FILLED)
        print(f"{count:,} episodes: a few minutes to build", file=sys.stderr)
        a_little_of_everything.fill(app)
        skills.write_file(app.store, app.home.skills, "release-notes", "templates/release.md", "# Release\n")
        shown = [*a_little_of_everything.pages(app).values(), *_ALSO_SHOWN]
        before = last(app.store)
        fill(app.store, filled)
        grow(app.store, count // filled - 1, after=before)
        for number in range(min(_FACTS, count)):
            facts.add(app.store, f"Shelf {number} of the library is about subject {number * 7}")
        _journal(app, count)
        for _ in worker.run_due(app.store, every_handler(app)):
            pass
        done.write_text(json.dumps(shown), encoding="utf-8")
    return [str(address) for address in json.loads(done.read_text(encoding="utf-8"))]


def _journal(app: App, count: int) -> None:
    """Journal a turn for each exchange, as if they had been held with the agent, the last of them now."""
    text = "“Where did we put subject {} of the library?” was answered."
    now, apart = clock.now(), int(YEARS.total_seconds()) * clock.MICROSECONDS // count
    with app.store.write() as connection:
        for number in range(count):
            happened_at = now - (count - number) * apart
            entry = NewEntry("turn.answered", f"turn {number}", text.format(number), happened_at=happened_at)
            journal.write(connection, entry)


def measured(app: App, times: int, shown: Sequence[str] = ()) -> list[Route]:
    """Ask every route that can be looked at, the slowest last; `shown` are addresses of what nothing links to."""
    site = build(app)
    made_token = tokens.log_in(app.store, tokens.create_link(app.store).shown, "a benchmark")
    assert made_token is not None
    client = TestClient(site, base_url=_ADDRESS, headers={"Accept": "text/html"}, follow_redirects=False)
    client.cookies.set(cookie_at(None), made_token.shown)
    settle()
    addresses = list(_addresses(site, client, shown))
    addresses += [(f"{page}?{name}=", f"{page}?{name}={_WORD}") for page, name in _SEARCHED.items()]
    found = [_measure(client, *one, times) for one in addresses]
    return sorted(found, key=lambda one: one.times.p95)


def templates(site: FastAPI) -> list[str]:
    """Return the paths of all routes that only look."""
    contexts = iter_route_contexts(site.routes)
    looked = {one.path for one in contexts if one.path is not None and "GET" in (one.methods or ())}
    return sorted(path for path in looked if not _LEFT_OUT.search(path))


def _addresses(site: FastAPI, client: TestClient, shown: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pair every route with an address to ask it by; those with a gap get what the others link to or list."""
    every = templates(site)
    whole = [path for path in every if "{" not in path]
    known: dict[str, str] = {path: path for path in whole}
    for link in shown:
        place, asked = re.split("[?#]", link)[0], link.partition("#")[0]
        known |= {one: asked for one in every if one not in known and _pattern(one).fullmatch(place)}
    # Twice: what is only linked to from one of something is found when that one is read.
    for _ in range(2):
        for path in list(known.values()):
            for link in _links(client, path):
                place, _, asked = link.partition("?")
                if asked and place in whole and client.get(place).status_code == 404:
                    known[place] = link
                for template in every:
                    if template not in known and _pattern(template).fullmatch(place):
                        known[template] = place
    for template in every:
        if template not in known:
            print(f"{template}: nothing links to it", file=sys.stderr)
        yield template, known.get(template, template)


def _links(client: TestClient, path: str) -> set[str]:
    answer = client.get(path)
    if answer.headers.get("content-type", "").startswith("text/html"):
        return {unescape(link) for link in re.findall(r'href="(/[^"#]*)', answer.text)}
    if answer.headers.get("content-type", "").startswith("application/json"):
        return {f"{path}/{one}" for one in _ids(answer.json())} | {
            f"{path}/{one}/{rest}" for one in _ids(answer.json()) for rest in ("history", "messages", "versions")
        }
    return set()


def _ids(answer: object) -> Iterator[str]:
    items = answer.get("items") if isinstance(answer, Mapping) else None
    for item in (items or [])[:1] if isinstance(items, list) else []:
        if isinstance(item, Mapping):
            yield from [str(item[key]) for key in ("id", "name", "uid") if key in item][:1]


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(template)))


def _measure(client: TestClient, template: str, asked: str, times: int) -> Route:
    answer = client.get(asked)
    parameters: Mapping[str, str] = {}
    if answer.status_code == 422:  # something must be asked for
        parameters = _QUESTION
    address = f"{asked}?{urlencode(parameters)}" if parameters else asked
    answer = client.get(address)
    there_seconds = _followed(client, address) if "refresh" in answer.headers else None
    taken, worked = [], []
    for _ in range(times):
        begun, busy = perf_counter(), process_time()
        client.get(address)
        taken.append(since(begun))
        worked.append((process_time() - busy) * 1_000)
    if there_seconds is not None:
        _followed(client, address)  # what was begun is over before the next route is measured
    return Route(template, asked, answer.status_code, Times(tuple(taken)), Times(tuple(worked)), there_seconds)


def _followed(client: TestClient, address: str) -> float:
    """Ask for a page until it has all it shows; return the seconds."""
    begun = perf_counter()
    while "refresh" in client.get(address).headers:
        sleep(_AGAIN_SECONDS)
    return perf_counter() - begun


if __name__ == "__main__":
    sys.exit(main())
