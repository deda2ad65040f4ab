"""Quote the user: the words, the day and the place, and an ellipsis where words were cut."""

from collections.abc import Iterator

from hermes_agent.agent.embedded.evidence import Known
from hermes_agent.agent.embedded.lookup import Quotation
from hermes_agent.agent.embedded.scene import Saying
from hermes_agent.agent.embedded.wording import day, ended, phrases, quote
from hermes_agent.text.words import uncapital

_FROM_OTHERS = ", from "


def quoted(known: Known, language: str) -> str:
    """Quote the words a statement comes from."""
    text = known.saying.text if known.saying.source in ("note", "fact") else known.quote
    return said(text, known.saying, language, is_cut=known.is_cut)


def said(text: str, saying: Saying, language: str, *, is_cut: bool = False) -> str:
    """Quote words of the user, or of a note."""
    if saying.source == "note":
        return ended(f"{saying.place} says {quote(text)}")
    if saying.source == "fact":
        return f"{quote(text)} ({', '.join(_cited(saying, language))})."
    words = phrases(language)
    shown = quote(text, is_cut=is_cut or (saying.is_cut and saying.text.rstrip().endswith(text)))
    if saying.at is None:
        return ended(words.you_said_here.format(quote=shown).removesuffix("."))
    return words.you_said.format(date=day(saying.at, language), quote=shown, place=saying.place)


def since(saying: Saying, language: str) -> str:
    """Say from when something is known."""
    words = phrases(language)
    if saying.source == "note":
        return words.in_note.format(file=saying.place)
    if _FROM_OTHERS in saying.place:
        return words.in_note.format(file=saying.place)
    if saying.at is None:
        return words.told_here
    return words.told_on.format(date=day(saying.at, language), place=saying.place)


def _cited(saying: Saying, language: str) -> Iterator[str]:
    """Yield where a fact stands, when it was said, and when it was so."""
    yield saying.place
    if saying.at is not None:
        yield f"said {day(saying.at, language)}"
    if saying.since is not None:
        yield f"since {day(saying.since, language)}"
    if saying.until is not None:
        yield f"until {day(saying.until, language)}"


def near_by(near: Quotation, language: str = "en") -> str:
    """Quote what comes nearest to what was asked."""
    return phrases(language).nearest.format(said=uncapital(said(near.text, near.saying, language)))
