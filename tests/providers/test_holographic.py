"""The holographic memory keeps facts in a file of the home that the public product reads and writes, too."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy
import pytest

from hermes_agent.config.paths import Home
from hermes_agent.errors import ProviderDown, ProviderRefused, ToolError
from hermes_agent.providers import choose
from hermes_agent.providers.holographic import Holographic
from hermes_agent.providers.provider import Kept, Surroundings
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes

DIMENSIONS = 1024
FACTS = (
    "Anna Weber prefers dark mode in VS Code.",
    "Anna Weber lives in Berlin.",
    "Peppi maintains the Atlas backend.",
    "The deploy of Atlas runs every Friday.",
)


@pytest.fixture
def memory(home: Path) -> Holographic:
    made = Holographic(Surroundings(home))
    made.initialize("s1", hermes_home=str(home), platform="cli")
    return made


def use(memory: Holographic, tool: str = "fact_store", **args: Any) -> Any:
    return json.loads(memory.handle_tool_call(tool, args))


def contents(answer: Any) -> list[str]:
    return [fact["content"] for fact in answer["results"]]


def test_it_is_found_by_its_name(home: Path) -> None:
    assert isinstance(choose.make("holographic", Surroundings(home)), Holographic)


def test_what_is_remembered_is_found_and_can_be_forgotten(memory: Holographic) -> None:
    kept = memory.remember("Anna Weber prefers dark mode in VS Code.")
    memory.remember("The tax office opens at nine.")
    [line] = memory.prefetch("which mode does Anna like?").splitlines()
    assert line.endswith("(trust 0.5): Anna Weber prefers dark mode in VS Code.")
    assert Kept(kept, "Anna Weber prefers dark mode in VS Code.") in memory.memories()
    memory.forget(kept)
    memory.forget(kept)
    assert memory.prefetch("which mode does Anna like?") == ""
    assert [one.text for one in memory.memories()] == ["The tax office opens at nine."]


def test_what_is_forgotten_leaves_no_words_in_the_file(memory: Holographic, home: Path) -> None:
    memory.remember("The weather is fine.")
    kept = memory.remember("Xylophonia Quartzmann hides the zweihaender.")
    memory.forget(kept)
    left = b"".join(file.read_bytes() for file in home.glob("memory_store.db*")).lower()
    for word in (b"xylophonia", b"quartzmann", b"zweihaender"):
        assert word not in left
    assert b"weather" in left


def test_the_same_fact_twice_is_one_fact(memory: Holographic) -> None:
    assert memory.remember("Anna lives in Berlin.") == memory.remember("  Anna lives in Berlin. ")
    memory.on_memory_write("add", "user", "Anna lives in Berlin.")
    assert len(list(memory.memories())) == 1


def test_the_notes_are_followed(memory: Holographic) -> None:
    memory.on_memory_write("add", "user", "Likes tea.")
    memory.on_memory_write("add", "memory", "The server is called Orion.")
    for _ in range(2):
        memory.on_memory_write("replace", "user", "Likes coffee.", {"old_text": "Likes tea."})
        memory.on_memory_write("remove", "memory", "", {"old_text": "The server is called Orion."})
    [fact] = use(memory, action="list")["facts"]
    assert (fact["content"], fact["category"]) == ("Likes coffee.", "user_pref")


def test_turns_are_not_kept_and_the_end_of_a_conversation_only_if_wanted(home: Path) -> None:
    said: list[dict[str, Any]] = [
        {"role": "user", "content": "I prefer short answers."},
        {"role": "assistant", "content": "I like that, too, and we decided so."},
        {"role": "user", "content": "We decided to ship on Friday."},
        {"role": "user", "content": "What time is it?"},
        {"role": "user", "content": [{"type": "image"}]},
    ]
    for told, expected in (("false", 0), ("true", 2), (True, 2)):
        memory = Holographic(Surroundings(home, options={"auto_extract": told}))
        memory.sync_turn("I prefer short answers.", "Noted.")
        memory.on_session_end(said)
        assert len(list(memory.memories())) == expected


def test_probe_finds_whatever_names_an_entity_and_nothing_else(memory: Holographic) -> None:
    for fact in FACTS:
        memory.remember(fact)
    assert sorted(contents(use(memory, action="probe", entity="anna weber"))) == sorted(FACTS[:2])
    assert use(memory, action="probe", entity="Nobody At All") == {"results": [], "count": 0}


def test_related_finds_words_as_well_and_reason_needs_all_of_them(memory: Holographic) -> None:
    for fact in FACTS:
        memory.remember(fact)
    assert contents(use(memory, action="related", entity="deploy")) == [FACTS[3]]
    assert contents(use(memory, action="reason", entities=["Atlas", "Peppi"])) == [FACTS[2]]
    assert contents(use(memory, action="reason", entities=["Anna Weber", "Peppi"])) == []


def test_facts_about_the_same_that_say_something_else_are_shown_as_a_pair(memory: Holographic) -> None:
    memory.remember("Anna Weber lives in Berlin.")
    memory.remember("Anna Weber commutes from Berlin to somewhere far away each single day by train.")
    memory.remember("Peppi maintains the backend.")
    [pair] = use(memory, action="contradict")["results"]
    assert {"anna weber", "berlin"} <= set(pair["shared_entities"])


def test_update_remove_list_and_search(memory: Holographic) -> None:
    number = use(memory, action="add", content="Orion is the build server.", category="tool", tags="infra")[
        "fact_id"
    ]
    assert use(memory, action="update", fact_id=number, content="Vega is the build server.", trust_delta=0.9)
    [fact] = use(memory, action="search", query="build server", category="tool")["results"]
    assert (fact["content"], fact["trust"], fact["tags"]) == ("Vega is the build server.", 1.0, "infra")
    assert use(memory, action="probe", entity="Orion")["count"] == 0
    assert use(memory, action="probe", entity="Vega")["count"] == 1
    assert use(memory, action="search", query="build", category="project")["count"] == 0
    assert use(memory, action="remove", fact_id=number) == {"removed": True}
    assert use(memory, action="remove", fact_id=number) == {"removed": False}
    assert use(memory, action="list") == {"facts": [], "count": 0}


def test_feedback_moves_trust_and_a_distrusted_fact_is_not_offered(memory: Holographic) -> None:
    number = int(memory.remember("The office is in Bonn."))
    better = use(memory, "fact_feedback", action="helpful", fact_id=number)
    assert better == {"fact_id": number, "old_trust": 0.5, "new_trust": 0.55, "helpful_count": 1}
    for _ in range(3):
        use(memory, "fact_feedback", action="unhelpful", fact_id=number)
    assert memory.prefetch("where is the office?") == ""
    assert use(memory, action="search", query="office", min_trust=0.1)["count"] == 1


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("fact_store", {}),
        ("fact_store", {"action": "explode"}),
        ("fact_store", {"action": "add"}),
        ("fact_store", {"action": "add", "content": "  "}),
        ("fact_store", {"action": "add", "content": "x", "category": "secrets"}),
        ("fact_store", {"action": "search", "query": 7}),
        ("fact_store", {"action": "search", "query": "x", "limit": "many"}),
        ("fact_store", {"action": "reason", "entities": []}),
        ("fact_store", {"action": "update", "fact_id": 99}),
        ("fact_store", {"action": "remove", "fact_id": "nan"}),
        ("fact_feedback", {"action": "helpful", "fact_id": 99}),
        ("fact_feedback", {"action": "great", "fact_id": 1}),
        ("brv_query", {"query": "x"}),
    ],
)
def test_a_wrong_call_of_a_tool_says_what_to_do(memory: Holographic, tool: str, args: dict[str, Any]) -> None:
    with pytest.raises(ToolError):
        memory.handle_tool_call(tool, args)


@pytest.mark.parametrize("query", ["", "   ", "?!", '"unterminated', "a AND OR b", "NEAR(x", "***", "\x00\ud800"])
def test_no_query_breaks_the_search(memory: Holographic, query: str) -> None:
    memory.remember("Anna lives in Berlin.")
    assert memory.prefetch(query) == ""


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我喜欢深色模式", "深色"),
        ("Die Größe der Äpfel ist süß", "apfel"),
        ("Она живёт в Москве", "живёт"),
        ("🦊 is the mascot 🦊", "mascot"),
        ("half a pair: \ud800 and a NUL: \x00 here", "pair"),
    ],
)
def test_every_script_is_kept_and_found(memory: Holographic, text: str, query: str) -> None:
    memory.remember(text)
    assert memory.prefetch(query)


def test_a_very_long_text_is_kept_whole_and_shown_short(memory: Holographic) -> None:
    text = "Beginning. " + " ".join(f"word{number}" for number in range(60_000))
    memory.remember(text)
    assert [one.text for one in memory.memories()] == [text]
    assert len(memory.prefetch("word59999")) < 600


def test_an_encrypted_home_is_refused(home: Path) -> None:
    (home / "encryption.json").write_text("{}")
    memory = Holographic(Surroundings(home))
    assert not memory.is_available()
    with pytest.raises(ProviderRefused, match="plain file, and this home is encrypted"):
        memory.initialize("s1")
    with pytest.raises(ProviderRefused):
        memory.remember("secret")
    assert not (home / "memory_store.db").exists()


def test_a_file_of_another_program_and_a_damaged_one_are_left_alone(home: Path) -> None:
    path = home / "memory_store.db"
    with driver().connect(path) as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    other.close()
    for _ in range(2):
        before = path.read_bytes()
        with pytest.raises(ProviderRefused):
            Holographic(Surroundings(home)).remember("x")
        assert path.read_bytes() == before
        path.write_bytes(b"no database at all" * 100)


def test_a_file_that_another_program_holds_is_down(memory: Holographic, home: Path) -> None:
    memory.remember("Anna lives in Berlin.")
    holder = driver().connect(home / "memory_store.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(ProviderDown, match="locked"):
            memory.remember("Anna moved.")
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    memory.remember("Anna moved.")


@pytest.mark.parametrize(("option", "value"), [("default_trust", "much"), ("hrr_dim", "many")])
def test_an_option_that_does_not_fit_is_told(home: Path, option: str, value: object) -> None:
    with pytest.raises(ProviderRefused, match=option):
        Holographic(Surroundings(home, options={option: value})).initialize("s1")


def public_vector(text: str, names: list[str]) -> Any:
    """Make a vector as the public product does, written down anew from its description."""

    def atom(word: str) -> Any:
        digests = b"".join(sha256(f"{word}:{block}".encode()).digest() for block in range(DIMENSIONS // 16))
        return numpy.frombuffer(digests, "<u2") * (2 * numpy.pi / 65_536)

    def bundle(vectors: list[Any]) -> Any:
        return numpy.angle(numpy.sum([numpy.exp(1j * vector) for vector in vectors], axis=0)) % (2 * numpy.pi)

    said = bundle([atom(word.strip(".,!?")) for word in text.lower().split()]) + atom("__hrr_role_content__")
    return bundle([said, *(atom(name.lower()) + atom("__hrr_role_entity__") for name in names)])


def public_file(path: Path) -> None:
    """Make a file as the public product leaves it: two forms of vectors, one fact without, an alias, a bank."""
    first, second = "Anna Weber lives in Berlin.", "Peppi is on call."
    with driver().connect(path) as file:
        file.executescript(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE facts (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE,
                category TEXT DEFAULT 'general', tags TEXT DEFAULT '', trust_score REAL DEFAULT 0.5,
                retrieval_count INTEGER DEFAULT 0, helpful_count INTEGER DEFAULT 0,
                created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
                hrr_vector BLOB);
            CREATE TABLE entities (entity_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
                entity_type TEXT DEFAULT 'unknown', aliases TEXT DEFAULT '',
                created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
            CREATE TABLE fact_entities (fact_id INTEGER, entity_id INTEGER, PRIMARY KEY (fact_id, entity_id));
            CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, content=facts, content_rowid=fact_id);
            CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
                INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags); END;
            CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
                INSERT INTO facts_fts(facts_fts, rowid, content, tags)
                VALUES ('delete', old.fact_id, old.content, old.tags); END;
            CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN
                INSERT INTO facts_fts(facts_fts, rowid, content, tags)
                VALUES ('delete', old.fact_id, old.content, old.tags);
                INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags); END;
            CREATE TABLE memory_banks (bank_id INTEGER PRIMARY KEY AUTOINCREMENT, bank_name TEXT NOT NULL UNIQUE,
                vector BLOB NOT NULL, dim INTEGER NOT NULL, fact_count INTEGER DEFAULT 0,
                updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
            INSERT INTO entities (name, aliases) VALUES ('Anna Weber', 'Annie,AW'), ('Peppi', '');
            INSERT INTO memory_banks (bank_name, vector, dim) VALUES ('cat:general', x'00', 1024);
            """
        )
        rows = [
            (first, public_vector(first, ["Anna Weber"]).astype("<f8").tobytes(), "2026-03-01 10:00:00"),
            (second, b"HRR1" + public_vector(second, ["Peppi"]).astype("<f4").tobytes(), "2026-04-01 10:00:00"),
            ("Nobody made a vector of this.", None, None),
        ]
        file.executemany("INSERT INTO facts (content, hrr_vector, updated_at) VALUES (?, ?, ?)", rows)
        file.execute("INSERT INTO fact_entities VALUES (1, 1), (2, 2)")
    file.close()


def test_a_file_of_the_public_product_is_read_and_written_on(home: Path) -> None:
    public_file(home / "memory_store.db")
    memory = Holographic(Surroundings(home))
    assert memory.prefetch("where does Anna live, in Berlin?").startswith("2026-03-01 (trust 0.5): Anna Weber")
    assert contents(use(memory, action="probe", entity="Annie")) == ["Anna Weber lives in Berlin."]
    assert contents(use(memory, action="probe", entity="peppi")) == ["Peppi is on call."]
    assert contents(use(memory, action="related", entity="vector")) == ["Nobody made a vector of this."]
    number = int(memory.remember("Peppi moved to Rome."))
    with driver().connect(home / "memory_store.db") as file:
        [stored] = file.execute("SELECT hrr_vector FROM facts WHERE fact_id = ?", (number,)).fetchone()
        assert file.execute("SELECT count(*) FROM memory_banks").fetchone() == (0,)
        assert file.execute("SELECT name FROM entities ORDER BY entity_id").fetchall()[:2] == [
            ("Anna Weber",),
            ("Peppi",),
        ]
    file.close()
    expected = public_vector("Peppi moved to Rome.", ["Peppi", "Rome"])
    assert numpy.mean(numpy.cos(numpy.frombuffer(stored, "<f8") - expected)) == pytest.approx(1.0)


def test_the_public_products_settings_hold_where_ours_say_nothing(home: Path) -> None:
    (home / "config.yaml").write_text(
        "plugins:\n  hermes-memory-store:\n    db_path: $HERMES_HOME/own/facts.db\n    default_trust: 0.9\n"
    )
    memory = Holographic(Surroundings(home, options={"default_trust": "0.7"}))
    memory.remember("Anna lives in Berlin.")
    assert (home / "own" / "facts.db").exists()
    assert use(memory, action="list")["facts"][0]["trust"] == 0.7


def test_old_facts_weigh_less_if_wanted(home: Path) -> None:
    public_file(home / "memory_store.db")
    fresh = Holographic(Surroundings(home))
    faded = Holographic(Surroundings(home, options={"temporal_decay_half_life": 10}))
    [before] = use(fresh, action="search", query="Berlin")["results"]
    [after] = use(faded, action="search", query="Berlin")["results"]
    assert after["score"] < before["score"]


def test_its_settings_are_described(memory: Holographic) -> None:
    assert {field["key"] for field in memory.get_config_schema()} >= {"db_path", "auto_extract", "default_trust"}
    assert "fact_store" in memory.system_prompt_block()


def test_it_is_set_up_tried_and_told_of_the_notes(hermes: Hermes, own_home: Home) -> None:
    assert hermes("memory", "setup", "holographic", "--no-input").exit_code == 0
    assert hermes("memory", "test").exit_code == 0
    said = hermes("chat", "-q", "I live in Oslo.")
    assert said.exit_code == 0 and "external memory" not in said.stderr
    assert [one.text for one in Holographic(Surroundings(own_home.root)).memories()] == ["Lives in Oslo"]
