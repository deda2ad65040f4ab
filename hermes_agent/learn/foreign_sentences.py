"""Which language a message is in: by its small words, which names and loan words do not change."""

from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.tongue import tongue
from hermes_agent.text.verbs import lemma

_HINTS = {
    "de": """in am was an ich und ist bin nicht der die das ein eine einen einem mein meine meinem meiner wir seit mit für im auch aber
        habe hab hat haben er sie heißt heiße unser unsere wohne arbeite jetzt zu von auf dem den des bei als mehr kein
        keine keinen nach aus war um wie mir mich dir dass bitte gern noch schon sind es oder beim zum zur vor über""",
    "es": """a no me he el los las una un mi mis es estoy soy y pero que con para ya muy yo me tengo nosotros de en del al se por lo
        la su mi tiene no más como vivo trabajo desde hace gusta gustan llamo porque años hijo hija está hemos he""",
    "fr": """s t a on me je j le les une un mon ma mes est suis et mais que qui avec pour ai on nous dans du au ne pas n d l la des de
        chez depuis à plus aux en sur notre elle il ans m c ce cette ça très habite travaille tu toi moi""",
    "it": """s d t m a in me no do il gli una un mio mia sono è e ma che con per non ho io di da noi nel mi più si la le lo della del dal alla
        ha anni abito vivo lavoro in anche piace l d al ed i nella da""",
    "nl": """nooit altijd je tegen maar was me of at had do ik het een mijn is en maar niet met voor heb ben wij we op sinds naar hij zij van de geen meer die dat in bij
        ook nog wel uit aan te om onze zijn heeft wordt ze er als maar jaar nu woon werk""",
    "pt": """as do no me o os uma um meu minha é sou e mas que com para não eu tenho nós de em da do já a no na se ao dos das por
        mais moro trabalho gosto tem anos desde à às num numa também""",
}
_WORDS = {code: frozenset(said.split()) for code, said in _HINTS.items()}
_ENGLISH = frozenset(
    """a an and are at be been but do does for from had has have he her his how i i'm in is it it's my no not of on our
    she so that the they this to was we were what when where which who will with would you your can if just about
    me am as by or their there up out get got new like live work m s t d ll ve re don im ive dont cant u ur n til off only anymore one""".split()
)
_MARKS = Pattern(r"[^\w']+|'")
_SHORT = 12
_SHARE = 6


def _is_own(word: str, code: str) -> bool:
    """Tell whether a word is a verb of a language, and none of English."""
    known = tongue(code)
    is_verb = word in known.forms or known.does(word, "have1", "be1", "want1", "stay1", "work")
    return is_verb and not lemma(word, "base") and not lemma(word, "past")


def language_of(text: str) -> str:
    """Return the code of the language a message is rather in than English; empty for English and all others."""
    said = [word for word in _MARKS.split(text[:2_000].lower()) if word]
    best, most = "", 0
    if len(said) < 2:
        return best
    english = [word for word in said if word in _ENGLISH]
    for code, hints in _WORDS.items():
        # What both languages have speaks for neither.
        count = sum(word in hints and word not in _ENGLISH for word in said)
        against = sum(word not in hints for word in english)
        if len(said) <= _SHORT and not against:
            count += sum(_is_own(word, code) and word not in hints for word in said)
        needed = 1 if len(said) <= _SHORT and not against else 2
        if count >= needed and count > max(against, most) and count * _SHARE >= len(said):
            best, most = code, count
    return best
