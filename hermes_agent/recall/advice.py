"""What to tell an asker whose search came back empty, or not whole: why, and what to try.

A bare empty list makes a model say "we never talked about that"; the public product's users
complain of it.
"""

from hermes_agent.records.search import Reason

_ADVICE: dict[Reason, str] = {
    "no_words": "The query holds no word to look for. Type a word, a name, or a part of one.",
    "no_match": (
        "No message matches. Try other words, OR between alternatives, a prefix* or fewer words;"
        " roles, source and dates narrow the search too."
    ),
    "widened": "No message holds all of the words; these hold some of them. Use quotes for an exact phrase.",
    "fragment": "No message holds these as whole words; they were found as parts of longer ones.",
    "unfinished": (
        "Nothing matched as a word, and the time ran out before every message was read for it literally;"
        " only the newest were. Try a whole word or a prefix*."
    ),
    "narrowed": ("The words are so common that only a part of the archive was ranked. Add a rarer word."),
}


def explain(reason: Reason | None, hidden: int, in_current: int) -> str | None:
    """Return the sentence for a reason; None when there is nothing to say."""
    if reason is None:
        return None
    if reason != "hidden":
        return _ADVICE[reason]
    parts = []
    if in_current:
        parts.append(f"{in_current} in the current conversation, which is before you already")
    if hidden:
        parts.append(f"{hidden} of other roles, sources or dates")
    left_out = "; ".join(parts)
    return f"Messages match, but were left out: {left_out}. Ask for their role, source or time to see them."
