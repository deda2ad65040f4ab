"""The composition root: from a home and its settings to the objects that work in it.

The only module that builds things. Everything is made when it is first asked for, so that a
command pays only for what it uses.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from hermes_agent.config import encryption, handover_pairs, paths, presence, profiles, renaming, variables
from hermes_agent.config import settings as names
from hermes_agent.config.load import Settings, load
from hermes_agent.config.paths import Home
from hermes_agent.config.provider_choice import ProviderChoice
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import HermesError, ModelError, SettingError
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.spending import Cap
from hermes_agent.store.engine import Engine
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.agent.checkpoints import Checkpoints
    from hermes_agent.agent.desk import Desk
    from hermes_agent.agent.nudge import Intervals
    from hermes_agent.agent.tools.handover import Receivers
    from hermes_agent.embedders.choose import Chosen
    from hermes_agent.embedders.embedder import Embedder
    from hermes_agent.memory.external import External
    from hermes_agent.memory.notebook import Notebook
    from hermes_agent.models.choose import Choice, Choices
    from hermes_agent.models.mcp import McpTools
    from hermes_agent.models.model import Model
    from hermes_agent.ops.forgetting.carrying_out import Place
    from hermes_agent.providers.provider import Surroundings
    from hermes_agent.recall.asking import Reranking, Retrieval
    from hermes_agent.skills.library import Library

_SHUTDOWN_SECONDS = 5.0
"""What a provider may take to finish what is under way when a program ends."""


class App:
    """What works in one home."""

    def __init__(
        self, home: Home, settings: Settings, *, store: Store | None = None, model: "str | Model | None" = None
    ) -> None:
        self.home = home
        self.settings = settings
        self._choice = ProviderChoice(home, settings)
        self._given_store = store
        self._given_model = model
        self._opened = ExitStack()
        self._inside = ExitStack()
        self._is_inside = False
        self._enter()
        self.keys = encryption.unlock(home)
        """The keys of an encrypted home, None if it is not."""

    @cached_property
    def store(self) -> Store:
        """The profile's database; it opens, and migrates, when it is first used."""
        if self._given_store is not None:
            return self._given_store
        return Store(self._engine, owner=self.home.profile, former=renaming.former_name(self.home))

    @cached_property
    def memory(self) -> Memory:
        """The memory of this profile."""
        return Memory(
            self.store,
            self.home.profile,
            self.zone,
            embedder=lambda: self.embedder,
            retrieval=self.retrieval,
            reranking=self.reranking,
            cap=self.cap,
            is_trained=self.settings[names.MEMORY_LEARNING_READER] == "trained",
            external=lambda: self.external,
            provider=lambda: self.provider,
        )

    @property
    def provider(self) -> str | None:
        """The external memory that is used, by name; None if there is none, or it is left alone by now."""
        return self._choice.name

    @cached_property
    def external(self) -> "External | None":
        """The external memory; None also when it cannot be loaded: `provider_problem` says why."""
        name = self.provider
        if name is None:
            return None
        try:
            return self.open_provider(name, is_used=lambda: self.provider == name)
        except HermesError as error:
            self.provider_problem = error
            return None

    provider_problem: HermesError | None = None
    """Why there is no external memory although one is wanted."""

    def open_provider(self, name: str, is_used: Callable[[], bool] = lambda: True) -> "External":
        """Load a provider, whether it is the one that is used or not."""
        from hermes_agent.memory.external import External
        from hermes_agent.providers import choose
        from hermes_agent.providers.watched import Watched

        watched = Watched(name, choose.make(name, self.surroundings(name)), self.surroundings(name), is_used)
        self._opened.callback(watched.close, _SHUTDOWN_SECONDS)
        is_alone = self.settings[names.MEMORY_PROVIDER_MODE] == "provider"
        return External(watched, self.settings[names.MEMORY_PROVIDER_SECONDS] or watched.recall_seconds, is_alone)

    def surroundings(self, provider: str) -> "Surroundings":
        """Return what a provider is made from."""
        from hermes_agent.providers import choose

        return choose.surroundings_of(self.home, self.settings, provider)

    @cached_property
    def cap(self) -> Cap:
        """How much background work may cost in a day."""
        return Cap(self.settings[names.MEMORY_COST_DAILY_TOKEN_CAP], self.zone)

    @cached_property
    def retrieval(self) -> "Retrieval":
        """How much is put in front of a task."""
        from hermes_agent.recall.asking import Retrieval

        settings = self.settings
        return Retrieval(
            recency_episodes=settings[names.MEMORY_RETRIEVAL_RECENCY_EPISODES],
            semantic_top_k=settings[names.MEMORY_RETRIEVAL_SEMANTIC_TOP_K],
            min_relevance=settings[names.MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE],
            budget_tokens=settings[names.MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS],
        )

    @cached_property
    def reranking(self) -> "Reranking":
        """Who puts what was found into a better order, if anybody."""
        from hermes_agent.recall.asking import Reranking

        settings = self.settings
        path = settings[names.MEMORY_RERANK_PATH]
        return Reranking(
            provider=settings[names.MEMORY_RERANK_PROVIDER],
            url=settings[names.MEMORY_RERANK_URL],
            model=settings[names.MEMORY_RERANK_MODEL],
            path=None if path is None else Path(path).expanduser(),
            timeout_ms=settings[names.MEMORY_RERANK_TIMEOUT_MS],
            top_n=settings[names.MEMORY_RERANK_TOP_N],
            key=variables.read(self.home).get("RERANK_API_KEY"),
        )

    @cached_property
    def notebook(self) -> "Notebook":
        """The notes of this profile."""
        from hermes_agent.memory.notebook import Notebook

        return Notebook(
            self.store,
            self.home,
            self.settings[names.MEMORY_MEMORY_CHAR_LIMIT],
            self.settings[names.MEMORY_USER_CHAR_LIMIT],
            lambda: self.provider,
        )

    @property
    def curated_notebook(self) -> "Notebook | None":
        """The notes, if USER.md is to be kept up to date from what was learned."""
        return self.notebook if self.settings[names.MEMORY_CURATE_USER_NOTE] else None

    @cached_property
    def library(self) -> "Library":
        """The skills of this profile."""
        from hermes_agent.skills.library import Library

        return Library(self.home.skills)

    def distill(self) -> None:
        """Make skills of the work that came again so far."""
        from hermes_agent.jobs.learning import HIDDEN_SOURCES
        from hermes_agent.memory import distilling

        # One that cannot be written is logged, and told when the skills are brought in step: the others are there.
        with suppress(SettingError):
            for _ in distilling.distill(self.store, self.home.skills, HIDDEN_SOURCES, self.zone):
                pass

    def sync_skills(self) -> list[str]:
        """Bring the folders of the skills in step with the store; return what hindered it or was in doubt."""
        from hermes_agent.memory import skills

        try:
            self.refuse_lost()
            return skills.sync(self.store, self.home.skills)
        except HermesError as error:
            return [f"The skills were not brought in step: {error.message}"]

    @cached_property
    def checkpoints(self) -> "Checkpoints":
        """The copies of folders the agent was about to change."""
        from hermes_agent.agent.checkpoints import Checkpoints

        settings = self.settings
        return Checkpoints(
            self.home, settings[names.CHECKPOINTS_MAX_SNAPSHOTS], settings[names.CHECKPOINTS_ENABLED]
        )

    @property
    def forgetting(self) -> "Place":
        """This home as a place in which something is forgotten."""
        from hermes_agent.jobs import backing_up
        from hermes_agent.ops.forgetting.carrying_out import Place

        backups, drop = backing_up.folder_of(self.home, self.settings), self.checkpoints.drop_holding
        where = (self.home, self.store, self.notebook, self._store_file, backups)
        return Place(*where, self.zone, self.sync_skills, drop)

    @cached_property
    def zone(self) -> ZoneInfo | None:
        """The time zone people read times in; None is the machine's."""
        name = self.settings[names.DISPLAY_TIME_ZONE]
        return None if name is None else ZoneInfo(name)

    @cached_property
    def choices(self) -> "Choices":
        """Which models are asked, and why: as given for this run, or as set."""
        from hermes_agent.models import choose

        given = self._given_model if isinstance(self._given_model, str) else None
        return choose.choose(self.settings, variables.read(self.home), given)

    @cached_property
    def embedder_choice(self) -> "Chosen":
        """Who turns text into vectors, what the owner should know of it, and why nobody does."""
        from hermes_agent.embedders import choose

        chosen = choose.choose(self.settings, variables.read(self.home))
        if chosen.embedder is not None and not chosen.embedder.is_local:
            from hermes_agent.embedders.remote import Remote

            if isinstance(chosen.embedder, Remote):
                self._opened.callback(chosen.embedder.close)
        return chosen

    @cached_property
    def embedder(self) -> "Embedder | None":
        """Who turns text into vectors; None when nobody does, and memory is found by its words."""
        return self.embedder_choice.embedder

    @cached_property
    def desk(self) -> "Desk":
        """What conversations work with."""
        from hermes_agent.agent.desk import Desk, Limits, Permissions

        settings = self.settings
        is_recalling = settings[names.MEMORY_RETRIEVAL_ENABLED]
        listed_commands = settings[names.TOOLS_SHELL_ALLOWED]
        return Desk(
            home=self.home,
            memory=self.memory,
            notebook=self.notebook,
            library=self.library,
            checkpoints=self.checkpoints,
            model=self.model,
            light_model=self.light_model,
            limits=Limits(
                max_rounds=settings[names.MAX_TOOL_ROUNDS],
                recall_tokens=settings[names.MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS] if is_recalling else 0,
                nudges=self._nudges,
            ),
            permissions=Permissions(
                shell=settings[names.TOOLS_SHELL],
                shell_allowed=listed_commands,
                folders=[paths.expand(folder) for folder in settings[names.TOOLS_FOLDERS]],
                web=settings[names.TOOLS_WEB],
            ),
            store_file=self._store_file,
            servers=self._servers,
            receivers=self._receivers,
            external=self.external,
            external_problem=self.provider_problem,
        )

    @property
    def _receivers(self) -> "Receivers":
        """How the profiles are opened that the agent may hand something over to."""
        allowed = handover_pairs.receivers(self.settings[names.PROFILES_HANDOVER_ALLOWED], self.home.profile)
        return {name: partial(self._memory_of, name) for name in allowed}

    @contextmanager
    def _memory_of(self, profile: str) -> Iterator[Memory]:
        home = profiles.find(profile)
        with closing(App(home, load(home))) as app:
            app.settings.check()
            yield app.memory

    @cached_property
    def _nudges(self) -> "Intervals":
        from hermes_agent.agent.nudge import NEVER, Intervals

        if self.model.is_embedded:
            return NEVER  # it saves at once what it understands; there is nothing to look back for
        settings = self.settings
        return Intervals(settings[names.MEMORY_NUDGE_INTERVAL], settings[names.SKILLS_CREATION_NUDGE_INTERVAL])

    @cached_property
    def _store_file(self) -> Path | None:
        is_file = self.settings[names.MEMORY_BACKEND] == "sqlite"
        return store_path(self.settings, self.home) if is_file else None

    @cached_property
    def _servers(self) -> "McpTools | None":
        """The MCP servers of the settings; the embedded default has no use for them."""
        if not self.settings[names.MCP_SERVERS] or self.model.is_embedded:
            return None
        from hermes_agent.models.mcp import McpTools
        from hermes_agent.models.mcp_servers import read

        return self._opened.enter_context(McpTools(read(self.settings), self.home.mcp_log))

    @cached_property
    def model(self) -> "Model":
        """The model that talks."""
        if self._given_model is not None and not isinstance(self._given_model, str):
            return self._given_model
        return self._connect(self.choices.main)

    @cached_property
    def light_model(self) -> "Model":
        """The model that does the background work."""
        is_given = self._given_model is not None and not isinstance(self._given_model, str)
        return self.model if is_given else self._connect(self.choices.light)

    def _connect(self, choice: "Choice") -> "Model":
        from hermes_agent.models.choose import EmbeddedChoice

        if isinstance(choice, EmbeddedChoice):
            from hermes_agent.agent.embedded.model import Embedded

            return Embedded(self.zone)
        from hermes_agent.models.remote import Remote

        return self._opened.enter_context(closing(Remote(choice)))

    @property
    def writer(self) -> "Model | None":
        """The language model that words what is learned; None where rules do."""
        return None if self.is_light_embedded else self.light_model

    @property
    def is_light_embedded(self) -> bool:
        """Whether no language model does the background work; where none can be chosen, one was meant to."""
        from hermes_agent.models.choose import EmbeddedChoice

        if self._given_model is not None and not isinstance(self._given_model, str):
            return self._given_model.is_embedded
        try:
            return isinstance(self.choices.light, EmbeddedChoice)
        except ModelError:
            return False

    def refuse_lost(self) -> None:
        """Refuse what would make files of a home anew: it is not where it was opened, or its store is not."""
        self.store.refuse_lost()
        presence.refuse_gone(self.home)

    @property
    def has_written(self) -> bool:
        """Whether something was done with the store that may have changed it."""
        return "store" in self.__dict__ and self.store.has_written

    def close(self) -> None:
        """Let go of the database, of the models, and of the servers that were started."""
        if "store" in self.__dict__:
            self.store.close()
        self._opened.close()
        self._inside.close()

    @cached_property
    def _engine(self) -> Engine:
        paths.ensure(self.home)
        self._enter()
        self._inside.enter_context(presence.beside(self._store_file, self.home))
        # Imported here: so is the one engine that is used; each costs start-up time.
        from hermes_agent.store import choose

        return choose.engine(self.home, self.settings, self.keys)

    def _enter(self) -> None:
        """Be in the home, once there is one: before its keys are read, until we are closed or gone."""
        if not self._is_inside and self.home.root.is_dir():
            self._inside.enter_context(presence.inside(self.home))
            self._is_inside = True
