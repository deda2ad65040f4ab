"""The journal says on whose word something was done, whichever verb did it."""

from hermes_agent.app import App
from hermes_agent.memory import facts
from hermes_agent.records.notes import Operation
from tests.web.conftest import Doors
from tests.web.filled import SESSION, fill

ANY = {"If-Match": "*"}


def latest(app: App, kind: str) -> tuple[str, str | None]:
    (entry,) = app.memory.log(1, kind=kind)
    return entry.text, entry.cause


def test_each_change_names_the_token_it_came_by(doors: Doors) -> None:
    fill(doors.app)
    program = doors.program("admin")
    (name,) = [f"token {one['name']}" for one in program.get("/api/tokens").json()["items"]]
    program.patch(f"/api/sessions/{SESSION}", json={"title": "Another"}, headers=ANY)
    assert latest(doors.app, "session.renamed")[1] == name
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    (added,) = doors.app.memory.log(1, kind="fact.added")
    program.post(f"/api/journal/{added.uid}/undo")
    text, cause = latest(doors.app, "fact.undone")
    assert (text.endswith(f" By {name}."), cause) == (True, added.uid), fact
    program.post("/api/forget", json={"id": "fact:001"}, headers=ANY)
    assert latest(doors.app, "memory.forgotten")[1] == name


def test_what_a_browser_undoes_is_the_dashboards(doors: Doors) -> None:
    facts.add(doors.app.store, "Rex is a dog")
    (added,) = doors.app.memory.log(1, kind="fact.added")
    doors.browser("write").post(f"/journal/{added.uid}/undo", data={"tag": ""})
    assert latest(doors.app, "fact.undone")[0].endswith(" By dashboard.")
    doors.app.notebook.change("user", [Operation("add", "Has a cat")], actor="owner")
    (changed,) = doors.app.memory.log(1, kind="note.changed")
    doors.browser("write").post(f"/journal/{changed.uid}/undo", data={"tag": ""})
    assert latest(doors.app, "note.undone")[0].endswith("Has a cat. By dashboard.")


def test_a_command_that_was_run_for_somebody_names_their_token(doors: Doors) -> None:
    program = doors.program("admin")
    with program.stream(
        "POST", "/api/run", json={"arguments": ["memory", "fact", "add", "Rex is a dog"]}
    ) as answer:
        assert b'{"exit": 0}' in answer.read()
    assert latest(doors.app, "fact.added")[1] == "token test admin 0: hermes memory fact add"


def test_what_was_written_by_hand_is_not_the_word_of_whoever_looks_first(doors: Doors) -> None:
    fill(doors.app)
    note = doors.app.notebook.kept("user").file.path
    note.write_text("Prefers feet and inches\n")
    skill = doors.app.home.skills / "deploy" / "SKILL.md"
    skill.write_text(skill.read_text() + "2. Deploy.\n")
    program = doors.program("read")
    assert program.get("/api/notes").status_code == program.get("/api/skills").status_code == 200
    assert latest(doors.app, "note.edited")[1] is None
    assert latest(doors.app, "skill.edited")[1] == "Its folder was changed by hand."
