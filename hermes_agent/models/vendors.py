"""The vendors of language models whose key alone is enough, in the order in which keys are looked for.

A row names what no library tells: which variable holds the key, which model is a sound default, which one
is good enough for background work. Every other provider of the library works too once its model is named.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vendor:
    """A row of the table. `endpoint` speaks OpenAI's language, for when the vendor's own package is missing."""

    provider: str
    title: str
    key_variables: tuple[str, ...]
    default: str
    light: str
    endpoint: str | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """A program that serves models on the owner's own machines; it needs no key."""

    provider: str
    title: str
    address: str


# The order decides when several keys are set; `hermes model` says so.
VENDORS = (
    Vendor("anthropic", "Anthropic", ("ANTHROPIC_API_KEY",), "claude-sonnet-5-5", "claude-haiku-5-5"),
    Vendor("openai", "OpenAI", ("OPENAI_API_KEY",), "gpt-6.1-sol", "gpt-6-luna"),
    Vendor(
        "google",
        "Google",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "gemini-3.8-flash",
        "gemini-3.5-flash-lite",
        "https://generativelanguage.googleapis.com/v1beta/openai",
    ),
    Vendor("xai", "xAI", ("XAI_API_KEY",), "grok-4.7", "grok-4-1-fast-non-reasoning", "https://api.x.ai/v1"),
    Vendor(
        "mistral",
        "Mistral",
        ("MISTRAL_API_KEY",),
        "mistral-large-latest",
        "mistral-small-latest",
        "https://api.mistral.ai/v1",
    ),
    Vendor("deepseek", "DeepSeek", ("DEEPSEEK_API_KEY",), "deepseek-v4-pro", "deepseek-v4-flash"),
    Vendor("moonshotai", "Moonshot AI", ("MOONSHOTAI_API_KEY",), "kimi-k3.1-pro", "kimi-k2.6"),
    Vendor("zai", "Z.ai", ("ZAI_API_KEY",), "glm-5.3", "glm-5.3-flash"),
    Vendor(
        "groq",
        "Groq",
        ("GROQ_API_KEY",),
        "openai/gpt-oss-120b",
        "openai/gpt-oss-20b",
        "https://api.groq.com/openai/v1",
    ),
    Vendor("cerebras", "Cerebras", ("CEREBRAS_API_KEY",), "gpt-oss-120b", "gpt-oss-120b"),
    Vendor(
        "openrouter",
        "OpenRouter",
        ("OPENROUTER_API_KEY",),
        "anthropic/claude-sonnet-5.5",
        "anthropic/claude-haiku-5.5",
    ),
    Vendor("together", "Together AI", ("TOGETHER_API_KEY",), "zai-org/GLM-5.3", "zai-org/GLM-5.3-Flash"),
)

SERVERS = (
    Server("ollama", "Ollama", "http://localhost:11434/v1"),
    Server("vllm", "vLLM", "http://localhost:8000/v1"),
)

BY_PROVIDER = {vendor.provider: vendor for vendor in VENDORS}
SERVERS_BY_PROVIDER = {server.provider: server for server in SERVERS}

# OpenAI's own two ways of speaking, chosen by name; both use OpenAI's key.
OPENAI_PROVIDERS = ("openai", "openai-chat", "openai-responses")

# Every provider of chat models that the library knows: `provider:name` is split at the colon only when the
# first word is one of these, for `qwen3:8b` is the whole name of a model on an Ollama server.
PROVIDERS = (
    *(vendor.provider for vendor in VENDORS),
    *(server.provider for server in SERVERS),
    *("openai-chat", "openai-responses", "alibaba", "azure", "azure-responses", "bedrock", "bedrock-mantle"),
    *("cohere", "crusoe", "fireworks", "github-copilot", "google-cloud", "heroku", "huggingface"),
    *("litellm", "meta", "nebius", "ovhcloud", "sambanova", "snowflake", "vercel"),
)

# Where the variable of the key is not named after the provider.
KEY_VARIABLES = {
    "alibaba": ("ALIBABA_API_KEY", "DASHSCOPE_API_KEY"),
    "azure": ("AZURE_OPENAI_API_KEY",),
    "azure-responses": ("AZURE_OPENAI_API_KEY",),
    "cohere": ("CO_API_KEY",),
    "heroku": ("HEROKU_INFERENCE_KEY",),
    "huggingface": ("HF_TOKEN",),
    "openai-chat": ("OPENAI_API_KEY",),
    "openai-responses": ("OPENAI_API_KEY",),
    "vercel": ("VERCEL_AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"),
}

# These find their credentials themselves, in the environment or in files of their own.
KEYLESS = ("bedrock", "bedrock-mantle", "google-cloud", "github-copilot", "litellm", "snowflake")


def key_variables(provider: str) -> tuple[str, ...]:
    """Return the variables that may hold the provider's key, the usual one first; none when it needs no key."""
    vendor = BY_PROVIDER.get(provider)
    if vendor is not None:
        return vendor.key_variables
    if provider in KEYLESS:
        return ()
    return KEY_VARIABLES.get(provider) or (f"{_capitals(provider)}_API_KEY",)


def address_variable(provider: str) -> str:
    """Return the variable that may hold another address of the provider, `OPENAI_BASE_URL`."""
    return "OPENAI_BASE_URL" if provider in OPENAI_PROVIDERS else f"{_capitals(provider)}_BASE_URL"


def title(provider: str) -> str:
    """Return the name people know a provider by."""
    row = BY_PROVIDER.get(provider) or SERVERS_BY_PROVIDER.get(provider)
    if row is not None:
        return row.title
    return "OpenAI" if provider in OPENAI_PROVIDERS else provider


def _capitals(provider: str) -> str:
    return provider.upper().replace("-", "_")
