"""The whole site of one home: its API, its pages, and the guard in front of them.

A route of the API lives in `api/`, a page in `pages/`, each module with a `router`; what is listed here is served.
Errors of ours become problems for programs and a page for people.
"""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from http import HTTPStatus
from importlib import resources
from urllib.parse import quote

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.routing import Route

from hermes_agent import __version__, clock
from hermes_agent.app import App
from hermes_agent.config import full_disk, paths
from hermes_agent.config import settings as names
from hermes_agent.config.addresses import is_own_host
from hermes_agent.errors import HermesError, SettingError
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.jobs.worker import LOG, described
from hermes_agent.memory.forget_shown import Forgotten
from hermes_agent.memory.program_sessions import ProgramSessions
from hermes_agent.web import document, problems, returning, speaking, tls
from hermes_agent.web.answers import PROBLEMS
from hermes_agent.web.api import every, health, metrics
from hermes_agent.web.behind import Behind, Mounted
from hermes_agent.web.callers import looking_on
from hermes_agent.web.chats import Chats
from hermes_agent.web.followed import Followed
from hermes_agent.web.gate import BODY_SECONDS, Gate
from hermes_agent.web.guard import LOOPBACK, Guard
from hermes_agent.web.limits import Limits
from hermes_agent.web.metrics import Meter
from hermes_agent.web.pages import every as pages
from hermes_agent.web.problems import Ending, TooMany, Unauthorized
from hermes_agent.web.rendering import render
from hermes_agent.web.rights import Rights
from hermes_agent.web.runs import Runs
from hermes_agent.web.server import CLOSING_SECONDS
from hermes_agent.web.watching import Watch

_MB = 1_000_000
_MOST_THREADS = 16
_BUG = "Something went wrong here; the log tells where."
_CHECK = "Go back, and check what was filled in."
_IN_WORDS = {404: "There is no such page.", 405: "This page cannot be asked for in this way."}


def build(
    app: App, pulse: Pulse | None = None, mounted: Collection[Mounted] = (), body_seconds: float = BODY_SECONDS
) -> FastAPI:
    """Put the site of a home together: its own routes, and apps of other doors behind the same tokens.

    `pulse` is that of the worker beside it; `body_seconds` is how long what somebody sends may keep it waiting.
    """
    settings, pulse = app.settings, pulse or Pulse()
    site = FastAPI(
        title="hermes-agent",
        version=__version__,
        description=document.ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_running(mounted, _threads(app)),
    )
    most_bytes = settings[names.WEB_MOST_BODY_MB] * _MB
    if app.keys is not None:
        # Of what is sent to an encrypted home nothing waits in a plain temporary file; a process serves one home.
        MultiPartParser.spool_max_size = most_bytes
    site.state.app = app
    site.state.pulse = pulse
    site.state.meter = Meter(app, pulse)
    site.state.rights = Rights(lambda: site.routes)
    site.state.limits = Limits(settings[names.WEB_REQUESTS_PER_MINUTE])
    site.state.chats = Chats(app)
    site.state.runs = Runs(app)
    site.state.forgetting = Followed[Forgotten]()
    site.state.programs = ProgramSessions(app.memory, speaking.SOURCE)
    site.include_router(health.router)
    site.include_router(metrics.router, include_in_schema=False)
    for router in every.ROUTERS:
        site.include_router(router, prefix="/api", responses=PROBLEMS)
    for router in pages.ROUTERS:
        site.include_router(router, include_in_schema=False)
    for one in mounted:
        site.router.routes.append(Route(one.path, one.app if one.is_signed else Behind(one.app)))
    site.mount(
        "/static", StaticFiles(directory=str(resources.files("hermes_agent.web") / "static")), name="static"
    )
    site.openapi = partial(document.describe, site)  # type: ignore[method-assign]  # as FastAPI's guide does it
    for kind in (HermesError, RequestValidationError, HTTPException):
        site.add_exception_handler(kind, _answer)
    site.add_middleware(
        Gate,
        answer=_answer,
        rights=site.state.rights,
        signed=[one.path for one in mounted if one.is_signed],
        body_seconds=body_seconds,
    )
    site.add_middleware(
        Guard,
        names=[*LOOPBACK, settings[names.WEB_HOST], *settings[names.WEB_NAMES]],
        most_bytes=most_bytes,
        has_tls=settings[names.WEB_TLS_CERTIFICATE] is not None,
    )
    site.add_middleware(Watch, meter=site.state.meter, routes=lambda: site.routes)
    return site


def _threads(app: App) -> int:
    """Return how many handlers work at once; more than the store has connections would wait for each other."""
    is_file = app.settings[names.MEMORY_BACKEND] == "sqlite"
    return _MOST_THREADS if is_file else min(_MOST_THREADS, app.settings[names.MEMORY_POOL_SIZE])


def _running(mounted: Collection[Mounted], threads: int) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def running(site: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = threads
        async with AsyncExitStack() as stack:
            for one in mounted:
                if one.running is not None:
                    await stack.enter_async_context(one.running)
            yield
        # When the server ends, what is being said is kept, and no command goes on.
        stop(site)
        await run_in_threadpool(_close, site)

    return running


def stop(site: FastAPI) -> None:
    """Let no chat and no command begin any more, and stop those under way; return at once."""
    site.state.chats.stop()
    site.state.runs.stop()
    site.state.forgetting.stop()


def _close(site: FastAPI) -> None:
    deadline = clock.monotonic() + CLOSING_SECONDS
    site.state.chats.close(CLOSING_SECONDS)
    site.state.runs.close(max(deadline - clock.monotonic(), 0))


def check_address(app: App) -> None:
    """Refuse to listen where others can read along, unless there is TLS or the owner said so."""
    settings = app.settings
    host = settings[names.WEB_HOST]
    certificate, key = settings[names.WEB_TLS_CERTIFICATE], settings[names.WEB_TLS_KEY]
    if (certificate is None) != (key is None):
        raise SettingError("web.tls.certificate and web.tls.key go together.", hint="Set both, or neither.")
    if certificate is None and not settings[names.WEB_PLAIN] and not is_own_host(host):
        raise SettingError(
            f"web.host is {host}, where others can read along, and there is no TLS.",
            hint="Set web.tls.certificate and web.tls.key, or web.plain behind a proxy that has TLS.",
        )
    if certificate is not None and key is not None:
        tls.check(paths.expand(certificate), paths.expand(key))


async def _answer(request: Request, error: Exception) -> Response:
    """Answer what went wrong: a problem for programs, a page for people, with the menu if they are logged in.

    A full disk is no bug, whoever met it.
    """
    if full_disk.is_meant(error):
        error = full_disk.refusal()
    path = request.url.path
    if isinstance(error, Ending):
        LOG.warning("Not waited for, since the server ends: %s %s", request.method, _route(request))
    if path.startswith(("/api/", "/mcp")) or "text/html" not in request.headers.get("accept", ""):
        return _problem(request, error)
    if isinstance(error, Unauthorized):
        wanted = returning.wanted(request, partial(_is_page, request))
        return RedirectResponse(f"/login?next={quote(wanted)}", status_code=303)
    caller = None if isinstance(error, TooMany) else await looking_on(request)
    if isinstance(error, Ending):
        return render(request, caller, "error.html", error=error)  # no thread is waited for any more
    if isinstance(error, HermesError):
        return await run_in_threadpool(render, request, caller, "error.html", error=error)
    if isinstance(error, HTTPException):
        status, told = (
            HTTPStatus(error.status_code),
            HermesError(_IN_WORDS.get(error.status_code, str(error.detail))),
        )
    elif isinstance(error, RequestValidationError):
        status, told = HTTPStatus.UNPROCESSABLE_ENTITY, HermesError("What was asked does not fit.", hint=_CHECK)
    else:
        _log_bug(request, error)
        status, told = HTTPStatus.INTERNAL_SERVER_ERROR, HermesError(_BUG)
    page = await run_in_threadpool(render, request, caller, "error.html", status=status, error=told)
    page.headers.update((error.headers or {}) if isinstance(error, HTTPException) else {})
    return page


def _is_page(request: Request, path: str) -> bool:
    rights = request.app.state.rights
    assert isinstance(rights, Rights)
    return rights.of({"method": "GET", "path": path}) is not None


def _problem(request: Request, error: Exception) -> Response:
    if isinstance(error, HermesError):
        return problems.of_error(error)
    if isinstance(error, HTTPException):
        return problems.of_http(error)
    if isinstance(error, RequestValidationError):
        return problems.of_invalid(error)
    _log_bug(request, error)
    return problems.problem(HTTPStatus.INTERNAL_SERVER_ERROR, _BUG)


def _log_bug(request: Request, error: Exception) -> None:
    """Log where a request failed, not what it was about: an error may quote a conversation."""
    LOG.error("A request failed: %s %s: %s", request.method, _route(request), described(error))


def _route(request: Request) -> str:
    return getattr(request.scope.get("route"), "path", "")
