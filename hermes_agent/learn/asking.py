"""Whether a clause asks, refuses something, or is meant from now on, by the words it begins with."""

from hermes_agent.learn import glue
from hermes_agent.learn.tokens import Words

BREAKS = frozenset(',;:()—–-…"/.□')
_TURNED_OUT = (["it", "turns", "out"], ["it", "turned", "out"])
FROM_NOW_ON = (["from", "now", "on"], ["from", "here", "on"])


def from_now_on(words: Words, place: int) -> int:
    """Return where "from now on" or "in future" ends that stands at a place; 0 if neither does."""
    if words.words[place : place + 3] in FROM_NOW_ON:
        return place + 3
    is_future = words.words[place : place + 2] == ["in", "future"]
    return place + 2 if is_future and words.at(place + 2) in ("please", "just", "always", "never", "only") else 0


def turned_out(words: Words, place: int) -> int:
    """Return where "it turned out" ends that stands at a place; 0 if it does not."""
    return place + 3 if words.words[place : place + 3] in _TURNED_OUT else 0


def is_for_good(words: Words) -> bool:
    """Tell whether a sentence speaks of all time to come."""
    return any(words.words[place : place + 3] in FROM_NOW_ON for place in range(len(words.words) - 2))


def refuses(words: Words, begin: int, place: int, end: int, joint: tuple[str, ...]) -> bool:
    """Tell whether "no ARM-only images please" begins at a place."""
    is_no = (place > begin and words.words[place - 1] == "no") or words.words[place] == "no"
    is_meant = "please" in words.words[place:end] or "so" in joint or words.words[end - 2 : end] == [",", "ever"]
    return is_no and words.at(place + 1) != "one" and is_meant


def asks(words: Words, begin: int, place: int, end: int) -> bool:
    """Tell whether a question begins at a place."""
    at = place
    while at > begin and words.words[at - 1] in glue.QUESTION_WORDS:
        at -= 1
    word, following = words.words[at], words.at(at + 1)
    is_open = begin == 0 or words.words[begin] in BREAKS or words.words[begin] in ("so", "but", "and")
    if word == "whose" and begin > 0:
        return False  # "my neighbour, whose husband died, …"
    if word in glue.QUESTION_WORDS:
        return is_open and at in (begin, place) and word not in ("who", "which", "where", "when")
    if word in glue.DO and at == 0 and following not in glue.NOT:
        return True
    is_inverted = word in glue.AUXILIARIES and (following in glue.PRONOUNS or following in glue.DETERMINERS)
    is_inverted = is_inverted and not (word == "had" and following in glue.MINE)  # "had my gallbladder out"
    return is_open and is_inverted and following not in ("no", "a", "an", "the", "n't", "some", "all", "both")
