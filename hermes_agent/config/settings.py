"""Every setting of the program, one line each: name, type, default, help.

`settings[MEMORY_POOL_SIZE]` is an `int` to mypy, because each line is a typed `Setting[T]`. Names are
written here as in the guides (`memory.poolSize`); `memory.pool_size` and `memory.pool-size` mean the
same in files, on the command line and in the environment (`HERMES_MEMORY_POOL_SIZE`), because names
are compared folded: lower case, without `_` and `-`.

Values are checked with pydantic, imported when the first value that somebody gave is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Ge, Le, MaxLen, MinLen

from hermes_agent.config import embedder_names, handover_pairs, mcp_servers, time_zones
from hermes_agent.config.addresses import model_server_problem, names_problem, proxies_problem, server_problem
from hermes_agent.config.setting import Setting, T

if TYPE_CHECKING:
    from typing_extensions import TypeForm

TABLE: list[Setting[Any]] = []  # Any: the table holds settings of every type


def setting(
    name: str,
    form: TypeForm[T],
    default: T,
    help: str,
    *,
    is_secret: bool = False,
    check: Callable[[T], str | None] | None = None,
    mend: str | None = None,
) -> Setting[T]:
    """Add a line to the table."""
    made = Setting(name, form, default, help, is_secret, check, mend)
    TABLE.append(made)
    return made


Text = Annotated[str, MinLen(1)]
Backend = Literal["sqlite", "postgres"]
Schedule = Literal["daily", "weekly", "monthly", "never"]
SslMode = Literal["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
Approval = Literal["ask", "allow", "deny"]
Rerank = Literal["none", "http", "onnx"]
Reader = Literal["rules", "trained"]
ProviderMode = Literal["hybrid", "provider", "local"]

MODEL = setting(
    "model",
    Text | None,
    None,
    "The language model, provider:name; a vendor's key alone selects its default, `embedded` asks none.",
)
LIGHT_MODEL = setting(
    "lightModel", Text | None, None, "The model for background work; the vendor's small one unless set."
)
BASE_URL = setting(
    "baseUrl",
    Text | None,
    None,
    "An OpenAI-compatible server: Ollama, vLLM, llama.cpp.",
    check=model_server_problem,
)
CONTEXT_WINDOW = setting(
    "contextWindow",
    Annotated[int, Ge(2_000), Le(100_000_000)] | None,
    None,
    "Most tokens the model takes; what is known of it unless set.",
)
MAX_TOOL_ROUNDS = setting(
    "maxToolRounds", Annotated[int, Ge(1), Le(1000)], 90, "Most rounds of tool calls in one turn."
)
MEMORY_MEMORY_CHAR_LIMIT = setting(
    "memory.memoryCharLimit", Annotated[int, Ge(100), Le(1_000_000)], 2_200, "Most characters of MEMORY.md."
)
MEMORY_USER_CHAR_LIMIT = setting(
    "memory.userCharLimit", Annotated[int, Ge(100), Le(1_000_000)], 1_375, "Most characters of USER.md."
)
MEMORY_CURATE_USER_NOTE = setting(
    "memory.curateUserNote", bool, True, "Keep USER.md up to date with what was learned about you."
)
MEMORY_LEARNING_READER = setting(
    "memory.learning.reader",
    Reader,
    "rules",
    "Who reads conversations without a language model: rules, or trained, rules and a network (extra minilm).",
)
MEMORY_NUDGE_INTERVAL = setting(
    "memory.nudgeInterval",
    Annotated[int, Ge(0), Le(10_000)],
    10,
    "User turns without a saved note after which the conversation is reviewed; 0 never.",
)
SKILLS_CREATION_NUDGE_INTERVAL = setting(
    "skills.creationNudgeInterval",
    Annotated[int, Ge(0), Le(10_000)],
    10,
    "Rounds of tool calls after which the way of working is reviewed; 0 never.",
)
SKILLS_ARCHIVE_AFTER_DAYS = setting(
    "skills.archiveAfterDays",
    Annotated[int, Ge(0), Le(36_500)],
    90,
    "Days without use after which a skill that you neither made nor changed is archived; 0 never.",
)
TOOLS_SHELL = setting(
    "tools.shell", Approval, "ask", "Commands of the agent: ask before each, allow those listed, or deny all."
)
TOOLS_SHELL_ALLOWED = setting(
    "tools.shellAllowed", list[Text], [], "Commands that need no asking, such as `git status` or `ls *`."
)
TOOLS_FOLDERS = setting(
    "tools.folders", list[Text], [], "Folders the file tools may use beside the one the chat began in."
)
TOOLS_WEB = setting("tools.web", bool, True, "Let the agent read pages of the web.")
MCP_SERVERS = setting(
    "mcpServers",
    dict[str, dict[str, object]],
    {},
    "Servers whose tools the agent may use: name: {command, args, env} or name: {url, headers}.",
    check=mcp_servers.problem,
)
CHECKPOINTS_ENABLED = setting(
    "checkpoints.enabled", bool, True, "Keep a copy of a folder before the agent first changes it in a turn."
)
CHECKPOINTS_MAX_SNAPSHOTS = setting(
    "checkpoints.maxSnapshots", Annotated[int, Ge(1), Le(1000)], 50, "Most snapshots kept of a folder."
)
MEMORY_BACKEND = setting("memory.backend", Backend, "sqlite", "The database that holds the memory.")
MEMORY_PATH = setting("memory.path", Text | None, None, "The SQLite file; state.db in the home unless set.")
MEMORY_VACUUM_SCHEDULE = setting(
    "memory.vacuumSchedule", Schedule, "weekly", "How often the daemon gives unused space back."
)
MEMORY_COMPRESSION_AFTER_DAYS = setting(
    "memory.compression.afterDays",
    Annotated[int, Ge(0), Le(36_500)],
    30,
    "After so many days summaries stand for episodes; 0: never.",
)
MEMORY_COMPRESSION_DISCARD_RAW = setting(
    "memory.compression.discardRaw",
    bool,
    False,
    "Whether the messages behind summaries are deleted for good, once everything is learned from them.",
)
MEMORY_WAL_MODE = setting(
    "memory.walMode", bool, True, "Write-ahead log: readers and a writer do not wait for each other."
)
MEMORY_BUSY_TIMEOUT_SECONDS = setting(
    "memory.busyTimeoutSeconds",
    Annotated[int, Ge(30), Le(3600)],
    60,
    "How long to wait for another process that is writing.",
)
MEMORY_CONNECTION_STRING = setting(
    "memory.connectionString",
    Text | None,
    None,
    "The PostgreSQL address, postgres://user:password@host:5432/name.",
    is_secret=True,
)
MEMORY_POOL_SIZE = setting(
    "memory.poolSize", Annotated[int, Ge(1), Le(100)], 5, "Most PostgreSQL connections kept open at once."
)
MEMORY_SSL_MODE = setting("memory.sslMode", SslMode, "prefer", "Encryption of the PostgreSQL connection.")
MEMORY_SCHEMA = setting(
    "memory.schema",
    Annotated[str, MinLen(1), MaxLen(63)] | None,
    None,
    "The PostgreSQL schema; named after the profile unless set.",
)
MEMORY_RETRIEVAL_ENABLED = setting(
    "memory.retrieval.enabled",
    bool,
    True,
    "Put fitting memories in front of each task.",
)
MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS = setting(
    "memory.retrieval.contextBudgetTokens",
    Annotated[int, Ge(0), Le(10_000_000)],
    20_000,
    "Most tokens of memory in front of a task.",
)
MEMORY_RETRIEVAL_RECENCY_EPISODES = setting(
    "memory.retrieval.recencyEpisodes",
    Annotated[int, Ge(0), Le(1000)],
    3,
    "The latest episodes of other conversations that are always included.",
)
MEMORY_RETRIEVAL_SEMANTIC_TOP_K = setting(
    "memory.retrieval.semanticTopK",
    Annotated[int, Ge(0), Le(1000)],
    5,
    "Most episodes that only their meaning brings, without a word, name or day in common.",
)
MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE = setting(
    "memory.retrieval.minRelevanceScore",
    Annotated[float, Ge(0), Le(1)],
    0.65,
    "Leave out what is less relevant than this, from 0 to 1.",
)
MEMORY_EMBEDDINGS_PROVIDER = setting(
    "memory.embeddings.provider",
    Text,
    "local",
    "Who turns text into vectors: local, minilm, ollama, openai, voyage, an installed plugin, or none.",
    check=embedder_names.problem,
)
MEMORY_EMBEDDINGS_MODEL = setting(
    "memory.embeddings.model", Text | None, None, "The embedding model; the provider's default unless set."
)
MEMORY_EMBEDDINGS_DIMENSIONS = setting(
    "memory.embeddings.dimensions",
    Annotated[int, Ge(1), Le(65_536)] | None,
    None,
    "Length of the vectors; the model's own unless set.",
)
MEMORY_EMBEDDINGS_BATCH_SIZE = setting(
    "memory.embeddings.batchSize",
    Annotated[int, Ge(1), Le(10_000)],
    100,
    "Most texts embedded per request.",
)
MEMORY_EMBEDDINGS_BASE_URL = setting(
    "memory.embeddings.baseUrl",
    Text | None,
    None,
    "Another address of the embedder's server; its key, if it wants one, stands in HERMES_API_KEY.",
    check=model_server_problem,
)
MEMORY_RERANK_PROVIDER = setting(
    "memory.rerank.provider", Rerank, "none", "Who puts what was found into a better order: http, onnx, or none."
)
MEMORY_RERANK_URL = setting(
    "memory.rerank.url",
    Text | None,
    None,
    "The /rerank address of the server; its key, if it wants one, stands in RERANK_API_KEY.",
)
MEMORY_RERANK_MODEL = setting(
    "memory.rerank.model", Text | None, None, "The model that server is asked for; its default unless set."
)
MEMORY_RERANK_PATH = setting(
    "memory.rerank.path", Text | None, None, "The folder with model.onnx and tokenizer.json of a cross-encoder."
)
MEMORY_RERANK_TIMEOUT_MS = setting(
    "memory.rerank.timeoutMs",
    Annotated[int, Ge(10), Le(60_000)],
    300,
    "How long the better order is waited for; then the order stands as it was.",
)
MEMORY_RERANK_TOP_N = setting(
    "memory.rerank.topN", Annotated[int, Ge(2), Le(1000)], 50, "How many of the best are put into order."
)
MEMORY_PROVIDER = setting(
    "memory.provider",
    Text | None,
    None,
    "The external memory service beside our own: honcho, mem0, …; `hermes memory setup` lists them.",
)
MEMORY_PROVIDER_MODE = setting(
    "memory.providerMode",
    ProviderMode,
    "hybrid",
    "What is recalled: hybrid, from both; provider, from the external memory alone; local, it is left alone.",
)
MEMORY_PROVIDER_SECONDS = setting(
    "memory.providerSeconds",
    Annotated[float, Ge(0.05), Le(30)] | None,
    None,
    "How long a turn waits for the external memory at most; 2, or what the provider needs, unless set.",
)
MEMORY_PROVIDERS = setting(
    "memory.providers",
    dict[str, dict[str, object]],
    {},
    "The options of external memory services, by name; `hermes memory setup` writes them.",
)
MEMORY_COST_DAILY_TOKEN_CAP = setting(
    "memory.cost.dailyTokenCap",
    Annotated[int, Ge(0), Le(1_000_000_000_000)],
    0,
    "Tokens a day after which background work waits for the next day; 0 is no cap.",
)
SESSIONS_AUTO_PRUNE = setting(
    "sessions.autoPrune", bool, False, "Let the daemon delete what sessions.retentionDays lets go."
)
SESSIONS_RETENTION_DAYS = setting(
    "sessions.retentionDays",
    Annotated[int, Ge(1), Le(36_500)],
    90,
    "Days that pruning keeps a session after its end and its last message.",
)
BACKUP_DAILY = setting("backup.daily", bool, True, "Let the daemon make an encrypted backup every day.")
BACKUP_DIRECTORY = setting(
    "backup.directory", Text | None, None, "Where backups are kept; `backups` in the home unless set."
)
BACKUP_RECIPIENTS = setting(
    "backup.recipients",
    list[Text],
    [],
    "Public keys (age1…, ssh-…) that backups are encrypted to, instead of a key of the home's own.",
)
PROFILES_HANDOVER_ALLOWED = setting(
    "profiles.handover.allowed",
    list[Text],
    [],
    "Pairs of profiles between which the agent itself may hand something over, such as work -> home.",
    check=handover_pairs.problem,
)
DAEMON_POLL_SECONDS = setting(
    "daemon.pollSeconds", Annotated[float, Ge(0.1), Le(3600)], 5.0, "How often the daemon looks for due jobs."
)
WEB_ENABLED = setting("web.enabled", bool, True, "Let the daemon serve the dashboard, the HTTP API and MCP.")
WEB_HOST = setting(
    "web.host",
    Text,
    "127.0.0.1",
    "Where the daemon listens. Any but this machine's own needs web.tls or web.plain.",
)
WEB_PORT = setting("web.port", Annotated[int, Ge(0), Le(65_535)], 8642, "The port; 0 takes any that is free.")
WEB_NAMES = setting(
    "web.names",
    list[Text],
    [],
    "Other names it is reached by: memory.example.org behind a proxy.",
    check=names_problem,
)
WEB_PROXIES = setting(
    "web.proxies",
    list[Text],
    ["127.0.0.1", "::1"],
    "Addresses or networks of proxies that are believed whom they speak for and whether it came by TLS.",
    check=proxies_problem,
)
WEB_TLS_CERTIFICATE = setting("web.tls.certificate", Text | None, None, "The certificate chain, a PEM file.")
WEB_TLS_KEY = setting("web.tls.key", Text | None, None, "The certificate's key, a PEM file.")
WEB_PLAIN = setting(
    "web.plain", bool, False, "Listen without TLS also where others can read along, as behind a proxy that has it."
)
WEB_OPEN_METRICS = setting(
    "web.openMetrics", bool, False, "Let anybody who reaches the server read /metrics, without a token."
)
WEB_REQUESTS_PER_MINUTE = setting(
    "web.requestsPerMinute", Annotated[int, Ge(0)], 1200, "What one token may ask in a minute; 0 is no limit."
)
WEB_MOST_BODY_MB = setting(
    "web.mostBodyMb", Annotated[int, Ge(1), Le(100_000)], 64, "The largest request that is taken, in megabytes."
)
WEB_APPROVAL_SECONDS = setting(
    "web.approvalSeconds",
    Annotated[float, Ge(0.01), Le(86_400)],
    300.0,
    "How long a chat over HTTP waits for your yes before a tool runs; then it is a no.",
)
SERVER_URL = setting(
    "server.url",
    Text | None,
    None,
    "The daemon elsewhere that this machine's commands are sent to, such as https://memory.example.org.",
    check=server_problem,
)
SERVER_CA = setting(
    "server.ca",
    Text | None,
    None,
    "The certificates that vouch for that server, a PEM file; the system's unless set.",
)
SERVER_PLAIN = setting(
    "server.plain", bool, False, "Speak to that server without TLS, where others can read along: the token, too."
)
NO_JOBS = setting("noJobs", bool, False, "Let no jobs run after a command.")
DISPLAY_TIME_ZONE = setting(
    "display.timeZone",
    str | None,
    None,
    "Your time zone, such as Europe/London; the machine's unless set.",
    check=time_zones.problem,
)
