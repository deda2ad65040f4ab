"""Tell whether words only cheer: "So excited for you! All the best!" says nothing of what is so. Pure."""

import re

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_WARM = re.compile(
    r"\b(?:so|very|really|super) (?:excited|happy|glad|proud|cute|cool|sweet|sorry|amazing|awesome|nice|lovely"
    r"|great|fun)|\b(?:excited|happy|glad|proud|thrilled|rooting) for you\b|\b(?:cute|cutest|adorable)\b"
    r"|\bcongrat(?:s|ulations)\b"
    r"|\ball the best\b|\bbest of luck\b|\bgood luck\b|\bwell done\b|\bway to go\b|\bkeep (?:it|up|going)\b"
    r"|\bcan'?t wait\b|\bfingers crossed\b|\bgood for you\b|\byou(?:'ve got| got) this\b"
    r"|\bhow (?:sweet|lovely|nice)\b"
    r"|\b(?:wow|yay|aww+|omg|woohoo|hooray|cheers|hugs)\b|\bsounds (?:fun|great|amazing|awesome|lovely)\b"
    r"|\blove (?:it|that|this|your (?:energy|enthusiasm|attitude))\b|\bwhat an? (?:great|lovely|amazing)\b",
    re.I,
)
_SHOUTED = re.compile(r"\b(?:SO|VERY|REALLY|LOVE|MUCH|WOW|YAY|OMG)\b")
_NAMED = re.compile(r"(?<=[\w,;:] )(?!I\b|I')[A-Z][\w-]+|\d")
_OWN = re.compile(r"\b(?:my|we|we're|our|because)\b", re.I)


def only_cheers(text: str) -> bool:
    """Tell whether every sentence of a text cheers, and none names anybody, a number or what is one's own."""
    plain = _SHOUTED.sub(lambda found: found.group().lower(), text)
    said = [one.strip() for one in _SENTENCE.findall(plain) if one.strip(" .!?…")]
    if not said or _NAMED.search(plain) or _OWN.search(plain):
        return False
    return all(_WARM.search(one) for one in said)
