"""Every route of the site that only looks is measured, also those with a gap in their path."""

from contextlib import closing

from benchmarks.measure import Times
from benchmarks.pages import Route, late, made, measured, report, templates
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.web.site import build


def test_every_route_is_asked_for_something_that_is_there(own_home: Home) -> None:
    with closing(App(own_home, load(own_home))) as app:
        found = {one.template: one.status for one in measured(app, 1, made(own_home, app, count=20))}
        assert {template: status for template, status in found.items() if status >= 400} == {}
        assert {template.partition("?")[0] for template in found} == set(templates(build(app)))


def test_a_route_that_is_slower_than_promised_is_named() -> None:
    quick, slow = (
        Route(name, name, 200, Times((taken,)), Times((1.0,))) for name, taken in (("/a", 9), ("/b", 151))
    )
    assert late([quick, slow]) == [slow]
    assert report([quick, slow]).startswith("Slower than 150 ms: `/b` (151 ms).")
    assert report([quick]).startswith("Every route is below 150 ms.")
