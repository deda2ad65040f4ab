"""What a process told it did, held against what the store has."""

from dataclasses import dataclass, field

from sqlalchemy import select

from hermes_agent.store.store import Store
from hermes_agent.store.tables import messages as message_rows
from hermes_agent.store.tables import sessions as session_rows


@dataclass
class Ledger:
    """What must be in a store, learned line by line from its writers."""

    kept: dict[str, list[str]] = field(default_factory=dict)
    """The acknowledged messages of each session."""
    unsure: dict[str, list[str]] = field(default_factory=dict)
    """What was tried and not acknowledged: all of it may be there, or none of it."""
    doomed: set[str] = field(default_factory=set)
    """Sessions whose deletion began and was not acknowledged."""
    deleted: set[str] = field(default_factory=set)

    def note(self, line: str) -> None:
        """Take in a line of `writer.py`."""
        word, *rest = line.split(" ")
        match word:
            case "try":
                self.unsure[rest[0]] = rest[1:]
            case "kept":
                self.unsure.pop(rest[0])
                self.kept.setdefault(rest[0], []).extend(rest[1:])
            case "deleting":
                self.doomed.add(rest[0])
            case "deleted":
                self.doomed.discard(rest[0])
                self.deleted.add(rest[0])
            case _:
                assert line == "begun", line

    def losses(self, store: Store) -> list[str]:
        """Return what is missing, doubled, half there or back from the dead; settle what was unsure."""
        present = uids_by_session(store)
        losses = [f"{s} is back" for s in self.deleted if s in present]
        for session in self.doomed:
            wanted, there = self.kept.pop(session, []), present.get(session, [])
            self.unsure.pop(session, None)
            if there and not set(wanted) <= set(there):
                losses.append(f"{session} is half deleted")
            if there:
                self.kept[session] = wanted
        self.doomed.clear()
        for session, tried in self.unsure.items():
            there = [uid for uid in tried if uid in present.get(session, [])]
            if there and there != tried:
                losses.append(f"a batch of {session} is half there")
            self.kept.setdefault(session, []).extend(there)
        self.unsure.clear()
        for session in self.deleted:
            self.kept.pop(session, None)
        for session, uids in self.kept.items():
            there = present.get(session, [])
            losses += [f"{uid} of {session} is lost" for uid in set(uids) - set(there)]
            if [uid for uid in there if uid in set(uids)] != uids:
                losses.append(f"{session} is out of order or doubled")
        return losses


def uids_by_session(store: Store) -> dict[str, list[str]]:
    """Return the uids of every session's messages in order, rewound ones too."""
    present: dict[str, list[str]] = {}
    with store.read() as connection:
        query = select(message_rows.c.session_id, message_rows.c.uid).order_by(message_rows.c.id)
        for session, uid in connection.execute(query):
            present.setdefault(session, []).append(uid)
    return present


def wrong_counts(store: Store) -> list[str]:
    """Return the sessions whose counts are not what counting their messages gives."""
    with store.read() as connection:
        query = select(session_rows.c.id, session_rows.c.message_count, session_rows.c.tool_call_count)
        told = {session: (count, calls) for session, count, calls in connection.execute(query)}
        true = dict.fromkeys(told, (0, 0))
        rows = select(message_rows.c.session_id, message_rows.c.role, message_rows.c.tool_calls)
        for session, role, tool_calls in connection.execute(rows.where(message_rows.c.state != "rewound")):
            count, calls = true[session]
            true[session] = count + 1, calls + (len(tool_calls or []) if role == "assistant" else 0)
    return [f"{s} says {told[s]}, has {true[s]}" for s in told if told[s] != true[s]]
