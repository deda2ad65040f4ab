"""What is known of the user, in the dashboard: with its evidence, corrected, deleted, undone."""

from html import unescape

from hermes_agent.memory import fact_changes, facts, trait_changes
from hermes_agent.records.user_model import Trait
from tests.learning import learn
from tests.recall.conversations import talk
from tests.web.conftest import Doors
from tests.web.forms import HOSTILE, SHOWN, form, submit, take_back


def known(doors: Doors) -> list[Trait]:
    return list(trait_changes.every(doors.app.store, doors.app.zone))


def told(doors: Doors) -> Trait:
    """Say something, and return what is known of it."""
    talk(doors.app.memory, "s1", "I live in Oslo and I work as a nurse.", "Good to know.")
    learn(doors.app.store, "s1")
    return next(one for one in known(doors) if "Oslo" in one.text)


def test_nothing_is_known_of_a_new_user(doors: Doors) -> None:
    assert "Nothing is known of you yet" in doors.browser("read").get("/user").text


def test_a_line_opens_to_its_facts_and_the_words_they_came_from(doors: Doors) -> None:
    trait = told(doors)
    browser = doors.browser("read")
    assert trait.text in browser.get("/user").text
    assert trait.text in browser.get(f"/user?facet={trait.facet}").text
    page = browser.get(f"/user/{trait_changes.key_of(trait)}").text
    (fact,) = trait.facts
    assert f"/facts/{fact.id}" in page
    assert "/sessions/s1?message=" in page
    assert "you told it" in page


def test_a_line_is_corrected_by_its_fact(doors: Doors) -> None:
    trait = told(doors)
    browser, path = doors.browser("write"), f"/user/{trait_changes.key_of(trait)}"
    page = browser.get(path)
    corrected = submit(browser, page, f"{path}/correct", text="I live in Bergen")
    assert any("Bergen" in one.text for one in known(doors))
    assert not any("Oslo" in one.text for one in known(doors))
    assert submit(browser, page, f"{path}/correct", text="I live in Rome").status_code in (412, 422)
    take_back(doors, browser, corrected)
    assert any("Oslo" in one.text for one in known(doors))


def test_a_correction_that_is_refused_stays_in_the_form_of_its_fact(doors: Doors) -> None:
    trait = told(doors)
    (fact,) = trait.facts
    browser, path = doors.browser("write"), f"/user/{trait_changes.key_of(trait)}"
    page = browser.get(path)
    assert "maxlength" not in page.text  # a browser would cut what is pasted, and say nothing
    blank = submit(browser, page, f"{path}/correct", text="  ")
    assert blank.status_code == 422 and form(blank, f"/facts/{fact.id}/edit").fields["text"] == "  "
    fact_changes.pin(doors.app.store, fact.name, is_pinned=True)
    late = submit(browser, page, f"{path}/correct", text="I live in Bergen")
    assert late.status_code == 412
    assert form(late, f"/facts/{fact.id}/edit").fields["text"] == "I live in Bergen"


def test_a_told_line_goes_with_its_facts_and_comes_back(doors: Doors) -> None:
    trait = told(doors)
    browser, path = doors.browser("write"), f"/user/{trait_changes.key_of(trait)}/delete"
    gone = submit(browser, browser.get(path), path)
    assert not any("Oslo" in one.text for one in known(doors))
    assert facts.get(doors.app.store, trait.facts[0].name).state == "retracted"
    assert browser.get(path).status_code == 404
    take_back(doors, browser, gone)
    assert any("Oslo" in one.text for one in known(doors))


def test_a_conclusion_goes_alone_and_comes_back(doors: Doors) -> None:
    conclusion = concluded(doors)
    browser, path = doors.browser("write"), f"/user/{trait_changes.key_of(conclusion)}/delete"
    assert "concluded" in browser.get("/user").text
    gone = submit(browser, browser.get(path), path)
    assert conclusion.text not in [one.text for one in known(doors)]
    for fact in conclusion.facts:
        assert facts.get(doors.app.store, fact.name).state == "current"
    take_back(doors, browser, gone)
    assert conclusion.text in [one.text for one in known(doors)]


def concluded(doors: Doors) -> Trait:
    for tool in ("PostgreSQL", "Neovim", "Django", "GitHub Actions"):
        facts.add(doors.app.store, f"I use {tool}")
    (found,) = [one for one in known(doors) if one.basis == "concluded"]
    return found


def test_a_line_of_several_facts_goes_whole_and_comes_back_whole(doors: Doors) -> None:
    concluded(doors)
    line = next(one for one in known(doors) if one.facet == "tools")
    assert len(line.facts) == 4
    browser, path = doors.browser("write"), f"/user/{trait_changes.key_of(line)}/delete"
    gone = submit(browser, browser.get(path), path)
    assert facts.recent(doors.app.store, 9) == []
    take_back(doors, browser, gone)
    assert len(facts.recent(doors.app.store, 9)) == 4


def test_who_may_only_read_corrects_nothing(doors: Doors) -> None:
    trait = told(doors)
    reader, path = doors.browser("read"), f"/user/{trait_changes.key_of(trait)}"
    offered = doors.browser("write").get(path)
    assert submit(reader, offered, f"{path}/correct", text="I live in Rome").status_code == 403
    assert reader.get(f"{path}/delete").status_code == 403
    assert reader.post(f"{path}/delete", data={"tag": "*"}).status_code == 403
    assert told(doors).text == trait.text


def test_hostile_text_is_shown_as_text(doors: Doors) -> None:
    facts.add(doors.app.store, f"My dog is called {HOSTILE}")
    browser = doors.browser("write")
    assert SHOWN not in browser.get("/user").text
    for trait in known(doors):
        for ending in ("", "/delete"):
            page = browser.get(f"/user/{trait_changes.key_of(trait)}{ending}")
            assert page.status_code == 200
            assert SHOWN not in page.text


def test_what_is_not_known_is_not_found(doors: Doors) -> None:
    browser = doors.browser("write")
    for path in ("/user/x", "/user/%00", "/user?facet=%27--", "/user/x/delete"):
        assert browser.get(path).status_code == 404


def test_a_fact_is_corrected_only_by_the_line_it_is_behind(doors: Doors) -> None:
    trait = told(doors)
    other = facts.add(doors.app.store, "The office is in Rome").fact
    browser = doors.browser("write")
    tag = unescape(browser.get(f"/facts/{other.id}").text.split('name="tag" value="')[1].split('"')[0])
    asked = {"fact": other.name, "text": "The office is in Paris", "tag": tag}
    assert browser.post(f"/user/{trait_changes.key_of(trait)}/correct", data=asked).status_code == 404
    assert browser.post("/user/none/correct", data=asked).status_code == 404
    assert facts.get(doors.app.store, other.name) == other
