"""Document 004: its quick start and its example, as printed."""

import subprocess
import sys
from pathlib import Path

import pytest

from hermes_agent import Agent, Memory
from hermes_agent.config.paths import Home

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = """
from hermes_agent import Agent, Memory

# Initialize agent with persistent memory
agent = Agent(
    memory=Memory(session_store="./sessions"),
    user_model="./user_profile",
    skill_library="./skills"
)

# First interaction - teaching preferences
response = agent.process(
    "Review this PR focusing on security and performance"
)

# Later sessions - agent remembers and applies learned preferences
response = agent.process(
    "Review this new PR"  # Automatically applies security/performance focus
)

# Agent may have created a custom skill
print(agent.skills.list())  # Shows auto-generated review skills
"""


def test_the_example_runs_as_printed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EXAMPLE], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "[]\n"
    for folder in ("sessions", "user_profile", "skills"):
        assert (tmp_path / folder).is_dir()
    assert (tmp_path / "sessions" / "state.db").is_file()


def test_a_later_agent_remembers_what_an_earlier_one_was_told(
    tmp_path: Path, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def agent() -> Agent:
        return Agent(
            memory=Memory(session_store="./sessions"), user_model="./user_profile", skill_library="./skills"
        )

    with agent() as first:
        first.process("My name is Ada and I prefer metric units.")
    assert "Ada" in (tmp_path / "user_profile" / "USER.md").read_text()
    with agent() as second:
        response = second.process("What is my name?")
    assert "Ada" in response.text
    assert str(response) == response.text
    assert response.session_id != ""
    assert not own_home.root.exists(), "a program with folders of its own leaves the home alone"


def test_the_skills_of_the_library_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "skills" / "review"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: review\ndescription: How we review.\n---\n1. Read it.\n")
    with Agent(memory=Memory(session_store="./sessions"), skill_library="./skills") as agent:
        assert [skill.name for skill in agent.skills.list()] == ["review"]


def test_skills_of_a_library_are_there_beside_other_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "skills" / "review"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: review\ndescription: How we review.\n---\n1. Read it.\n")
    for sessions in ("./sessions", "./other", "./sessions"):
        with Agent(memory=Memory(session_store=sessions), skill_library="./skills") as agent:
            assert [skill.name for skill in agent.skills.list()] == ["review"]


def test_main_py_starts_the_agent_and_remembers() -> None:
    def say(text: str) -> str:
        done = subprocess.run(
            [sys.executable, ROOT / "main.py"], input=text, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert "Ada" in say("My name is Ada.\n")
    assert "Ada" in say("What is my name?\n")


def test_the_requirements_are_this_project() -> None:
    lines = (ROOT / "requirements.txt").read_text().split()
    assert "." in lines
    assert not [line for line in lines if "://" in line]


def test_three_similar_reviews_are_a_skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for request in ("Review this PR focusing on security and performance", "Review this new PR", "Review the PR"):
        with Agent(memory=Memory(session_store="./sessions"), skill_library="./skills") as agent:
            agent.process(request)
    with Agent(memory=Memory(session_store="./sessions"), skill_library="./skills") as agent:
        (skill,) = agent.skills.list()
        assert skill.name == "review-pr"
        assert "Focusing on security and performance" in agent.skills.view("review-pr")


def test_three_similar_reviews_by_one_agent_are_a_skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Agent(memory=Memory(session_store="./sessions"), skill_library="./skills") as agent:
        for request in (
            "Review this PR focusing on security and performance",
            "Review this new PR",
            "Review the PR",
        ):
            agent.process(request)
    with Agent(memory=Memory(session_store="./sessions"), skill_library="./skills") as agent:
        assert [skill.name for skill in agent.skills.list()] == ["review-pr"]


def test_a_skill_that_cannot_be_written_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "skills" / "cook").mkdir(parents=True)
    cook = "---\nname: cook\ndescription: How we cook.\n---\n1. Salt.\n"
    (tmp_path / "skills" / "cook" / "SKILL.md").write_text(cook)
    (tmp_path / "skills" / "review-pr").write_text("in its place")
    for request in ("Review this PR", "Review this new PR", "Review the PR"):
        with Agent(memory=Memory(session_store="./sessions"), skill_library="./skills") as agent:
            agent.process(request)
    with Agent(memory=Memory(session_store="./sessions"), skill_library="./skills") as agent:
        assert [skill.name for skill in agent.skills.list()] == ["cook"]


def test_the_second_answer_shows_the_focus_of_the_first_in_another_process(tmp_path: Path) -> None:
    first, _, second = EXAMPLE.partition("# Later sessions")
    begin = first.partition("# First interaction")[0]
    told = []
    for program in (first, f"{begin}# Later sessions{second}"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", f"{program}\nprint(response)"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
        told.append(done.stdout)
    assert "You asked for the same on" in told[1]
    assert all("“focusing on security and performance”" in answer for answer in told)
