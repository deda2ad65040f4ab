"""How a vendor describes itself: its tools to the model, its settings to `hermes memory setup`."""

from hermes_agent.providers.provider import Schema


def tool(name: str, description: str, required: list[str], **properties: Schema) -> Schema:
    """Describe a tool by its parameters."""
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "parameters": parameters}


def words(description: str, *choices: str) -> Schema:
    """Describe a parameter that is text, or one of some words."""
    kind: Schema = {"type": "string", "description": description}
    return {**kind, "enum": list(choices)} if choices else kind


def number(description: str) -> Schema:
    """Describe a parameter that is a whole number."""
    return {"type": "integer", "description": description}


def key(vendor: str, env_var: str, url: str, *, required: bool = True) -> Schema:
    """Describe the secret that a vendor knows its user by."""
    named = {"key": "api_key", "description": f"Key of {vendor}", "env_var": env_var, "url": url}
    return {**named, "secret": True, "required": required}


def setting(
    name: str, description: str, default: str, env_var: str = "", choices: list[str] | None = None
) -> Schema:
    """Describe a setting that is no secret."""
    described: Schema = {"key": name, "description": description, "default": default}
    if env_var:
        described["env_var"] = env_var
    if choices:
        described["choices"] = choices
    return described
