"""`hermes memory user`: what is known of the user, facet by facet, with the facts it stands on."""

from collections.abc import Sequence

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.memory import curation, user_model
from hermes_agent.memory.facts import sourced
from hermes_agent.memory.shown.user_model import trait_json
from hermes_agent.records.user_model import FACETS, Facet, Trait, facet_title
from hermes_agent.text.quantities import counted

_SHOWN_FACTS = 6
_HIGH, _MEDIUM = 0.8, 0.5


@click.command(
    epilog=examples(
        "hermes memory user", "hermes memory user --facet tools", "hermes memory user --limit 100 --json"
    )
)
@click.option("--facet", type=click.Choice(FACETS, case_sensitive=False), help="Only this facet.")
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many of each facet.")
@as_json
@pass_invocation
def user(invocation: Invocation, facet: Facet | None, limit: int, is_json: bool) -> None:
    """Tell what is known of you, each with the facts it stands on: `hermes memory fact show` quotes your words.

    What you said comes first; what follows from several things you said stands apart. Correct it with
    `hermes memory fact edit` and `delete`, or in USER.md: a line you delete there is taken back, one you edit is
    your word.
    """
    with opened(invocation) as app:
        if app.curated_notebook is not None:
            app.curated_notebook.settle("user")
            curation.correct(app.store)
        known = user_model.model(user_model.read(app.store), app.zone, curation.refused_lines(app.store))
        told = [trait for trait in known if facet in (None, trait.facet)]
        sources = (
            sourced(app.store, [fact for trait in user_model.first_of_each(told, limit) for fact in trait.facts])
            if is_json
            else []
        )
    if is_json:
        by_id = {one.fact.id: one for one in sources}
        print_json([trait_json(trait, by_id) for trait in user_model.first_of_each(told, limit)])
        return
    _print([trait for trait in told if trait.basis == "told"], limit)
    concluded = [trait for trait in told if trait.basis == "concluded"]
    if concluded:
        say("Concluded, not said", is_bold=True)
    for trait in concluded:
        say(f"  {facet_title(trait.facet)}: {_line(trait)}")
    if not told:
        what = "Nothing is known of you yet." if facet is None else f"Nothing is known of your {facet} yet."
        say(f"{what} It is learned from what you say; hermes memory fact add says it at once.")


def _print(told: Sequence[Trait], limit: int) -> None:
    for facet in FACETS:
        found = [trait for trait in told if trait.facet == facet]
        if not found:
            continue
        say(facet_title(facet), is_bold=True)
        for trait in found[:limit]:
            say(f"  {_line(trait)}")
        if len(found) > limit:
            say(f"  … and {len(found) - limit:,} more: hermes memory user --facet {facet} --limit {len(found)}")


def _line(trait: Trait) -> str:
    sure = "high" if trait.confidence >= _HIGH else "medium" if trait.confidence >= _MEDIUM else "low"
    untrusted = next((fact.source_class for fact in trait.facts if fact.trust == "untrusted"), None)
    remarks = [
        "" if trait.confidence >= 1.0 else f"confidence: {sure}",
        "" if untrusted is None else f"from {untrusted}",
        "contradicted: hermes memory conflicts" if trait.is_contradicted else "",
    ]
    told = ", ".join(remark for remark in remarks if remark)
    names = [fact.name for fact in trait.facts[:_SHOWN_FACTS]]
    more = len(trait.facts) - len(names)
    names += [f"{counted(more, 'other')}"] if more else []
    return f"{trait.text}  [{', '.join(names)}]" + (f" ({told})" if told else "")
