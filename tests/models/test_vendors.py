"""The table of vendors agrees with the library it is used with."""

from pathlib import Path

import pytest
from genai_prices.data_snapshot import get_snapshot
from pydantic_ai.models import known_model_names
from pydantic_ai.providers import infer_provider_class

from hermes_agent.models import known, vendors

# The library lists no models of these; the price list that it ships with does.
UNLISTED = {"openrouter", "together"}


@pytest.mark.parametrize("vendor", vendors.VENDORS, ids=lambda vendor: vendor.provider)
def test_defaults_are_models_that_exist(vendor: vendors.Vendor) -> None:
    wanted = {vendor.default, vendor.light}
    if vendor.provider in UNLISTED:
        [listed] = [row for row in get_snapshot().providers if row.id == vendor.provider]
        assert wanted <= {model.id for model in listed.models}
    else:
        assert {f"{vendor.provider}:{name}" for name in wanted} <= set(known_model_names())


@pytest.mark.parametrize("provider", vendors.PROVIDERS)
def test_every_provider_is_one_of_the_librarys(provider: str) -> None:
    try:
        infer_provider_class(provider)
    except ImportError:
        vendor = vendors.BY_PROVIDER.get(provider)
        needs = {"bedrock", "bedrock-mantle", "cohere", "google-cloud", "huggingface"}
        assert provider in needs or (vendor is not None and vendor.endpoint is not None)


def test_no_provider_of_known_chat_models_is_left_out() -> None:
    # Decisions and typed answers are not chat; behind the gateway stand the same vendors.
    others = {"openai-decisions", "typesafe", "test"}
    listed = {name.partition(":")[0] for name in known_model_names() if not name.startswith("gateway/")}
    assert listed - others <= set(vendors.PROVIDERS)


def test_every_vendor_has_names_to_suggest() -> None:
    listed = {name.partition(":")[0] for name in known.names()}
    assert {vendor.provider for vendor in vendors.VENDORS} <= listed


@pytest.mark.parametrize(
    ("provider", "variables"),
    [
        ("openai-chat", ("OPENAI_API_KEY",)),
        ("fireworks", ("FIREWORKS_API_KEY",)),
        ("google", ("GOOGLE_API_KEY", "GEMINI_API_KEY")),
        ("bedrock", ()),
    ],
)
def test_a_provider_says_where_its_key_stands(provider: str, variables: tuple[str, ...]) -> None:
    assert vendors.key_variables(provider) == variables


def test_the_guide_shows_the_table_as_it_is() -> None:
    page = Path(__file__).parents[2] / "docs" / "guides" / "models.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if "_API_KEY` " in line]
    assert rows == [
        f"| {vendor.title} | {' or '.join(f'`{name}`' for name in vendor.key_variables)} "
        f"| `{vendor.provider}:{vendor.default}` | `{vendor.provider}:{vendor.light}` |"
        for vendor in vendors.VENDORS
    ]
