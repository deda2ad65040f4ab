"""The few things that are neither told nor asked for: greetings, thanks, help, the time, who is speaking.

Fixed words, so that nobody takes them for understanding.
"""

from datetime import datetime

from hermes_agent.agent.embedded.wording import ADDS_MODEL, day
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.talk import HELPS, INTRODUCES

INTRODUCTION = (
    f"{INTRODUCES}: tell me things and ask for them later. `hermes model set PROVIDER:NAME` adds a model."
)
HELP = f"""\
{HELPS}: I keep what you say and give it back with its date; I make nothing up.
- Tell me something: “My name is Ada”, “I moved to Graz”, “always answer briefly”, “remember that …”.
- Ask for it: “What is my name?”, “What did I say about docker?”, “What do you know about me?”
- Look back: “search docker”, “What did we talk about last week?”
- Take back: “Actually, my name is Eve”, “I no longer use vim”, “forget my phone number”.
- Skills: “list skills”, “show skill NAME”, “save this as a skill called NAME”.
For everything else you need a language model: {ADDS_MODEL}"""

_GREETING = Pattern(
    r"(?:hi|hiya|hello|hey|yo|howdy|greetings|good\s+(?:morning|afternoon|evening|day)|hallo|servus|moin"
    r"|guten\s+(?:morgen|tag|abend)|salut|bonjour|bonsoir|hola"
    r"|buenos\s+días|ciao|buongiorno|olá|oi|bom\s+dia|hoi|goedemorgen)(?:\s+(?:there|hermes|again|all"
    r"|everyone))?(?:,?\s+how\s+are\s+you(?:\s+doing|\s+today)?)?"
)
_HOW_ARE_YOU = Pattern(
    r"(?:how\s+are\s+you(?:\s+doing|\s+today)?|how's\s+it\s+going|what's\s+up|how\s+do\s+you\s+do"
    r"|wie\s+geht(?:'s|\s+es\s+dir)|ça\s+va|qué\s+tal|come\s+stai)"
)
_THANKS = Pattern(
    r"(?:(?:ok(?:ay)?|great|perfect|cool|nice|good)[,.!\s]+)?(?:thanks|thank\s+you|thx|cheers|ty"
    r"|danke(?:\s+dir|\s+schön)?|merci|gracias|grazie|obrigad[oa]|dank\s+je|bedankt)(?:\s+(?:a\s+lot"
    r"|so\s+much|very\s+much|hermes|again|for\s+.+))*"
)
_BYE = Pattern(
    r"(?:bye(?:\s*bye)?|goodbye|see\s+you(?:\s+\w+)?|good\s+night|cya|later|tschüss|tschüs"
    r"|auf\s+wiedersehen|au\s+revoir|adiós|arrivederci|tchau|doei|quit|exit)(?:\s+hermes)?"
)
_OK = Pattern(
    r"(?:ok(?:ay)?|yes|yep|yeah|no|nope|sure|alright|fine|cool|great|nice|perfect|good|wow|hm+|aha|i\s+see"
    r"|got\s+it|never\s*mind|forget\s+(?:about\s+)?it|ja|nein|oui|non|sí|si|sim|não|nee|lol|haha+)"
)
_WELL = Pattern(
    r"(?:i'?m|i\s+am|doing|all)\s+(?:fine|good|ok(?:ay)?|well|great|very\s+well|alright)(?:[,\s]+(?:thanks"
    r"|thank\s+you)(?:\s+.*)?)?"
)
_HELP = Pattern(
    r"(?:help(?:\s+me)?|what\s+can\s+you\s+do(?:\s+for\s+me)?|how\s+(?:does\s+this|do\s+you)\s+work"
    r"|what\s+can\s+i\s+(?:do|say|ask)(?:\s+here)?|commands|hilfe|aide|ayuda|aiuto|ajuda|usage"
    r"|how\s+do\s+i\s+use\s+(?:this|you))"
)
_WHO_ARE_YOU = Pattern(
    r"(?:who|what)\s+are\s+you(?:\s+really)?|what(?:'s|\s+is)\s+your\s+name|tell\s+me\s+about\s+yourself"
    r"|introduce\s+yourself|which\s+model\s+are\s+you|what\s+model\s+(?:are\s+you|is\s+this)"
    r"|are\s+you\s+(?:an?\s+)?(?:ai|bot|robot|human|real|chatgpt|gpt\S*|claude|llm|language\s+model|person"
    r"|there|alive|conscious|sentient)(?:\s+.*)?|wer\s+bist\s+du|qui\s+es-tu|quién\s+eres|chi\s+sei"
    r"|quem\s+és|wie\s+ben\s+je"
)
_ABOUT_YOU = Pattern(
    r"(?:do|can|are|will|would|did|have)\s+you\s+(?:like|love|feel|dream|sleep|think|happy|sad|married"
    r"|speak|understand|see|hear|a\s+\w+|able|sure)\b.*|how\s+old\s+are\s+you|where\s+are\s+you(?:\s+from)?"
    r"|where\s+do\s+you\s+live|who\s+(?:made|built|created)\s+you"
)
_TIME = Pattern(
    r"(?:(?:do\s+you\s+know\s+|tell\s+me\s+)?what\s+time\s+(?:is\s+it|it\s+is)|what(?:'s"
    r"|\s+is)\s+the\s+time)(?:\s+now|\s+right\s+now)?|wie\s+spät\s+ist\s+es|quelle\s+heure\s+est-il"
    r"|qué\s+hora\s+es|che\s+ore\s+sono|que\s+horas\s+são|hoe\s+laat\s+is\s+het"
)
_DATE = Pattern(
    r"what(?:'s|\s+is)?\s+(?:the\s+|today's\s+)?(?:date|day)(?:\s+(?:is\s+(?:it|today)|today"
    r"|of\s+the\s+week))*(?:\s+today|\s+now)?|what\s+day\s+is\s+(?:it|today)|welcher\s+tag\s+ist\s+heute"
    r"|which\s+day\s+is\s+it"
)

_SECRET = Pattern(
    r"(?:so\s+)?(?:can|can't|could)\s+you(?:\s+not)?\s+keep\s+(?:a\s+secret|secrets)|you\s+can't\s+keep\s+a\s+secret"
)
_REMEMBER_ME = Pattern(r"(?:do|don't)\s+you\s+(?:still\s+)?(?:remember|know|recogni[sz]e)\s+me|remember\s+me")
_LIMITS = Pattern(
    r"what\s+are\s+your\s+limit(?:s|ations)|what\s+can(?:'t|not)\s+you\s+do|what\s+can\s+you\s+not\s+do"
)
_INSULT = Pattern(
    r"(?:are\s+you|you(?:'re|\s+are)|why\s+are\s+you(?:\s+so)?)\s+(?:so\s+|really\s+)?(?:stupid|dumb|useless|an?\s+idiot)"
    r"|idiot|stupid"
)
_WELCOME = {
    **dict.fromkeys(("danke",), "Gern geschehen"),
    **dict.fromkeys(("merci",), "De rien"),
    **dict.fromkeys(("gracias",), "De nada"),
    **dict.fromkeys(("grazie",), "Prego"),
    **dict.fromkeys(("obrigado", "obrigada"), "De nada"),
    **dict.fromkeys(("dank", "bedankt"), "Graag gedaan"),
}
_HELP_ABROAD = {
    "hilfe": "Sag mir etwas („Ich heiße Ada“, „Ich wohne in Graz“, „Merk dir, dass …“) oder frag danach "
    "(„Wie heiße ich?“, „Was weißt du über mich?“). „Vergiss meinen Namen“ nimmt es zurück. "
    "Ausführlicher auf Englisch: “help”.",
    "aide": "Dis-moi quelque chose (« Je m'appelle Ada », « J'habite à Lyon ») ou demande-le "
    "(« Comment je m'appelle ? »). « Oublie mon nom » le retire. Plus en anglais : “help”.",
    "ayuda": "Dime algo («Me llamo Ada», «Vivo en Lima») o pregúntalo («¿Cómo me llamo?»). "
    "«Olvida mi nombre» lo quita. Más en inglés: “help”.",
}
_SELF = (
    "I am Hermes, here only as your memory: there is no language model behind me. I keep what you tell me "
    "and quote it "
    f"when you ask. To talk with a language model: {ADDS_MODEL}"
)


def _about_me(text: str, name: str) -> str:
    """Answer the questions about ourselves that are asked most; empty when it is none of them."""
    if _SECRET.fullmatch(text):
        return "What you tell me goes to your own archive and notes; I pass nothing on."
    if _REMEMBER_ME.fullmatch(text):
        known = f"Yes, {name}." if name else "Your name is not in the notes."
        return f"{known} “What do you know about me?” shows what I noted."
    if _LIMITS.fullmatch(text):
        limits = "I keep what you tell me, find it and quote it; I do not think, write or look anything up."
        return f"{limits} For that you need a language model: {ADDS_MODEL}"
    if _INSULT.fullmatch(text):
        return f"I am only the memory; “help” shows what I can do. There is no language model: {ADDS_MODEL}"
    return ""


def small_talk(said: str, name: str, now: datetime, *, is_kept: bool = True) -> str | None:
    """Answer what is neither told nor asked for; None when it is something else. `name` may be empty."""
    text = said.replace("’", "'").strip(" \t\n.!?,…:;)(¡¿-")
    called = f", {name}" if name else ""
    if not text:
        return "Say something to keep, or ask for something you told me. “help” shows how."
    if match := _GREETING.fullmatch(text):
        hello = "Good morning" if "morning" in match[0].lower() else "Hello"
        return f"{hello}{called}. Tell me something to keep, or ask for something you told me."
    if _HOW_ARE_YOU.fullmatch(text):
        return f"I am ready{called}. Tell me something to keep, or ask for something you told me."
    if _THANKS.fullmatch(text):
        welcome = _WELCOME.get(text.split()[0].lower(), "You're welcome")
        return f"{welcome}{called}."
    if own := _about_me(text, name):
        return own
    if _BYE.fullmatch(text):
        kept = "What you told me is kept." if is_kept else "Nothing of this is kept."
        return f"Goodbye{called}. {kept} (/quit or Ctrl-D ends the conversation.)"
    if _HELP.fullmatch(text):
        return _HELP_ABROAD.get(text.lower(), HELP)
    if _WHO_ARE_YOU.fullmatch(text) or _ABOUT_YOU.fullmatch(text):
        return _SELF
    if _TIME.fullmatch(text):
        return f"It is {now:%H:%M} on {now:%A}, {day(now)}, by this machine's clock."
    if _DATE.fullmatch(text):
        return f"Today is {now:%A}, {day(now)}, by this machine's clock."
    if _WELL.fullmatch(text):
        return f"Good{called}. Tell me something to keep, or ask for something you told me."
    return "All right." if _OK.fullmatch(text) else None


def is_small_talk(said: str) -> bool:
    """Tell whether a sentence only greets, thanks or agrees."""
    text = said.replace("’", "'").strip(" \t\n.!?,…:;)(¡¿-")
    return any(pattern.fullmatch(text) for pattern in (_GREETING, _HOW_ARE_YOU, _THANKS, _BYE, _OK)) or not text
