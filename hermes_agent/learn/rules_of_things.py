"""What becomes of things at work: an old address is dead, tickets are closed after thirty days."""

from collections.abc import Iterator

from hermes_agent.learn import attributes
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.records.statements import USER, WE, Statement

_RETIRED = word_set("retire decommission sunset deprecate discontinue dismantle")
_OFF = {"switch": "off", "shut": "down", "turn": "off", "take": "down", "phase": "out"}
_DEAD = word_set("dead defunct gone obsolete deprecated")
_ADDRESSES = word_set("account address channel domain email inbox link list mailbox number one url")
_UNTOLD = word_set("the my our old previous other last former first")
_RECORDS = word_set(
    """accounts artifacts backups branches builds certificates cookies flags invites invoices issues keys links
    logs orders passwords payments records requests resets sessions snapshots tickets tokens"""
)
_WITHIN = word_set("after for within every")
_UNITS = word_set("days weeks months hours years minutes")


def read_retired(told: Told) -> Iterator[Statement]:
    """Yield a thing that is used no longer: "the old VPN has been switched off"."""
    words, verb, noun = told.words, told.verb, told.subject.noun
    if (
        noun is None
        or not verb.is_passive
        or verb.tense not in ("past", "perfect")
        or verb.is_denied
        or verb.modal
    ):
        return
    if verb.verb in _RETIRED or words.at(verb.end) == _OFF.get(verb.verb, "-"):
        yield told.made(attributes.USES, noun, "no longer", who=WE)


def read_dead_address(told: Told, begin: int) -> Iterator[Statement]:
    """Yield an address nobody reads any more: "the hotmail one is dead"."""
    words, noun = told.words, told.subject.noun
    is_address = noun is not None and words.words[noun[1] - 1] in _ADDRESSES
    is_address = is_address and noun is not None and words.words[noun[1] - 2] not in _UNTOLD
    if noun is not None and is_address and words.at(begin) in _DEAD and told.verb.tense == "present":
        yield told.made("contact", noun, "no longer", who=USER)


def read_term(told: Told) -> Iterator[Statement]:
    """Yield how long things are kept, or when they are dropped: "logs are kept for 30 days"."""
    words, verb, subject = told.words, told.verb, told.clause.subject
    if subject is None or words.words[subject[1] - 1] not in _RECORDS or verb.modal or verb.tense == "future":
        return
    listed = words.words[verb.place : told.clause.end]
    is_term = any(
        word in _WITHIN and not _UNITS.isdisjoint(listed[at + 2 : at + 4]) for at, word in enumerate(listed)
    )
    is_general = words.words[subject[0]] not in ("these", "those", "this", "that", "your", "his", "her", "their")
    is_ruled = verb.tense == "present" or words.words[verb.begin - 1 : verb.begin] == ["get"]
    if is_term and is_general and is_ruled:
        yield told.made(attributes.NOTE, (subject[0], told.clause.end), "is", who=WE)
