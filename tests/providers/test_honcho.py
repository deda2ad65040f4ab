"""Honcho, with its official client against a contract server on loopback."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.providers import choose
from hermes_agent.providers.honcho import Honcho
from hermes_agent.providers.provider import MemoryProvider, Surroundings
from hermes_agent.providers.watched import Caller, Watched
from tests.providers.honcho_server import HonchoServer
from tests.providers.vendor_server import DOWN, GARBAGE, Hang, Trouble, serving

TEA = "Mara drinks green tea in the morning."
_LONG = "Zeile mit Ümläuten, 日本語 und 🍵. " * 4_000


@pytest.fixture
def server() -> Iterator[HonchoServer]:
    with serving(HonchoServer()) as running:
        yield running


def _surroundings(server: HonchoServer, home: Home, **options: object) -> Surroundings:
    variables = {"HONCHO_API_KEY": server.key, "HONCHO_BASE_URL": server.url}
    return Surroundings(home.root, options=options, variables=variables)


Make = Callable[..., Honcho]


@pytest.fixture
def make(server: HonchoServer, own_home: Home) -> Iterator[Make]:
    """Make providers with options, and shut them down at the end."""
    made: list[Honcho] = []

    def one(surroundings: Surroundings | None = None, **options: object) -> Honcho:
        made.append(Honcho(surroundings or _surroundings(server, own_home, **options)))
        return made[-1]

    yield one
    for provider in made:
        provider.shutdown()


@pytest.fixture
def honcho(make: Make, own_home: Home) -> Honcho:
    provider = make()
    provider.initialize("s1", hermes_home=str(own_home.root), platform="cli")
    return provider


def _call(provider: MemoryProvider, tool: str, **args: object) -> dict[str, object]:
    answer = json.loads(provider.handle_tool_call(tool, args))
    assert isinstance(answer, dict)
    return answer


def test_it_is_found_by_its_name(server: HonchoServer, own_home: Home) -> None:
    provider = choose.make("honcho", _surroundings(server, own_home))
    assert provider.name == "honcho" and provider.is_available()
    assert server.requests == []


def test_without_a_key_the_public_service_is_not_available(own_home: Home) -> None:
    assert not Honcho(Surroundings(own_home.root)).is_available()


def test_what_is_remembered_is_found_and_once_forgotten_is_gone(honcho: Honcho) -> None:
    kept = honcho.remember(TEA)
    assert honcho.prefetch("What tea does Mara like?") == f"2026-11-01: {TEA}"
    assert [(one.id, one.text) for one in honcho.memories()] == [(kept, TEA)]
    honcho.forget(kept)
    honcho.forget(kept)
    assert honcho.prefetch("What tea does Mara like?") == ""
    assert list(honcho.memories()) == []


def test_remembering_the_same_twice_keeps_it_once(honcho: Honcho) -> None:
    assert honcho.remember(TEA) == honcho.remember(TEA)


def test_all_memories_are_listed_page_by_page(honcho: Honcho) -> None:
    texts = [f"Fact number {count}." for count in range(230)]
    for text in texts:
        honcho.conclude(text, "")
    assert sorted(one.text for one in honcho.memories()) == sorted(texts)


def test_a_turn_goes_to_the_session_of_its_id_with_both_peers(honcho: Honcho, server: HonchoServer) -> None:
    honcho.sync_turn("I moved to Oslo.", "How is Oslo?", session_id="20261115_181123_b7faba")
    said = [(one.session_id, one.peer_id, one.content) for one in server.messages]
    assert said == [
        ("20261115_181123_b7faba", "user", "I moved to Oslo."),
        ("20261115_181123_b7faba", "hermes", "How is Oslo?"),
    ]
    peers = server.sessions["20261115_181123_b7faba"].peers
    assert peers is not None and set(peers) == {"user", "hermes"}
    assert all(one.observe_others for one in peers.values())


def test_the_same_turn_twice_is_taken_once(honcho: Honcho, server: HonchoServer, make: Make) -> None:
    honcho.sync_turn("I moved to Oslo.", "How is Oslo?", session_id="s1")
    honcho.sync_turn("I moved to Oslo.", "How is Oslo?", session_id="s1")
    make().sync_turn("I moved to Oslo.", "How is Oslo?", session_id="s1")
    assert len(server.messages) == 2
    honcho.sync_turn("I moved to Oslo.", "How is Oslo?", session_id="s2")
    assert len(server.messages) == 4


def test_a_turn_that_comes_days_later_has_its_own_time_and_is_told_from_one_of_the_same_words(
    honcho: Honcho, server: HonchoServer
) -> None:
    for day in (1, 1, 2):
        messages = [{"role": "user", "content": "Yes.", "timestamp": f"2026-11-0{day}T10:00:00Z"}]
        honcho.sync_turn("Yes.", "", session_id="s1", messages=messages)
    sent = [one.json["messages"][0]["created_at"][:10] for one in server.asked("POST", "/messages")]
    assert sent == ["2026-11-01", "2026-11-02"]


def test_a_turn_that_was_taken_in_part_is_completed(honcho: Honcho, server: HonchoServer) -> None:
    honcho.sync_turn("Hello.", _LONG, session_id="s1")
    whole = [one.content for one in server.messages]
    del server.messages[2:]
    honcho.sync_turn("Hello.", _LONG, session_id="s1")
    assert [one.content for one in server.messages] == whole


def test_very_long_and_odd_texts_arrive_whole(honcho: Honcho, server: HonchoServer) -> None:
    honcho.sync_turn(_LONG, "a\0b \udc80 c", session_id="s1")
    user = "".join(one.content for one in server.messages if one.peer_id == "user")
    assert user == _LONG.strip()
    assert [one.content for one in server.messages if one.peer_id == "hermes"] == ["ab ? c"]
    assert honcho.prefetch(_LONG) == ""


def test_a_turn_of_more_than_a_hundred_pieces_arrives_in_order(server: HonchoServer, make: Make) -> None:
    provider = make(messageMaxChars=100)
    text = "".join(f"{count:06d}," for count in range(3_000))
    provider.sync_turn(text, "Yes.", session_id="s1")
    assert "".join(one.content for one in server.messages) == text + "Yes."


def test_an_empty_query_asks_nobody(honcho: Honcho, server: HonchoServer) -> None:
    assert honcho.prefetch("  \n") == "" and server.requests == []


def test_a_note_about_the_user_becomes_a_conclusion_and_follows_it(honcho: Honcho, server: HonchoServer) -> None:
    honcho.on_memory_write("add", "user", TEA)
    honcho.on_memory_write("add", "user", TEA)
    honcho.on_memory_write("add", "memory", "The build takes nine minutes.")
    assert [one.content for one in server.conclusions] == [TEA]
    honcho.on_memory_write("replace", "user", "Mara drinks coffee.", {"old_text": TEA})
    assert [one.content for one in server.conclusions] == ["Mara drinks coffee."]
    honcho.on_memory_write("remove", "user", "", {"old_text": "Mara drinks coffee."})
    assert server.conclusions == []


def test_a_note_of_any_length_is_taken(honcho: Honcho, server: HonchoServer) -> None:
    honcho.on_memory_write("add", "user", _LONG)
    honcho.on_memory_write("remove", "user", "", {"old_text": _LONG})
    assert server.conclusions == []


def test_the_card_is_asked_for_once_in_a_conversation(honcho: Honcho, server: HonchoServer) -> None:
    _call(honcho, "honcho_profile", card=["Name: Mara"])
    for session in ("s1", "s1", "s2"):
        assert honcho.prefetch("tea", session_id=session) == "Name: Mara"
    assert len(server.asked("GET", "/card")) == 2
    _call(honcho, "honcho_profile", card=["Name: Maria"])
    assert honcho.prefetch("tea", session_id="s2") == "Name: Maria"


def test_the_four_tools_and_the_later_name(honcho: Honcho, server: HonchoServer) -> None:
    names = [schema["name"] for schema in honcho.get_tool_schemas()]
    assert names == ["honcho_profile", "honcho_search", "honcho_context", "honcho_conclude"]
    kept = _call(honcho, "honcho_conclude", conclusion=TEA)["kept"]
    assert _call(honcho, "honcho_profile", card=["Name: Mara", " "]) == {"card": ["Name: Mara"]}
    assert _call(honcho, "honcho_profile") == {"card": ["Name: Mara"]}
    assert _call(honcho, "honcho_profile", peer="ai") == {"card": []}
    honcho.sync_turn("Is there tea?", "Yes.", session_id="s1")
    assert _call(honcho, "honcho_search", query="tea") == {
        "results": [
            {"id": kept, "when": "2026-11-01", "conclusion": TEA},
            {"session": "s1", "when": "2026-11-02", "said": "Is there tea?"},
        ],
        "left_out": 0,
    }
    for name in ("honcho_context", "honcho_reasoning"):
        assert _call(honcho, name, query="Which tea?", reasoning_level="high") == {"answer": f"I know this: {TEA}"}
    assert server.asked("POST", "/chat")[0].json["reasoning_level"] == "high"
    assert _call(honcho, "honcho_context", query="Where?") == {"answer": None}
    listed = {"conclusions": [{"id": kept, "when": "2026-11-01", "conclusion": TEA}]}
    assert _call(honcho, "honcho_conclude", list=True) == listed
    assert _call(honcho, "honcho_conclude", list=True, query="coffee") == {"conclusions": []}
    assert _call(honcho, "honcho_conclude", delete_id=kept) == {"deleted": kept}
    assert honcho.prefetch("Mara") == "Name: Mara"


def test_a_search_returns_no_more_than_was_asked_for(honcho: Honcho) -> None:
    for count in range(20):
        honcho.conclude(f"tea {count} " + "x" * 500, "")
    short, long = (_call(honcho, "honcho_search", query="tea", max_tokens=tokens) for tokens in (400, 99_999))
    assert len(json.dumps(short)) < 2_400 < len(json.dumps(long)) < 9_000


@pytest.mark.parametrize(
    "args",
    [
        {"tool": "honcho_search"},
        {"tool": "honcho_search", "query": 5},
        {"tool": "honcho_search", "query": "x", "max_tokens": "many"},
        {"tool": "honcho_search", "query": "x", "peer": "../sessions"},
        {"tool": "honcho_context", "query": "x", "reasoning_level": "huge"},
        {"tool": "honcho_conclude"},
        {"tool": "honcho_conclude", "conclusion": "x", "list": True},
        {"tool": "honcho_conclude", "delete_id": "../../sessions/s1"},
        {"tool": "honcho_profile", "card": "x"},
        {"tool": "honcho_dream"},
    ],
)
def test_arguments_that_do_not_fit_are_told_to_the_model(
    honcho: Honcho, server: HonchoServer, args: dict[str, object]
) -> None:
    with pytest.raises(ToolError):
        _call(honcho, str(args.pop("tool")), **args)
    assert server.requests == []


def test_in_the_unified_view_the_user_is_asked_about_itself(server: HonchoServer, make: Make) -> None:
    provider = make(observationMode="unified", peerName="mara")
    provider.remember(TEA)
    assert (server.conclusions[0].observer_id, server.conclusions[0].observed_id) == ("mara", "mara")
    assert TEA in provider.prefetch("tea")


def test_recall_modes_switch_off_tools_or_context(server: HonchoServer, make: Make) -> None:
    tools = make(recallMode="tools")
    assert tools.prefetch("tea") == "" and server.requests == [] and tools.system_prompt_block()
    context = make(recallMode="context")
    assert context.get_tool_schemas() == [] and context.system_prompt_block() == ""


def test_messages_stay_here_where_they_are_not_to_be_saved(server: HonchoServer, make: Make) -> None:
    make(saveMessages=False).sync_turn("a", "b", session_id="s1")
    assert server.requests == []


def test_the_file_of_the_public_product_is_read_and_gives_way(
    server: HonchoServer, own_home: Home, make: Make
) -> None:
    own_home.root.mkdir()
    written = {"apiKey": server.key, "baseUrl": server.url, "hosts": {"hermes": {"peerName": "mara"}}}
    (own_home.root / "honcho.json").write_text(json.dumps({**written, "workspace": "old"}))
    provider = make(Surroundings(own_home.root, options={"workspace": "new"}))
    provider.sync_turn("Hi.", "Hello.", session_id="s1")
    assert server.workspace == "new" and "mara" in server.peers


def test_a_file_that_is_no_json_is_refused_by_name(own_home: Home) -> None:
    own_home.root.mkdir()
    (own_home.root / "honcho.json").write_text("{")
    with pytest.raises(ProviderRefused, match=r"honcho\.json"):
        Honcho(Surroundings(own_home.root))


def test_profiles_have_workspaces_and_agents_of_their_own(
    server: HonchoServer, own_home: Home, make: Make
) -> None:
    provider = make(replace(_surroundings(server, own_home), profile="work at home"))
    provider.sync_turn("Hi.", "Hello.", session_id="telegram:dm/42")
    assert server.workspace.startswith("hermes_work-at-home-") and server.workspace in server.peers


def test_a_wrong_key_is_refused_without_repeating_it(server: HonchoServer, own_home: Home, make: Make) -> None:
    variables = {"HONCHO_API_KEY": "secret-but-wrong", "HONCHO_BASE_URL": server.url}
    provider = make(Surroundings(own_home.root, variables=variables))
    with pytest.raises(ProviderRefused, match="does not accept the key") as refused:
        provider.prefetch("tea")
    assert "secret" not in f"{refused.value.message} {refused.value.hint}"


def _everything(honcho: Honcho) -> dict[str, Callable[[], object]]:
    return {
        "prefetch": lambda: honcho.prefetch("tea"),
        "sync_turn": lambda: honcho.sync_turn("a", "b", session_id="s1"),
        "remember": lambda: honcho.remember("something else"),
        "memories": lambda: list(honcho.memories()),
        "profile": lambda: _call(honcho, "honcho_profile"),
        "search": lambda: _call(honcho, "honcho_search", query="tea"),
        "context": lambda: _call(honcho, "honcho_context", query="tea"),
        "conclude": lambda: _call(honcho, "honcho_conclude", conclusion="tea"),
        "write": lambda: honcho.on_memory_write("add", "user", "tea"),
    }


@pytest.mark.parametrize("trouble", [*GARBAGE.values(), *DOWN.values()], ids=[*GARBAGE, *DOWN])
@pytest.mark.parametrize("is_known", [False, True], ids=["first", "later"])
def test_trouble_is_told_as_such_and_never_as_nothing_found(
    server: HonchoServer, make: Make, trouble: Trouble, is_known: bool
) -> None:
    seconds = 0.2 if isinstance(trouble, Hang) else 15
    honcho = make(timeout=seconds)
    if is_known:
        honcho.remember(TEA)
        honcho.sync_turn("before", "it", session_id="s1")
    server.trouble = trouble
    for name, work in _everything(honcho).items():
        # The model behind Honcho may take a minute; that wait is not for a test.
        if not (isinstance(trouble, Hang) and name == "context"):
            with pytest.raises(ProviderDown):
                work()
    server.trouble = None
    honcho.sync_turn("a", "b", session_id="s1")
    assert [one.content for one in server.messages][-2:] == ["a", "b"]


def test_no_server_at_all_is_down(own_home: Home, make: Make) -> None:
    with serving(HonchoServer()) as gone:
        honcho = make(_surroundings(gone, own_home))
    with pytest.raises(ProviderDown, match="cannot be reached"):
        honcho.prefetch("tea")


def test_it_works_behind_the_watch_in_two_threads(server: HonchoServer, own_home: Home) -> None:
    given = _surroundings(server, own_home)
    watched = Watched("honcho", Honcho(given), given)
    turns = [
        threading.Thread(
            target=watched.ask,
            args=(lambda one, at=at: one.sync_turn(f"turn {at}", "Yes.", session_id="s1"), 20, Caller("s1")),
        )
        for at in range(6)
    ]
    for thread in turns:
        thread.start()
    for thread in turns:
        thread.join()
    said = sorted(one.content for one in server.messages if one.peer_id == "user")
    assert said == [f"turn {at}" for at in range(6)]
    assert watched.close(5) is None
