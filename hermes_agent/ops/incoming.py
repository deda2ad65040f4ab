"""A session on its way in: a JSON object checked and turned into what the store keeps.

An object with a `uid` has the form of our export and is taken literally. One without is the public
product's, from its export or straight from its database: JSON columns are decoded, lists as content
become JSON text, counts are made anew, and uids are derived from session id, position and content,
so that the same conversation has the same uids whichever way and however often it comes.

Whoever writes a file can write any form. So whose words they are is not the file's to say: they are an
import's (`as_import`), unless the owner says that the file is their own.
"""

import json
from dataclasses import dataclass, replace
from typing import cast, get_args

from hermes_agent.ops.fields import Fields, Malformed
from hermes_agent.records.archive import UNTRUSTED, Json, NewMessage, NewSession, ParentKind, SourceClass, State
from hermes_agent.store.restore import PastSession, Tokens, message_uid, session_uid
from hermes_agent.store.sessions import LONGEST_ID

CONTENT_PREFIXES = ("\x00json:", "\x01json:")
"""How the public product marks content that is no text; the second since NUL troubled PostgreSQL."""

_UNKNOWN_SOURCE = "import"

CONTENT_FORM = "content_form"
"""The metadata key that says so of such content here: its value is `json`."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A session with its messages, each with a uid; `parent_kind` is None where it must be found out."""

    past: PastSession
    messages: tuple[NewMessage, ...]

    @property
    def uids(self) -> list[str]:
        return [message.uid for message in self.messages if message.uid is not None]

    def as_import(self) -> "Incoming":
        """Return it as what nobody vouches for: a message may say less of itself than `import`, never more."""
        return replace(
            self, messages=tuple(replace(one, source_class=_class_of_import(one)) for one in self.messages)
        )


def read_session(value: Json) -> Incoming:
    """Check an object and read it; raise Malformed with the reason if it is no session."""
    if not isinstance(value, dict):
        raise Malformed("it is not a JSON object")
    fields = Fields(value)
    is_ours = "uid" in fields
    said = fields.raw("messages")
    if said is None:
        raise Malformed("messages is missing")
    if not isinstance(said, list):
        raise fields.malformed("messages", said, "a list")
    session_id = fields.needed_text("id")
    if not session_id:
        raise Malformed("id is empty")
    if len(session_id) > LONGEST_ID:
        raise Malformed(f"id has more than {LONGEST_ID} characters")
    started_at = fields.moment("started_at")
    messages = _read_messages(session_id, said, started_at, is_ours=is_ours)
    if started_at is None:
        if not messages:
            raise Malformed("started_at is missing")
        started_at = messages[0].said_at or 0
    past = _read_past(fields, session_id, started_at, is_ours=is_ours)
    return Incoming(past, messages)


def _read_past(fields: Fields, session_id: str, started_at: int, *, is_ours: bool) -> PastSession:
    uid = fields.uid() or session_uid(session_id, started_at)
    # The public product counts other rows than we do, so its counts are made anew.
    counts = fields.whole("message_count"), fields.whole("tool_call_count")
    return PastSession(
        id=session_id,
        uid=uid,
        started_at=started_at,
        ended_at=fields.moment("ended_at"),
        end_reason=fields.text("end_reason"),
        last_active_at=fields.moment("last_active_at"),
        message_count=counts[0] if is_ours else None,
        tool_call_count=counts[1] if is_ours else None,
        tokens=Tokens(
            input=fields.whole("input_tokens") or 0,
            output=fields.whole("output_tokens") or 0,
            cache_read=fields.whole("cache_read_tokens") or 0,
            cache_write=fields.whole("cache_write_tokens") or 0,
            reasoning=fields.whole("reasoning_tokens") or 0,
        ),
        is_archived=fields.flag("archived", False),
        is_pinned=fields.flag("pinned", False),
        # Last, since its metadata takes everything nobody took.
        begun=_read_begun(fields, is_ours=is_ours),
    )


def _read_begun(fields: Fields, *, is_ours: bool) -> NewSession:
    source = fields.text("source")
    return NewSession(
        source=_UNKNOWN_SOURCE if source is None else source,
        user_id=fields.text("user_id"),
        model=fields.text("model"),
        model_config=fields.json("model_config") if is_ours else fields.decoded("model_config"),
        system_prompt=fields.text("system_prompt"),
        parent_session_id=fields.text("parent_session_id") or None,
        parent_kind=cast("ParentKind | None", fields.one_of("parent_kind", get_args(ParentKind))),
        title=fields.text("title"),
        title_source=fields.text("title_source"),
        folder=fields.text("cwd"),
        metadata=fields.metadata(),
    )


def _read_messages(
    session_id: str, said: list[Json], started_at: int | None, *, is_ours: bool
) -> tuple[NewMessage, ...]:
    """Read the messages; one without a time was said when the one before it was."""
    messages: list[NewMessage] = []
    moment = started_at or 0
    for position, value in enumerate(said):
        where = f"message {position + 1}: "
        if not isinstance(value, dict):
            raise Malformed(f"{where}it is not a JSON object")
        fields = Fields(value, where)
        said_at = fields.moment("timestamp")
        moment = moment if said_at is None else said_at
        messages.append(_read_message(fields, session_id, position, moment, is_ours=is_ours))
    return tuple(messages)


def _read_message(fields: Fields, session_id: str, position: int, moment: int, *, is_ours: bool) -> NewMessage:
    fields.drop("id", "session_id")
    role = fields.needed_text("role")
    content, is_json = _content(fields, is_ours=is_ours)
    return NewMessage(
        role=role,
        content=content,
        said_at=moment,
        source_class=cast("SourceClass | None", fields.one_of("source_class", get_args(SourceClass))),
        tool_calls=fields.json("tool_calls") if is_ours else fields.decoded("tool_calls"),
        tool_call_id=fields.text("tool_call_id"),
        tool_name=fields.text("tool_name"),
        token_count=fields.whole("token_count", bits=32),
        finish_reason=fields.text("finish_reason"),
        reasoning=fields.text("reasoning"),
        model=fields.text("model"),
        sent=fields.text("api_content"),
        is_summary=fields.flag("is_summary", False),
        state=_state(fields.flag("active", True), fields.flag("compacted", False)),
        attachments=fields.json("attachments"),
        uid=fields.uid() or message_uid(session_id, position, moment, role, content),
        speaker=_speaker(fields, role),
        # Last, since it takes everything nobody took.
        metadata={**fields.metadata(), **({CONTENT_FORM: "json"} if is_json else {})},
    )


def _class_of_import(message: NewMessage) -> SourceClass:
    if message.source_class in UNTRUSTED:
        return message.source_class
    return "tool" if message.role == "tool" else "import"


def _content(fields: Fields, *, is_ours: bool) -> tuple[str | None, bool]:
    """Take the content as text, and whether that text is JSON made of something else."""
    value = fields.json("content")
    if isinstance(value, str) and not is_ours and value.startswith(CONTENT_PREFIXES):
        try:
            value = json.loads(value[len(CONTENT_PREFIXES[0]) :])
        except (ValueError, RecursionError):
            return cast(str, value), False
    if value is None or isinstance(value, str):
        return value, False
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False), True
    raise fields.malformed("content", value, "a text")


def _speaker(fields: Fields, role: str) -> str | None:
    """Take who said it; others call it `name`, which with a tool's message is the tool."""
    speaker = fields.text("speaker")
    if speaker is not None or role == "tool":
        return speaker
    return fields.text_if_it_is("name")


def _state(is_active: bool, is_compacted: bool) -> State:
    if is_active:
        return "live"
    return "compacted" if is_compacted else "rewound"
