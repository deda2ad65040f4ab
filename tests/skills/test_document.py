"""A SKILL.md is read leniently, always with an answer, and the quick reading agrees with YAML's."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.skills.document import Broken, Document, front_matter, parse, split

LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "---",
                "name: x",
                "name: 'x y'",
                'name: "x"',
                "name: 7",
                "name: true",
                "name:",
                "name: a: b",
                "name: a #b",
            ]
            + [
                "description: Does it.",
                "description: >",
                "  folded",
                "description: |",
                "description: [a]",
                "# note",
            ]
            + [
                "description: 'it''s'",
                'description: "a\\nb"',
                "description: a:",
                "metadata:",
                "  hermes: {a: 1}",
                "",
            ]
            + [
                "- item",
                "\tname: x",
                "name: &a x",
                "description: *a",
                "description: Ünïcode – ok",
                "body",
                "x: {",
                "...",
            ]
        ),
        st.text(max_size=20),
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("front", "name", "description"),
    [
        ("name: deploy\ndescription: How we deploy.", "deploy", "How we deploy."),
        ("name: deploy\r\ndescription: How we deploy.\r", "deploy", "How we deploy."),
        ("description: 'How: we deploy'\nname: \"deploy\"", "deploy", "How: we deploy"),
        ("name: deploy\ndescription: How\n  we\n  deploy.", "deploy", "How we deploy."),
        ("name: deploy\ndescription: >-\n  How we\n  deploy.", "deploy", "How we deploy."),
        ("name: deploy # the name\ndescription: How we deploy.", "deploy", "How we deploy."),
        ("name: web.scrape_v2\ndescription: x\nmetadata:\n  hermes:\n    tags: [a, b]", "web.scrape_v2", "x"),
        (
            "name: deploy\ndescription: Use when: deploying, or asked to",
            "deploy",
            "Use when: deploying, or asked to",
        ),
        ("name: deploy\ndescription: 'unclosed", "deploy", "unclosed"),
        ("name: deploy\ndescription: @team deploys", "deploy", "@team deploys"),
        ('name: "de\\nploy"\ndescription: "tab\\there"', "de ploy", "tab here"),
        ("name: 部署\ndescription: 如何部署", "部署", "如何部署"),
    ],
)
def test_the_usual_ways_to_write_it_are_read(front: str, name: str, description: str) -> None:
    assert parse(f"---\n{front}\n---\n1. Push.\n") == Document(name, description, "1. Push.")


@pytest.mark.parametrize(
    ("front", "problem"),
    [
        ("name: deploy\ndescription: 7", "Its front matter has no description."),
        ("name: true\ndescription: x", "Its front matter has no name."),
        ("name: deploy\ndescription: ''", "Its front matter has no description."),
        (f"name: {'x' * 65}\ndescription: x", "Its name is longer than 64 characters."),
        ("name: &a [*a]\ndescription: x", "Its front matter has no name."),
    ],
)
def test_what_cannot_be_used_says_why(front: str, problem: str) -> None:
    assert parse(f"---\n{front}\n---\nbody") == Broken(problem)


@given(LINES.map("\n".join))
def test_any_text_has_an_answer(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\nbody"):
        read = parse(whole)
        if isinstance(read, Document):
            assert read.name and read.description and read.body
            assert "\n" not in read.name + read.description
        else:
            assert read.problem.endswith(".")


@given(LINES)
def test_the_quick_reading_agrees_with_yaml(lines: list[str]) -> None:
    whole = "\n".join(["---", *lines, "---", "body"])
    read, parts = parse(whole), split(whole)
    if isinstance(read, Broken) or isinstance(parts, Broken):
        return
    by_yaml = front_matter(parts[0])
    if isinstance(by_yaml, Broken):
        return  # read line by line, or quickly in spite of what is wrong elsewhere
    for key, value in (("name", read.name), ("description", read.description)):
        said = by_yaml[key]
        assert isinstance(said, str) and value == " ".join(said.split())


def test_aliases_without_end_are_refused() -> None:
    front = "a: &a [x]\n" + "\n".join(f"b{n}: &b{n} [*a, *a, *a, *a]" for n in range(30)) + "\nname: [*b1]"
    read = parse(f"---\n{front}\n---\nbody")
    assert isinstance(read, Broken)
    assert "aliases" in read.problem


@pytest.mark.parametrize(
    ("front", "problem"),
    [
        ("x: " + "[" * 19_000, "Its front matter is not YAML: nested too deep."),
        ("- " * 9_000, "Its front matter is not YAML: nested too deep."),
        ("x: [" + "1, " * 300_000 + "]", "Its front matter is longer than 20,000 characters."),
    ],
)
def test_front_matter_without_end_is_refused_at_once(front: str, problem: str) -> None:
    started = time.perf_counter()
    assert front_matter(front.split("\n")) == Broken(problem)
    # It took minutes before it was bounded.
    assert time.perf_counter() - started < 10


@pytest.mark.alone
def test_a_hundred_plain_skills_are_read_without_waiting() -> None:
    text = "---\nname: deploy\ndescription: How we deploy.\nmetadata:\n  hermes:\n    tags: [a]\n---\n1. Push.\n"
    started = time.perf_counter()
    for _ in range(100):
        parse(text)
    # YAML takes five to ten milliseconds each.
    assert time.perf_counter() - started < 0.2
