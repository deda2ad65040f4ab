"""Read birthdays in other languages: "mein Geburtstag ist am 12. August", "nací el 3 de mayo de 1980"."""

from hermes_agent.learn.patterns import Pattern

_MONTHS = (
    r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
    r"|januari|februari|maart|mei|augustus|december|janvier|février|mars|avril|juin|juillet|août|septembre|octobre"
    r"|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
    r"|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro"
)
DATE = Pattern(
    rf"\b(?:\d{{1,2}}(?:\.|er|º)?\s+(?:de\s+|d')?(?:{_MONTHS})\b(?:\s+(?:de\s+)?(?:19|20)\d\d\b)?"
    r"|\d{1,2}[./]\d{1,2}[./](?:(?:19|20)\d\d)?|\d{1,2}/\d{1,2}\b)"
)
YEAR = Pattern(r"\b(?:19|20)\d\d\b")
DAY_DOT = Pattern(rf"(?<=\d)\.(?=\s+(?:{_MONTHS})\b)")
"""A full stop behind a day, which ends no sentence."""
BIRTHDAY = Pattern(
    r"\b(?:geburtstag|verjaardag|jarig|anniversaire|cumplea[ñn]os|cumplo\s+años|compleanno|compio\s+gli\s+anni|anivers[áa]rio"
    r"|faço\s+anos)\b"
)
BORN = Pattern(r"\b(?:geboren|née?|nac[íi]|naci[óo]|nat[oa]|nasci|nasceu)\b")
