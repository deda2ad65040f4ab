"""Document 004's quick start: requirements.txt names what is needed, `python main.py` starts the agent."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_main_py_starts_the_agent_and_remembers() -> None:
    def say(text: str) -> str:
        done = subprocess.run(
            [sys.executable, ROOT / "main.py"], input=text, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert say("My name is Ada.\n") == "Kept. Ask me about it whenever you like.\n"
    assert say("What is my name?\n").endswith("you said: My name is Ada.\n")


def test_the_requirements_are_this_project() -> None:
    lines = (ROOT / "requirements.txt").read_text().split()
    assert "." in lines
    assert not [line for line in lines if "://" in line]
