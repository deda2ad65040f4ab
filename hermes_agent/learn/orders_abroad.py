"""Read how the assistant is asked to be, in other languages: "duze mich", "réponds toujours en français".

An order lasts if it says so (always, never, from now on) or is about how to answer or address somebody.
"""

from collections.abc import Mapping

from hermes_agent.learn.facts_told import made
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.sentences import Sentence
from hermes_agent.learn.values import name_in
from hermes_agent.records.statements import USER, Statement

_LEAD = (
    r"(?:(?:bitte|und|also|ach|übrigens|s'il\s+(?:te|vous)\s+pla[iî]t|stp|svp|por\s+favor|porfa|per\s+favore|alsjeblieft"
    r"|alstublieft|graag|merci\s+de|y|e|et|en|pero|però|ma|mais|mas|aber|maar|dann|entonces|allora|então|dus)[\s,]+)*"
)
# What lasts, what is asked for, how one answers, how one addresses, what shall not be.
_WORDS: Mapping[str, tuple[str, str, str, str, str]] = {
    "de": (
        r"immer|nie|niemals|stets|grundsätzlich|ab\s+(?:jetzt|sofort)|von\s+(?:jetzt|nun)\s+an|künftig|in\s+zukunft|mehr",
        r"schreib\w*|nenn\w*|gib|geben|verwende\w*|benutz\w*|nutze\w*|erklär\w*|rechne|lass|zeig\w*|fass\w*|frag\w*"
        r"|stell|erinner\w*|schlag\w*|empfiehl|mach\w*|schick\w*|sag\w*",
        r"antworte\w*|sprich|rede|vermeide\w*|halte?\s+dich|formuliere\s+kurz",
        r"duz\w+\s+(?:sie\s+)?mich|siez\w+\s+(?:sie\s+)?mich|(?:sag\w*|du\s+kannst)\s+(?:ruhig\s+)?du",
        r"keine?n?\s",
    ),
    "nl": (
        r"altijd|nooit|vanaf\s+nu|voortaan|in\s+het\s+vervolg|meer",
        r"schrijf|gebruik|geef|leg|noem|stel|vraag|rond|stuur|raad|maak|toon",
        r"antwoord|spreek|vermijd|praat|hou\s+(?:het|je\s+antwoorden)",
        r"tutoyeer|zeg\s+(?:maar|gerust)\s+(?:je|jij|u)\b|spreek\s+me\s+aan",
        r"geen\s",
    ),
    "fr": (
        r"toujours|jamais|désormais|dorénavant|à\s+partir\s+de\s+maintenant|plus",
        r"écri[st]\w*|utilise\w*|donne\w*|explique\w*|mets|mettez|propose\w*|fais|parle\w*"
        r"|ne\s+(?:me\s+)?(?:propose|donne|mets|parle|utilise|fais|demande|suggère|réponds)\w*",
        r"répond(?:s|ez)(?:-moi)?|parle(?:z)?-moi|évite[zr]?|sois|soyez",
        r"tutoie\w*|vouvoie\w*|tutoye[zr]|vouvoye[zr]|(?:on|tu)\s+peut?x?\s+se\s+tutoyer|ne\s+(?:plus|pas)\s+me\s+\w+oyer",
        r"pas\s+d[e']",
    ),
    "es": (
        r"siempre|nunca|a\s+partir\s+de\s+ahora|de\s+ahora\s+en\s+adelante|desde\s+ahora|más",
        r"escribe\w*|usa|utiliza|dame|explica\w*|pon|ponme|muestra\w*"
        r"|no\s+(?:me\s+)?(?:uses|escribas|respondas|des|pongas|llames|mandes|propongas|preguntes|sugieras"
        r"|recomiendes|digas|hables)|(?:me\s+)?(?:uses|escribas|des|pongas|mandes|propongas|sugieras)",
        r"resp[oó]nde\w*|contesta\w*|cont[eé]stame|háblame|evita|sé\s+\w+",
        r"tutéame|trátame|tráteme|háblame\s+de\s+(?:tú|usted)|hábleme\s+de|no\s+me\s+(?:hables|trates)\s+de",
        r"nada\s+de\s",
    ),
    "it": (
        r"sempre|mai|d'ora\s+in\s+(?:poi|avanti)|da\s+(?:ora|adesso)(?:\s+in\s+poi)?|più",
        r"scrivi\w*|usa|utilizza|dammi|spiega\w*|metti|mostrami|non\s+(?:mi\s+)?\w+[aei]r(?:e|mi)",
        r"rispondi\w*|parlami|evita|sii\s+\w+",
        r"dammi\s+del|diamoci\s+del|mi\s+dia\s+del",
        r"niente\s|basta\s",
    ),
    "pt": (
        r"sempre|nunca|a\s+partir\s+de\s+agora|de\s+agora\s+em\s+diante|daqui\s+em\s+diante|mais",
        r"escrev[ae]|us[ae]|dá-me|me\s+dê|explic\w+|põe|mostr\w+"
        r"|não\s+(?:me\s+)?(?:us|escrev|respond|mand|cham|pergunt|fal|sug|recomend|proponh)\w+",
        r"respond[ae]\w*(?:-me)?|me\s+respond[ae]|fal[ae]\s+comigo|evit[ae]|seja",
        r"trat[ae]-me|me\s+trat[ae]|podes?\s+tratar-me",
        r"nada\s+de\s",
    ),
}
_ORDERS = {
    code: Pattern(
        rf"{_LEAD}(?P<order>(?:(?:{lasts})[\s,]+)?(?:(?:{asks})\b(?=.*\b(?:{lasts})\b)|(?:{answers})\b\s+\S|(?:{manner}))"
        rf"|(?:{lasts})[\s,]+(?:{asks})\b|(?<=[bp]\w\w\w\w\s)(?:{none})\w)"
    )
    for code, (lasts, asks, answers, manner, none) in _WORDS.items()
}
_TOLD = Pattern(
    r"\s*[,;:–—-]\s+(?:(?:und|et|y|e|en|car|denn|porque|perché|want|pois)\s+)?"
    r"(?:ich|je\b|j'|yo|soy|tengo|io|sono|ho|eu|sou|tenho|ik|mein|mon|ma|mi|weil|parce|omdat)\b.*$"
    r"|,\s+(?:danke|merci|gracias|grazie|obrigad\w|dank\s+je|s'il\s+(?:te|vous)\s+pla[iî]t|por\s+favor|per\s+favore|bitte"
    r"|alsjeblieft)\W*$"
)
_LONGEST = 16
_CALLED = Pattern(
    r"(?:.*[,.!]\s+|\W*)(?:(?:und|et|y|e|en|bitte|pero|ma|mas|aber)\s+)*(?:nenn(?:t|e|en\s+sie)?\s+mich(?:\s+(?:bitte|einfach|ruhig))*"
    r"|appelle[sz]?[- ]moi(?:\s+\w+ment)?|(?:tu\s+peux|vous\s+pouvez)\s+m'appeler|ll[aá]m[ae]me|puedes?\s+llamarme"
    r"|(?:todos?\s+)?me\s+llaman|chiamami|puoi\s+chiamarmi|mi\s+chiamano(?:\s+tutti)?|cham[ae]-me|me\s+cham[ae](?:\s+de)?"
    r"|podes?\s+(?:me\s+chamar|chamar-me)(?:\s+de)?|pode\s+me\s+chamar\s+de|noem\s+me(?:\s+maar)?|je\s+mag\s+me)"
    r"\s+(?P<name>(?-i:[A-ZÀ-Þ])[^\s,.;!?]*)"
)


def read_order_abroad(sentence: Sentence, code: str) -> Statement | None:
    """Return what a sentence asks of the assistant for good."""
    found = _ORDERS[code].match(sentence.text)
    if found is None:
        return None
    value = _TOLD.sub("", sentence.text[found.start("order") :])
    if len(value.split()) > _LONGEST:
        return None
    start = sentence.start + found.start("order")
    return made(USER, "instruction", value, start, start + len(value))


def read_called_abroad(sentence: Sentence) -> Statement | None:
    """Return what somebody wants to be called."""
    found = _CALLED.match(sentence.text)
    name = name_in(found["name"], is_sure=True) if found else None
    if found is None or name is None:
        return None
    return made(USER, "called", name, sentence.start, sentence.start + found.end("name"))
