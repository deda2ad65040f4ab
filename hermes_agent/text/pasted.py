"""Tell whether a message holds text that its writer did not write: a mail, a log, a page, pasted into a chat.

Looked at is the form alone: headers, marks of quotation at the beginning of lines, markup, a length that nobody
types, or words that hand something over ("this came today:"). What is typed in one's own few lines is none.
"""

import re

LONGEST_TYPED = 6_000
MOST_TYPED_LINES = 60

_HEADERS = re.compile(
    r"^(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|de|para|asunto|assunto|objet|à"
    r"|envoyé|fecha|data|da|a|oggetto|от|кому|тема|من|إلى|الموضوع|寄件人|发件人|主题|件名|差出人)\s*:[ \t]\S",
    re.IGNORECASE | re.MULTILINE,
)
_FEWEST_HEADERS = 2
_FORM = re.compile(
    r"^>+ \S.*\n>|^```|^-{4,}|^={4,}|^\s{0,3}[{\[]\s*\n?\s*[\"{]|^</?\w[^<>\n]*>|^BEGIN:V|^#!/|^\$ \S|<\|\w+\|>"
    r"|^-{2,} ?(?:original message|forwarded|weitergeleitete)"
    r"|^(?:on|am|le|el) .{4,80}(?:wrote|schrieb|écrit|escribió) ?:"
    r"|^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*\n\[?\d{4}-\d\d-\d\d",
    re.IGNORECASE | re.MULTILINE,
)
_HANDED_OVER = re.compile(
    r"\b(?:here(?:'s| is| are| comes)|look (?:at )?(?:this|what)|see below|below(?: is| are)?"
    r"|(?:i|we) (?:just |have |also )*(?:got|received|found|was sent|copied)|came (?:in|today|this)"
    r"|forward(?:ed|ing)?|fwd|(?:he|she|they|who|it) (?:wrote|writes|says|said|sent)"
    r"|(?:wrote|sent|mailed|texted|messaged) me|summari[sz]e|translate|proofread|what does (?:this|it)"
    r"|what do you (?:think|make) of|(?:this|the|a|an|her|his|their|my \w+'s) (?:e-?mail|mail|letter|message|page"
    r"|article|text|note|file|log|export|thread|invoice|ticket|transcript|reply|post|comment))\b[^\n]{0,120}"
    r"(?::\s*\n|\n\s*\n)",
    re.IGNORECASE,
)


# "Here is a mail from Per: 'I live in Voss.'", "From the web: …", "Forwarded message: …", all in one line.
_INLINE = re.compile(
    r"^\s*(?:(?:here(?:'s| is| comes)|this is|i got|look at)\s+)?(?:(?:an?|the|this)\s+)?"
    r"(?:from\s+the\s+(?:web|internet|news|docs?|documentation|page|article)|forwarded(?:\s+message)?|fwd"
    r"|(?:e-?mail|mail|message|letter|text|note|quote|review)\s+(?:i\s+got\s+)?(?:from|by)\s+[\w' .-]{1,40}"
    r"|[\w-]+(?:'s|’s)\s+(?:e-?mail|mail|message|letter|text|words)"
    r"|(?:as\s+)?an?\s+example(?:\s+(?:sentence|text))?|for\s+example)\s*:\s*\S",
    re.IGNORECASE,
)


def is_handed_over(message: str) -> bool:
    """Tell whether a message says in its first words that what follows is somebody else's."""
    return _INLINE.match(message) is not None


def holds_pasted(message: str) -> bool:
    """Tell whether a message holds text from elsewhere."""
    if len(message) > LONGEST_TYPED or message.count("\n") > MOST_TYPED_LINES:
        return True
    if is_handed_over(message):
        return True
    if "\n" not in message:
        return False
    has_headers = len(_HEADERS.findall(message)) >= _FEWEST_HEADERS
    return has_headers or _FORM.search(message) is not None or _HANDED_OVER.search(message) is not None
