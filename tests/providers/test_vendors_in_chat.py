"""Vendors as a user meets them: chosen by one setting, told of each turn, and never in the way."""

import json

import pytest

from tests.conftest import Hermes
from tests.providers import faulty_rest, hindsight_server, mem0_server
from tests.providers.faulty_rest import GARBAGE, Service
from tests.providers.hindsight_server import HindsightServer
from tests.providers.honcho_server import HonchoServer
from tests.providers.mem0_server import Mem0Server
from tests.providers.retaindb_server import RetainDBServer
from tests.providers.supermemory_server import SupermemoryServer
from tests.providers.vendor_server import HTML, VendorServer, serving

_VENDORS = [("honcho", HonchoServer), ("retaindb", RetainDBServer), ("supermemory", SupermemoryServer)]


def _has_come(server: VendorServer, words: str) -> bool:
    return any(words in str(request.json) for request in server.requests)


@pytest.mark.parametrize(("name", "kind"), _VENDORS, ids=[name for name, _ in _VENDORS])
def test_a_turn_reaches_the_vendor_and_after_trouble_too(
    name: str, kind: type[VendorServer], hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(kind()) as server:
        monkeypatch.setenv(f"{name.upper()}_API_KEY", server.key)
        monkeypatch.setenv(f"{name.upper()}_BASE_URL", server.url)
        assert hermes("config", "set", "memory.provider", name).exit_code == 0
        assert hermes("config", "set", "memory.providerSeconds", "20").exit_code == 0
        said = hermes("chat", "-q", "I live in Oslo.")
        assert said.exit_code == 0 and "external memory" not in said.stderr
        assert _has_come(server, "I live in Oslo.") and _has_come(server, "Lives in Oslo")

        server.trouble = HTML
        said = hermes("chat", "-q", "My bike is called Kasimir.")
        assert said.exit_code == 0 and said.stderr.count("something else than it should") == 1
        assert server.key not in said.stdout + said.stderr

        server.trouble = None
        before = len(server.requests)
        (job,) = [one for one in json.loads(hermes("jobs", "list", "--json").stdout) if one["kind"] == "deliver"][
            :1
        ]
        assert hermes("jobs", "retry", str(job["id"])).exit_code == 0
        assert hermes("jobs", "run").exit_code == 0
        assert any("My bike is called Kasimir." in str(one.json) for one in server.requests[before:])


_OTHERS = [
    ("hindsight", HindsightServer, "HINDSIGHT_API_URL", hindsight_server.KEY),
    ("mem0", Mem0Server, "MEM0_HOST", mem0_server.KEY),
]


@pytest.mark.parametrize(("name", "kind", "address", "key"), _OTHERS, ids=[one[0] for one in _OTHERS])
def test_a_turn_waits_for_a_vendor_in_trouble(
    name: str, kind: type[Service], address: str, key: str, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with faulty_rest.serving(kind()) as server:
        monkeypatch.setenv(f"{name.upper()}_API_KEY", key)
        monkeypatch.setenv(address, server.url)
        assert hermes("config", "set", "memory.provider", name).exit_code == 0
        assert hermes("config", "set", "memory.providerSeconds", "20").exit_code == 0
        said = hermes("chat", "-q", "I live in Oslo.")
        assert said.exit_code == 0 and "external memory" not in said.stderr
        assert any("I live in Oslo." in str(one.json) for one in server.asked)

        server.faults[:] = [GARBAGE[0]] * 20
        said = hermes("chat", "-q", "My bike is called Kasimir.")
        assert said.exit_code == 0 and said.stderr.count("something else than it should") == 1
        assert key not in said.stdout + said.stderr

        server.faults.clear()
        before = len(server.asked)
        jobs = [one for one in json.loads(hermes("jobs", "list", "--json").stdout) if one["kind"] == "deliver"]
        assert hermes("jobs", "retry", str(jobs[0]["id"])).exit_code == 0
        assert hermes("jobs", "run").exit_code == 0
        assert any("My bike is called Kasimir." in str(one.json) for one in server.asked[before:])
