"""Write the routes of the HTTP API, as their OpenAPI document tells them, for `docs/reference/api.md`."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI


# Any: OpenAPI as Python reads JSON.
def document() -> dict[str, Any]:
    """Return the API's document without a home: nothing in it depends on one."""
    from hermes_agent.web import document as told
    from hermes_agent.web.answers import PROBLEMS
    from hermes_agent.web.api import health
    from hermes_agent.web.api.every import ROUTERS

    site = FastAPI(title="hermes-agent")
    site.include_router(health.router)
    for router in ROUTERS:
        site.include_router(router, prefix="/api", responses=PROBLEMS)
    return told.describe(site)


def api() -> str:
    """Write every route with what it takes, group by group."""
    made = document()
    blocks = []
    for tag in made["tags"]:
        routes = list(_routes(made, tag["name"]))
        if routes:
            blocks.append(f"## {tag['name'].capitalize()}\n\n{tag['description']}\n\n" + "\n".join(routes))
    return "\n" + "\n".join(blocks)


def _routes(made: dict[str, Any], tag: str) -> Iterator[str]:
    for path, methods in made["paths"].items():
        for method, route in methods.items():
            if tag in route.get("tags", ()):
                yield _route(made, f"{method.upper()} {path}", route)


def _route(made: dict[str, Any], name: str, route: dict[str, Any]) -> str:
    lines = [f"### `{name}`", "", " ".join(route["description"].split()), ""]
    taken = [_parameter(one) for one in route.get("parameters", ()) if one["in"] != "path"]
    taken += [_field(*one) for one in _body(made, route)]
    answers = [code for code in route["responses"] if code.startswith("2")]
    shape = _shape(route["responses"][answers[0]]) if answers else None
    lines += taken
    lines += [""] if taken else []
    if shape is not None:
        lines += [f"Answers {answers[0]}: `{shape}`.", ""]
    return "\n".join(lines)


def _parameter(one: dict[str, Any]) -> str:
    where = " (header)" if one["in"] == "header" else ""
    must = ", needed" if one.get("required") else ""
    about = one.get("description") or one["schema"].get("description") or ""
    return f"- `{one['name']}`{where}: {_form(one['schema'])}{must}. {about}".rstrip()


def _body(made: dict[str, Any], route: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    for media in route.get("requestBody", {}).get("content", {}).values():
        reference = media["schema"].get("$ref")
        if reference is not None:
            schema = made["components"]["schemas"][reference.rpartition("/")[2]]
            for name, field in schema["properties"].items():
                yield name, field, name in schema.get("required", ())


def _field(name: str, field: dict[str, Any], is_needed: bool) -> str:
    about = field.get("description") or next(
        (one["description"] for one in field.get("anyOf", ()) if "description" in one), ""
    )
    return f"- `{name}` (body): {_form(field)}{', needed' if is_needed else ''}. {about}".rstrip()


def _form(schema: dict[str, Any]) -> str:
    """Say what a value is: `whole number from 1 to 200, 50 if not given`."""
    if "anyOf" in schema:
        told = " or ".join(_form(one) for one in schema["anyOf"] if one.get("type") != "null")
    elif "enum" in schema:
        told = ", ".join(f"`{one}`" for one in schema["enum"])
    elif "$ref" in schema:
        told = f"`{schema['$ref'].rpartition('/')[2]}`"
    elif schema.get("type") == "array":
        told = f"list of {_form(schema['items'])}"
    else:
        kinds = {
            "integer": "whole number",
            "string": "text",
            "boolean": "true or false",
            "object": "names with values",
        }
        told = kinds.get(schema.get("type", ""), "any value")
    if "minimum" in schema and "maximum" in schema:
        told += f" from {schema['minimum']:,} to {schema['maximum']:,}"
    default = schema.get("default")
    return (
        told
        if default is None
        else f"{told}, `{default if not isinstance(default, bool) else str(default).lower()}` if not given"
    )


def _shape(response: dict[str, Any]) -> str | None:
    for media in response.get("content", {}).values():
        if "$ref" in media.get("schema", {}):
            return str(media["schema"]["$ref"].rpartition("/")[2])
    return None


def shapes() -> str:
    """Write the fields of what is answered."""
    schemas = document()["components"]["schemas"]
    blocks = []
    for name in sorted(schemas):
        schema = schemas[name]
        if name.endswith("Page") or "properties" not in schema:
            continue
        fields = ", ".join(f"`{field}` ({_form(one)})" for field, one in schema["properties"].items())
        blocks.append(f"- **{name}**: {' '.join(schema.get('description', '').split())} {fields}.")
    return "\n" + "\n".join(blocks) + "\n"
