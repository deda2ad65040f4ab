"""How everything is, a line each, and what to do about what is not well.

A part of the program tells how it is in a section: a function from the app to lines, listed in `SECTIONS`.
A section that fails is itself a line that is not well; the others are shown all the same.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from hermes_agent import __version__, clock
from hermes_agent.app import App
from hermes_agent.config import pid_file
from hermes_agent.config import settings as names
from hermes_agent.config.enabled_gateways import enabled_gateways
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import HermesError
from hermes_agent.jobs import backing_up
from hermes_agent.jobs import learning as learning_job
from hermes_agent.memory import provider_health, spending
from hermes_agent.memory import status as memory_status
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.shown import gateways as shown_gateways
from hermes_agent.memory.shown import provider as shown_provider
from hermes_agent.memory.shown.jobs import waiting_kinds
from hermes_agent.models.choose import EmbeddedChoice
from hermes_agent.records.archive import Json
from hermes_agent.records.status import Line as Line
from hermes_agent.status import readiness
from hermes_agent.status.forgetting import unfinished
from hermes_agent.status.storage import store
from hermes_agent.status.vectors import embedder
from hermes_agent.store import arrivals, jobs, quarantine
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

_OVERDUE = 86_400 * clock.MICROSECONDS
_MOST_FAILED = 20


Section = Callable[[App], Sequence[Line]]


def lines(app: App) -> list[Line]:
    """Tell how everything is."""
    return [line for name in SECTIONS for line in _told(name, app)]


def is_well(found: Sequence[Line]) -> bool:
    """Tell whether nothing is wrong; what only could be better is not."""
    return all(line.advice is None or not line.is_problem for line in found)


def as_json(found: Sequence[Line]) -> dict[str, Json]:
    """Write how everything is for programs, and apart what to do about it."""
    return {
        "is_well": is_well(found),
        **{line.name.lower(): line.value for line in found},
        "advice": [
            {"about": line.name.lower(), "trouble": line.text, "advice": line.advice}
            for line in found
            if line.advice is not None
        ],
    }


def daemon(app: App) -> list[Line]:
    """Tell whether the daemon runs, and whether it is the one that should."""
    found = pid_file.running(app.home)
    if found is None:
        return [_without_daemon(app)]
    since = local_time(found.started_at, app.settings)
    text = f"running (pid {found.pid}) since {since}, version {found.version}, log {app.home.daemon_log}"
    trouble = found.worker_trouble or readiness.trouble(found)
    value: Json = {
        "is_running": True,
        "pid": found.pid,
        "machine": found.machine,
        "started_at": clock.iso(found.started_at),
        "version": found.version,
        "log": str(app.home.daemon_log),
        "trouble": trouble,
    }
    advice = None
    if found.worker_trouble is not None:
        text, advice = f"{text}. {trouble}", "See the end of the log, then run: hermes restart"
    elif trouble is not None:
        text, advice = f"{text}. {trouble}", "What stands in its way, tells the end of the log"
    elif found.version != __version__:
        advice = f"This is version {__version__}. Run: hermes restart"
    elif _changed_at(app) > found.started_at:
        advice = "The settings were changed since. Run: hermes restart"
    return [Line("Daemon", text, value, advice)]


def dashboard(app: App) -> list[Line]:
    """Tell where the dashboard is, or why there is none; nothing without a daemon, which would serve it."""
    found = pid_file.running(app.home)
    if found is None:
        return []
    value: Json = {"address": found.address, "trouble": found.web_trouble}
    if found.address is not None:
        return [Line("Dashboard", f"{found.address} (open it: hermes dashboard)", value)]
    if found.web_trouble is not None:
        return [Line("Dashboard", f"none. {found.web_trouble}", value, "When that is mended: hermes restart")]
    return [Line("Dashboard", "off (web.enabled)", value)]


def gateways(app: App) -> list[Line]:
    """Tell how the chat platforms are that the daemon connects to; nothing where none is to run."""
    enabled = enabled_gateways(app.settings)
    if not enabled:
        return []
    found = pid_file.running(app.home)
    with app.store.read() as connection:
        counts = arrivals.counts(connection)
    health = shown_gateways.health(enabled, None if found is None else found.gateways, counts)
    return shown_gateways.line(health, is_daemon_there=found is not None)


def waiting_jobs(app: App) -> list[Line]:
    """Tell how many jobs there are in which state, and why the latest one failed."""
    with app.store.read() as connection:
        counts = jobs.counts(connection)
        failed = jobs.unsolved(connection, _MOST_FAILED)
        due = jobs.earliest_due(connection)
    numbers = {"waiting": counts.get("waiting", 0), "running": counts.get("running", 0), "failed": len(failed)}
    shown = ", ".join(f"{number} {state}" for state, number in numbers.items() if number)
    latest: Json = None
    advice = None
    if failed:
        last = failed[0]
        latest = {"id": last.id, "kind": last.kind, "reason": last.reason}
        shown += f"; job {last.id} ({last.kind}): {preview(last.reason or '', 120)}"
        advice = f"See all: hermes jobs list --state failed. Try again: hermes jobs retry {last.id}"
    elif due is not None and due < clock.now() - _OVERDUE:
        shown += f", the first of them since {local_time(due, app.settings)}"
        advice = "Run them with: hermes start (or once: hermes jobs run)"
    return [Line("Jobs", shown or "none", {**numbers, "latest_failure": latest}, advice)]


def profile(app: App) -> list[Line]:
    """Tell whose memory this is."""
    value: Json = {"name": app.home.profile, "home": str(app.home.root)}
    return [Line("Profile", f"{app.home.profile} ({app.home.root})", value)]


def model(app: App) -> list[Line]:
    """Tell which model is asked, and why."""
    choice = app.choices.main
    value: Json = {"name": choice.name, "reason": choice.reason}
    return [Line("Model", f"{choice.name} ({choice.reason})", value)]


def index(app: App) -> list[Line]:
    """Tell whether everything that was said is found by its words, and is in an episode."""
    found = memory_status.indexes(app.store)
    value: Json = {"is_behind": found.is_behind, "missing_episodes": found.missing_episodes}
    if found.is_behind:
        return [Line("Index", "the newest messages are not found by their words", value, "Run: hermes db repair")]
    if not found.missing_episodes:
        return [Line("Index", "up to date", value)]
    with app.store.read() as connection:
        is_waiting = bool(jobs.open_keys(connection, [EPISODES]))
    least = "at least " if found.missing_episodes == memory_status.MOST_MISSING else ""
    text = f"{least}{counted(found.missing_episodes, 'exchange')} in no episode yet"
    return [Line("Index", text, value, None if is_waiting else "Make them: hermes jobs run")]


def learning(app: App) -> list[Line]:
    """Tell who learns from conversations, how many wait for that, and what hinders it."""
    found = learning_job.health(app.memory)
    light = app.choices.light
    is_without_model = isinstance(light, EmbeddedChoice)
    reader_trouble = _reader_trouble(app) if is_without_model else None
    who = _readers(app, reader_trouble) if is_without_model else light.name
    value: Json = {
        "by": who,
        "waiting": found.waiting,
        "trouble": found.trouble,
        "read_by_rules": found.by_rules,
    }
    told = [f"by {who}"]
    if found.waiting:
        least = "at least " if found.waiting == learning_job.MOST_WAITING else ""
        told.append(f"{least}{counted(found.waiting, 'conversation')} to learn from")
    if found.by_rules:
        told.append(f"in the last day it was the rules {counted(found.by_rules, 'time')} (hermes memory log)")
    if reader_trouble is not None:
        told.append(f"the trained reader cannot read: {reader_trouble}")
    if found.trouble is None and reader_trouble is not None:
        advice = 'Install it again: pip install --force-reinstall "hermes-agent[minilm]"'
        return [Line("Learning", "; ".join(told), value, advice)]
    if found.trouble is None:
        return [Line("Learning", "; ".join(told), value)]
    told.append(preview(found.trouble, 160))
    again = f"hermes jobs retry {found.job_id} && hermes jobs run"
    return [Line("Learning", "; ".join(told), value, f"It is tried again by and by; at once by: {again}")]


def _readers(app: App, trouble: str | None) -> str:
    """Name who reads without a language model."""
    return "rules and the trained reader" if app.memory.is_trained and trouble is None else "rules"


def _reader_trouble(app: App) -> str | None:
    """Say why the trained reader cannot read, if it is wanted."""
    from hermes_agent.learn.trained.packages import trouble

    return trouble() if app.memory.is_trained else None


def reranker(app: App) -> list[Line]:
    """Tell who puts what was found into a better order, and why nobody could; nothing if nobody should."""
    provider = app.reranking.provider
    if provider == "none":
        return []
    trouble = memory_status.reranker_trouble(app.store, app.reranking)
    value: Json = {"provider": provider, "trouble": trouble}
    if trouble is None:
        return [Line("Reranker", provider, value)]
    advice = "See the settings memory.rerank.*: hermes config show. The next search tries again."
    return [Line("Reranker", f"{trouble} What is found stays in the order it was found in.", value, advice)]


def external(app: App) -> list[Line]:
    """Tell how the external memory is; nothing if there is none."""
    name = app.settings[names.MEMORY_PROVIDER]
    if name is None:
        return []
    opened, health = app.external, provider_health.read(app.store, name)
    when = "" if health.trouble_at is None else local_time(health.trouble_at, app.settings)
    problem = None if app.provider_problem is None else app.provider_problem.message
    is_ready = opened is not None and opened.watched.is_available
    mode = app.settings[names.MEMORY_PROVIDER_MODE]
    return [shown_provider.line(name, mode, health, when, problem, is_ready=is_ready)]


def quarantined(app: App) -> list[Line]:
    """Tell how much waits for the owner's review; that is no trouble, and nothing if nothing waits."""
    with app.store.read() as connection:
        count = quarantine.count_waiting(connection)
    text = f"{counted(count, 'text')} in quarantine; decide about them: hermes memory review"
    return [Line("Review", text, {"waiting": count})] if count else []


def cost(app: App) -> list[Line]:
    """Tell how much of the day's cap is used and what waits because of it; nothing if there is no cap."""
    if not app.cap.tokens:
        return []
    today, capped = app.cap.today(app.store), spending.waiting(app.store)
    value: Json = {"used_today": today.used, "cap": today.cap, "waiting_jobs": [job.id for job in capped]}
    told = [f"{today.used:,} of {counted(today.cap, 'token')} for background work today"]
    if capped:
        until = local_time(capped[0].due_at, app.settings)
        told.append(f"the cap is reached, {waiting_kinds(capped)} until {until}")
    return [Line("Cost", "; ".join(told), value)]


def backups(app: App) -> list[Line]:
    """Tell when the last backup was made, whether a day was missed, and whether its key is safe."""
    made, since = backing_up.last(app.store)
    folder = backing_up.folder_of(app.home, app.settings)
    file = None if made is None else backing_up.last_there(app.home, app.store, app.settings)
    is_daily = app.settings[names.BACKUP_DAILY]
    where = "which is not there now" if file is None else f"in {file.parent}"
    when = "none yet" if made is None else f"the last at {local_time(made, app.settings)}, {where}"
    told = {"last": None if made is None else clock.iso(made), "file": None if file is None else str(file)}
    value: Json = {**told, "folder": str(folder), "is_daily": is_daily}
    text = when if is_daily else f"{when}; none are made by themselves (backup.daily)"
    advice = None
    expected = made or since
    if is_daily and expected is not None and clock.now() - expected > 2 * backing_up.DAY:
        text, advice = f"{text}; a day was missed", "Run: hermes start (or once: hermes backup create)"
    elif made is not None and (copy := copy_of_key(app, file)) != "elsewhere":
        near = ", and beside them on the same disk, protected by a passphrase" if copy == "near" else ""
        text = f"{text}; their key is only in {app.home.backup_key}{near}"
        advice = "Copy it to another place, then run: hermes backup key --confirm"
        return [Line("Backups", text, value, advice, is_problem=copy == "none")]
    return [Line("Backups", text, value, advice)]


def copy_of_key(app: App, backup: Path | None) -> str:
    """Tell where there is a copy of the key of backups; keys that were named in the settings are their owner's."""
    from hermes_agent.ops.backups import confirming

    if app.settings[names.BACKUP_RECIPIENTS] or not app.home.backup_key.exists():
        return "elsewhere"
    return confirming.copy_of_key(app.home, app.store, backup)


def encrypted(app: App) -> list[Line]:
    """Tell by what an encrypted home is opened, and what in it is plain; nothing of a home that is not."""
    if app.keys is None:
        return []
    from hermes_agent.config import encryption, owner_key
    from hermes_agent.config.store_path import store_path
    from hermes_agent.ops.encryption.plain import by_hand, plain

    found = encryption.read(app.home)
    assert found is not None, "only an encrypted home has keys"
    opened_by = f"opened by {owner_key.named(found.source)}"
    left = [one.place for one in plain(app.home, store_path(app.settings, app.home))]
    left += [f"{file.name} (by hand)" for file in by_hand(app.home)]
    text = opened_by + (f"; plain: {', '.join(left)}" if left else "")
    return [Line("Encryption", text, {"opened_by": opened_by, "plain": left})]


SECTIONS: dict[str, Section] = {
    "Daemon": daemon,
    "Dashboard": dashboard,
    "Gateways": gateways,
    "Jobs": waiting_jobs,
    "Store": store,
    "Profile": profile,
    "Model": model,
    "Embedder": embedder,
    "Index": index,
    "Learning": learning,
    "Reranker": reranker,
    "Provider": external,
    "Review": quarantined,
    "Forgetting": unfinished,
    "Cost": cost,
    "Backups": backups,
    "Encryption": encrypted,
}


def _told(name: str, app: App) -> Sequence[Line]:
    try:
        return SECTIONS[name](app)
    except HermesError as error:
        return [Line(name, error.message, None, error.hint or "Read the message above.")]


def _without_daemon(app: App) -> Line:
    left = pid_file.written(app.home)
    if left is None:
        text = "not running; short work is done after commands, the rest by: hermes jobs run"
        return Line("Daemon", text, {"is_running": False})
    when = local_time(left.started_at, app.settings)
    value: Json = {"is_running": False, "killed_pid": left.pid}
    return Line("Daemon", f"killed; it ran since {when} (pid {left.pid})", value, "Run: hermes start")


def _changed_at(app: App) -> int:
    """Return when the newest of the settings files was changed."""
    home = app.home
    files = (home.config_yaml, home.config_json, home.config_jsonc, home.env_file)
    return max((file.stat().st_mtime_ns // 1_000 for file in files if file.exists()), default=0)
