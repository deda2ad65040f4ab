"""The map of people, projects and things."""

import re
from contextlib import closing
from pathlib import Path

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.memory import facts
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import Joined
from hermes_agent.store import entity_joins
from tests.web.conftest import Doors
from tests.web.homes import talk


def test_what_is_named_is_drawn_and_listed(doors: Doors) -> None:
    talk(doors.app, "Ana Lopez leads Project Atlas", "Ana Lopez met Bob Miller in Oslo")
    page = doors.browser("read").get("/map").text
    names = set(re.findall(r"<title>([^<:]+): \d+ mentions?</title>", page))
    assert {"Ana Lopez", "Bob Miller"} <= names
    assert page.count('class="spot') == page.count('<li><a href="/map/thing')
    assert 'class="way' in page


def test_words_that_only_begin_the_sentences_of_answers_are_no_things(doors: Doors) -> None:
    memory = doors.app.memory
    session_id = memory.begin(NewSession())
    answer = (
        "Noted: you go with Ana. It is in USER.md.\n\nFamiliarize yourself with the town. Buon viaggio!\n\n"
        "1. Blogs: read blogs of others.\n2. Forums: ask in forums.\n3. Media\n\nThe best one is Roscioli there."
    )
    memory.append(session_id, NewMessage("user", "I go to Rome with Ana"), NewMessage("assistant", answer))
    memory.end(session_id, "user_exit")
    page = doors.browser("read").get("/map").text
    names = set(re.findall(r"<title>([^<:]+): \d+ mentions?</title>", page))
    assert {"Rome", "Ana", "Roscioli"} <= names
    assert names.isdisjoint({"Noted", "Familiarize", "Buon", "Blogs", "Forums", "Media"})


def test_it_is_drawn_the_same_each_time(doors: Doors) -> None:
    talk(doors.app, "Ana Lopez leads Project Atlas", "Ana Lopez met Bob Miller in Oslo")
    browser = doors.browser()
    first, second = (re.findall(r"<circle [^>]+>", browser.get("/map").text) for _ in range(2))
    assert first == second


def test_what_was_forgotten_elsewhere_is_not_drawn_again(doors: Doors) -> None:
    talk(doors.app, "Ana Lopez leads Project Atlas")
    talk(doors.app, "Zebulon Quark met Bob Miller in Oslo")
    browser = doors.browser("read")
    assert "Zebulon" in browser.get("/map").text
    with closing(App(doors.app.home, load(doors.app.home))) as other:
        seek = carrying_out.seek(Asked(about="Zebulon Quark"))
        assert finish(carrying_out.carry_out(other.forgetting, seek)).found == []
    page = browser.get("/map").text
    assert "Zebulon" not in page
    assert "Ana Lopez" in page


def test_kinds_are_chosen(doors: Doors) -> None:
    talk(doors.app, "Ana Lopez writes to ana@example.org")
    browser = doors.browser()
    assert "ana@example.org" not in browser.get("/map").text
    mails = browser.get("/map?kind=email").text
    assert "ana@example.org" in mails
    assert "Ana Lopez" not in mails


def test_a_thing_opens_to_its_facts_sessions_and_neighbours(doors: Doors) -> None:
    session = talk(doors.app, "Ana Lopez met Bob Miller in Oslo")
    fact = facts.add(doors.app.store, "Ana Lopez is an engineer").fact
    browser = doors.browser("read")
    path = re.findall(r'<li><a href="(/map/thing[^"]+)">Ana Lopez</a>', browser.get("/map").text)[0]
    page = browser.get(path).text
    assert f'href="/facts/{fact.id}"' in page
    assert f'href="/sessions/{session}?message=1#m1"' in page
    assert "Bob Miller" in page


def test_a_name_too_short_to_be_looked_for_is_not_offered_to_be_forgotten(doors: Doors) -> None:
    talk(doors.app, "Bo Ek met Ana in Oslo", "Bo and Ana leave Oslo")
    for name, is_offered in (("Bo", False), ("Ana", True)):
        page = doors.browser().get("/map/thing", params={"name": name})
        assert page.status_code == 200, page.text
        assert ("Forget all that names it" in page.text) == is_offered


def test_joined_spellings_are_told(doors: Doors) -> None:
    talk(doors.app, "We run PostgreSQL at work", "The PostgreSQL of Ana is fast", "Is Postgress down?")
    with doors.app.store.write() as connection:
        entity_joins.change(connection, added=[Joined("postgress", "postgresql")])
    page = doors.browser().get("/map/thing?key=postgresql")
    assert page.status_code == 200
    assert "Also called" in page.text
    assert "joined" in page.text


def test_what_the_memory_says_of_itself_names_nothing(doors: Doors, tmp_path: Path) -> None:
    conversation = Conversation(doors.app.desk, Opening("cli", tmp_path))
    for said in (
        "Rex barked in Bergen.",
        "That was loud.",
        "help",
        "Write a poem.",
        "Users name is Bob",
        "My mother Birgitta lives in Oslo.",
        "Actually, my mother Birgitta lives in Bergen.",
        "We decided to use Postgres for Atlas.",
    ):
        conversation.ask(said)
    conversation.end()
    page = doors.browser("read").get("/map").text
    names = set(re.findall(r"<title>([^<:]+): \d+ mentions?</title>", page))
    assert names == {"Rex", "Bergen", "Bob", "Birgitta", "Oslo", "Postgres", "Atlas"}
