"""Whether a verb without a subject goes on with that of the clause before: "I live in Oslo and teach maths"."""

from itertools import pairwise

from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import VerbGroup
from hermes_agent.text.verbs import lemma

LIKE_WE = word_set("i we you they these those")
_BESIDE = word_set("learn study train work live")


def goes_on(words: Words, subject: str, before: VerbGroup, verb: VerbGroup, joint: tuple[str, ...]) -> bool:
    """Tell whether a verb has the subject of the one before it; `subject` is the first word of that."""
    if verb.place > verb.begin and verb.tense != "bare":  # it brings its own auxiliary
        return True
    if verb.tense == "past":
        return before.tense in ("past", "perfect")
    if words.words[verb.begin] == "having":
        return False
    if verb.tense == "bare" and verb.is_progressive:
        is_joined = before.verb == "be" and "and" in joint
        is_beside = before.tense == "present" and (is_joined or verb.verb in _BESIDE)
        return before.is_progressive or is_beside
    if verb.tense == "bare":
        is_now = "now" in (*joint, *words.words[verb.begin : verb.end + 3])
        is_present = before.tense == "present" or is_now or (before.tense == "perfect" and before.verb == "be")
        is_free = not before.modal and not before.is_progressive and not _is_infinitive(words, before, verb)
        return is_present and is_free
    # "I grow tomatoes, beans …": of "I" and "we" no verb ends in s.
    is_third = words.words[verb.place].endswith("s") and verb.verb != "be"
    return not is_third or subject not in LIKE_WE


def _is_infinitive(words: Words, before: VerbGroup, verb: VerbGroup) -> bool:
    """Tell whether a bare verb goes on with an infinitive: "I try to save and grow", "it helps me rest and …"."""
    if before.verb in ("help", "let", "make"):
        return True
    between = words.words[before.end : verb.begin]
    return any(word == "to" and lemma(after, "base") for word, after in pairwise(between))
