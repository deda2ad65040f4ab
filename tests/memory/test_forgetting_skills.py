"""Forgetting a conversation, on both engines: what learned skills hold of it goes, whatever became of them."""

from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import NotFound
from hermes_agent.memory import skill_history, skills
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.memory.undo_choice import Latest, Named
from hermes_agent.memory.undoing import undo
from hermes_agent.records.changes import Undone
from hermes_agent.records.notes import Refused
from hermes_agent.records.skills import SkillMaker, SkillState
from hermes_agent.skills.library import Library
from hermes_agent.store import sessions
from tests.memory.test_distilling import asked, distil, work_off
from tests.memory.test_skill_correcting import DOCUMENT, followed
from tests.store.holding import holding

WORD = "quokka"
REVIEWS = ("Review this PR with the quokka", "Review the PR with quokka eyes", "Review that PR with quokka signs")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "skills"


@pytest.fixture
def notebook(memory: Memory, own_home: Home) -> Notebook:
    ensure(own_home)
    return Notebook(memory.store, own_home, 2_000, 2_000)


def learned(memory: Memory, folder: Path, *requests: str) -> list[str]:
    """Ask for something often enough for a skill; return the conversations."""
    begun = asked(memory, *(requests or REVIEWS))
    assert distil(memory, folder) == ["review-pr"]
    return begun


def put_right(memory: Memory, folder: Path, remark: str, skill: str = "deploy") -> str:
    """Follow a skill and put it right in a conversation; return that."""
    before = _conversations(memory)
    followed(memory, remark, skill=skill)
    distil(memory, folder)
    (begun,) = _conversations(memory) - before
    return begun


def forget(memory: Memory, folder: Path, *session_ids: str) -> None:
    memory.delete(session_ids, "owner")
    work_off(memory, folder)


def files(folder: Path) -> str:
    """Return everything that lies in a folder, hidden files too."""
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*")) if path.is_file())


def _conversations(memory: Memory) -> set[str]:
    with memory.store.read() as connection:
        return set(sessions.every_id(connection))


@pytest.mark.parametrize("by", ["agent", "learning"])
def test_what_was_put_right_goes_with_its_conversation(memory: Memory, folder: Path, by: SkillMaker) -> None:
    skills.create(memory.store, folder, "deploy", DOCUMENT, cause=Cause(by))
    first = put_right(memory, folder, "no, run the quokka tests before the deploy")
    put_right(memory, folder, "you forgot the changelog")
    assert WORD in Library(folder).view("deploy")
    forget(memory, folder, first)
    assert holding(memory.store, WORD) == [] and WORD not in files(folder)
    assert Library(folder).view("deploy") == DOCUMENT + "\n## Put right\n\n- “you forgot the changelog”\n"


def test_what_was_put_right_is_out_of_the_store_before_any_job_runs(memory: Memory, folder: Path) -> None:
    skills.create(memory.store, folder, "deploy", DOCUMENT, cause=Cause("agent"))
    begun = put_right(memory, folder, "no, run the quokka tests before the deploy")
    memory.delete([begun], "owner")
    assert holding(memory.store, WORD) == []
    skills.sync(memory.store, folder)
    assert Library(folder).view("deploy") == DOCUMENT


@pytest.mark.parametrize("state", ["archived", "deleted"])
@pytest.mark.parametrize("cause", [Cause(), Cause("learning")])
def test_what_was_archived_or_deleted_forgets_too(
    memory: Memory, folder: Path, state: SkillState, cause: Cause
) -> None:
    begun = learned(memory, folder)
    skills.set_state(memory.store, folder, "review-pr", state, cause)
    forget(memory, folder, begun[0])
    kept = skill_history.versions(memory.store, "review-pr")[0]
    assert kept.state == state and "quokka eyes" in kept.files["SKILL.md"]
    assert "with the quokka" not in files(folder) and holding(memory.store, "with the quokka") == []
    forget(memory, folder, *begun[1:])
    assert holding(memory.store, WORD) == [] and WORD not in files(folder)


def test_an_archive_on_another_machine_forgets_when_it_is_brought_in_step(
    memory: Memory, folder: Path, tmp_path: Path
) -> None:
    begun, other = learned(memory, folder), tmp_path / "other"
    skills.sync(memory.store, other)
    skills.set_state(memory.store, folder, "review-pr", "archived", Cause("learning"))
    skills.sync(memory.store, other)
    forget(memory, folder, *begun)
    skills.sync(memory.store, other)
    assert WORD not in files(other)


def test_a_skill_that_went_is_not_brought_back(memory: Memory, folder: Path, notebook: Notebook) -> None:
    begun = learned(memory, folder)
    forget(memory, folder, *begun)
    assert Library(folder).list() == []
    versions = skill_history.versions(memory.store, "review-pr")
    assert versions[0].entry.cause == "Conversations it was learned from were deleted."
    assert [one.files for one in versions] == [{}] * len(versions)
    assert holding(memory.store, WORD) == []
    assert isinstance(undo(notebook, Latest()), Refused)
    with pytest.raises(NotFound, match="forgotten"):
        skills.set_state(memory.store, folder, "review-pr", "live")
    work_off(memory, folder)
    assert Library(folder).list() == []


def test_an_undo_skips_the_lines_that_were_forgotten(memory: Memory, folder: Path, notebook: Notebook) -> None:
    begun = learned(memory, folder)
    asked(memory, "Review this PR without style remarks")
    assert distil(memory, folder) == ["review-pr"]
    forget(memory, folder, begun[0])
    outcome = undo(notebook, Latest())
    assert isinstance(outcome, Undone), outcome
    skills.sync(memory.store, folder)
    text = Library(folder).view("review-pr")
    assert "Without style remarks" not in text and "with the quokka" not in text and "quokka eyes" in text


def test_an_undo_goes_past_a_version_of_which_nothing_is_left(
    memory: Memory, folder: Path, notebook: Notebook
) -> None:
    skills.create(memory.store, folder, "deploy", DOCUMENT, cause=Cause("agent"))
    begun = put_right(memory, folder, "no, run the quokka tests before the deploy")
    forget(memory, folder, begun)
    outcome = undo(notebook, Latest())
    assert isinstance(outcome, Undone) and outcome.message == "Undone: The skill deploy was made."
    skills.sync(memory.store, folder)
    assert Library(folder).list() == []


def test_the_making_of_a_skill_that_was_undone_is_forgotten_and_stays_undone(
    memory: Memory, folder: Path, notebook: Notebook
) -> None:
    begun = learned(memory, folder)
    taken_back = undo(notebook, Latest())
    assert isinstance(taken_back, Undone)
    skills.sync(memory.store, folder)
    forget(memory, folder, *begun)
    assert holding(memory.store, WORD) == []
    assert isinstance(undo(notebook, Named(taken_back.entry_uid)), Refused)
    asked(memory, *REVIEWS)
    assert distil(memory, folder) == []


def test_a_skill_stays_that_other_conversations_teach_as_well(memory: Memory, folder: Path) -> None:
    first = learned(memory, folder, *REVIEWS)
    later = asked(memory, *(request.upper() if "that" in request else request for request in REVIEWS))
    assert distil(memory, folder) == []
    forget(memory, folder, *first)
    assert all(f"“{request}”" in Library(folder).view("review-pr") for request in REVIEWS)
    forget(memory, folder, *later)
    assert Library(folder).list() == [] and holding(memory.store, WORD) == []


def test_what_was_put_right_twice_stays_with_the_other_conversation(memory: Memory, folder: Path) -> None:
    skills.create(memory.store, folder, "deploy", DOCUMENT, cause=Cause("agent"))
    first, second = (put_right(memory, folder, f"{no}, run the quokka tests first") for no in ("no", "No"))
    forget(memory, folder, first)
    assert "run the quokka tests first" in Library(folder).view("deploy")
    forget(memory, folder, second)
    assert Library(folder).view("deploy") == DOCUMENT and holding(memory.store, WORD) == []


def test_a_skill_that_is_called_memory_forgets_like_any_other(memory: Memory, folder: Path) -> None:
    skills.create(memory.store, folder, "memory", DOCUMENT.replace("name: deploy", "name: memory"))
    begun = put_right(memory, folder, "no, run the quokka tests first", skill="memory")
    assert holding(memory.store, "could say “no, run the quokka") != []
    forget(memory, folder, begun)
    assert holding(memory.store, WORD) == []
