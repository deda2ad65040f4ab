"""After forgetting no run of twelve bytes of it is left anywhere, and it is not learned again."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as given_by

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.memory.learning import learn_part
from hermes_agent.ops import doctor
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import facts
from tests.counts import count
from tests.forgetting.homes import KINDS, RUN, everything, fill, opened

WORDS = given_by.lists(
    given_by.text(given_by.sampled_from("bcdfghjklmnpqrstvwxz0Zжщфэ漢字é"), min_size=6, max_size=14),
    min_size=2,
    max_size=12,
    unique=True,
)
_ENTRY = 1
OTHER = "The weather is fine, and lunch was good."


def runs(text: str) -> set[bytes]:
    data = text.encode()
    return {data[at : at + RUN] for at in range(len(data) - RUN + 1)}


@pytest.mark.parametrize("kind", KINDS)
def test_no_run_of_twelve_bytes_is_left_anywhere(kind: str, tmp_path: Path) -> None:
    @settings(max_examples=count(1, 60))
    @given(words=WORDS, asked=given_by.sampled_from(("session", "message", "about")))
    @example(words=["krzbtwf", "flmqvxd", "dnspghk"], asked="message")
    def check(words: list[str], asked: str) -> None:
        told = " ".join(words)
        secret = f"The code of the vault is {told}."
        with opened(kind, tmp_path) as app:
            name = fill(app, secret, OTHER, kind)
            learn(app, name)
            assert any(run in data for data in everything(app) for run in runs(told))
            first = next(app.memory.messages(name)).id
            named = {
                "session": Asked(session=name),
                "message": Asked(f"message:{first}"),
                "about": Asked(about=words[0]),
            }
            receipt = finish(carrying_out.carry_out(app.forgetting, carrying_out.seek(named[asked])))
            assert receipt.found == []
            left = [run for data in everything(app) for run in runs(told) if run in data]
            assert left == []
            assert finish(carrying_out.verify(app.forgetting, receipt)) == []
            assert any(OTHER.encode() in data for data in everything(app))
            assert doctor.check(app.store).problems == ()
            again = app.memory.begin(NewSession("cli"))
            app.memory.append(again, NewMessage("user", f"Remember: {secret}"))
            learn(app, again)
            with app.store.read() as connection:
                assert [one.text for one in facts.recent(connection, 100, with_ended=True)] == []
            assert finish(carrying_out.verify(app.forgetting, receipt)) != []

    check()


@pytest.mark.parametrize("kind", ("plain", "postgres"))
def test_everything_that_has_a_name_can_be_forgotten(kind: str, tmp_path: Path) -> None:
    secret = "The vault opens with krzbtwf flmqvxd dnspghk."
    ways = (Asked("reflection:1"), Asked(f"entry:{_ENTRY}"), Asked(before=clock.now() + 1_000_000_000))
    for asked in ways:
        with opened(kind, tmp_path) as app:
            fill(app, secret, OTHER, kind)
            receipt = finish(carrying_out.carry_out(app.forgetting, carrying_out.seek(asked)))
            assert receipt.found == []
            assert not any(b"krzbtwf flmq" in data for data in everything(app))
            assert doctor.check(app.store).problems == ()


def test_folders_of_skills_and_copies_of_folders_lose_it_and_files_of_the_owner_are_named(tmp_path: Path) -> None:
    secret, work = "The vault opens with krzbtwf flmqvxd dnspghk.", tmp_path / "work"
    work.mkdir()
    with opened("plain", tmp_path) as app:
        (work / "a.txt").write_text(f"hello {secret}")
        app.checkpoints.keep(work, "before a change")
        (work / "a.txt").write_text("changed")
        app.checkpoints.keep(work, "before another")
        skill = app.home.skills / "open-vault" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(
            f"---\nname: open-vault\ndescription: Opens it when asked.\n---\n1. Go.\n2. {secret}\n3. Leave.\n"
        )
        app.sync_skills()
        (app.home.workspace / "mine.txt").write_text(secret)
        name = fill(app, secret, OTHER, "plain")
        receipt = finish(carrying_out.carry_out(app.forgetting, carrying_out.seek(Asked(session=name))))
        assert receipt.found == ["file: workspace/mine.txt"]
        assert receipt.counts["copies of folders"] == 1
        assert len(app.checkpoints.list(work)) == 1
        assert skill.read_text().endswith("---\n1. Go.\n3. Leave.\n")
        assert app.sync_skills() == []


def learn(app: App, name: str) -> None:
    while learn_part(app.store, name) is not None:
        pass
