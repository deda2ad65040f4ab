"""The overview."""

from hermes_agent.memory import facts
from hermes_agent.web.charts import Chart, Series, draw, round_up, written
from tests.web.conftest import Doors
from tests.web.homes import talk


def test_a_new_home_says_how_to_begin(doors: Doors) -> None:
    page = doors.browser().get("/").text
    assert "Nothing is remembered yet" in page
    assert "hermes chat" in page
    assert '<a href="/chat">here</a>' in page and "add a fact" in page
    assert "<svg" not in page


def test_who_may_only_look_at_a_new_home_is_sent_to_the_terminal(doors: Doors) -> None:
    page = doors.browser("read").get("/").text
    assert "Talk: at the terminal with <code>hermes chat</code>" in page
    assert '<a href="/chat">here</a>' not in page and "add a fact" not in page


def test_it_counts_what_there_is_and_shows_what_is_new(doors: Doors) -> None:
    talk(doors.app, "Ana leads Atlas", "Atlas ships in May", title="Planning")
    facts.add(doors.app.store, "Ana leads Atlas")
    page = doors.browser().get("/").text
    assert '<a href="/sessions"><strong>4</strong> messages</a>' in page
    assert '<a href="/facts"><strong>1</strong> fact</a>' in page
    assert "Planning" in page
    assert "Ana leads Atlas" in page
    assert "1 change</a>" not in page


def test_charts_say_their_numbers_in_words_and_in_a_table(doors: Doors) -> None:
    talk(doors.app, "Ana leads Atlas", "Atlas ships in May")
    page = doors.browser().get("/").text
    assert 'role="img" aria-labelledby="said-title said-desc"' in page
    assert "exchanges: 2 last, most 2" in page
    assert '<td class="number">2</td>' in page


def test_it_tells_how_everything_is(doors: Doors) -> None:
    page = doors.browser().get("/").text
    assert "<dt>Store</dt>" in page
    assert "<dt>Daemon</dt>" in page


def test_a_bar_is_as_high_as_its_number() -> None:
    drawn = draw(Chart("c", "C", ["a", "b", "c"], [Series("n", [0, 5, 10])]))
    heights = [bar.height for bar in drawn.bars]
    assert heights[0] == 0
    assert heights[2] == 2 * heights[1] > 0
    assert [level.text for level in drawn.levels] == ["0", "5", "10"]


def test_a_number_below_nothing_stands_on_the_floor() -> None:
    drawn = draw(Chart("c", "C", ["a", "b"], [Series("n", [-294, 10])]))
    assert [bar.height > 0 for bar in drawn.bars] == [False, True]
    assert drawn.bars[0].height == 0
    assert "-294" in drawn.bars[0].told


def test_numbers_of_a_scale_are_round_and_short() -> None:
    assert [round_up(value) for value in (0, 3, 11, 250, 401)] == [2, 4, 20, 400, 1000]
    assert [written(value) for value in (0, 950, 1_200, 3_000_000, 0.5)] == ["0", "950", "1.2k", "3M", "0.50"]


def test_a_long_fact_is_cut_and_opens(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Notes on the " + "very " * 300 + "long plan").fact
    page = doors.browser("read").get("/").text
    assert f'href="/facts/{fact.id}">Notes on the very' in page
    assert "long plan" not in page
