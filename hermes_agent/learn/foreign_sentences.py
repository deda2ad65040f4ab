"""Messages in other languages than English: the grammar of the live chat reads them, as far as it knows them."""

from hermes_agent.learn.lexicon import word_set

_HINTS = {
    "de": word_set(
        """ich und ist bin nicht der die das ein eine mein wir seit mit für im auch aber habe hat haben einen er
        sie heißt unser unsere wohne arbeite"""
    ),
    "es": word_set("el los las una mi mis es estoy soy y pero que con para ya muy yo me tengo nosotros de en"),
    "fr": word_set("je le les une mon ma mes est suis et mais que avec pour j'ai on nous dans du au ne pas"),
    "it": word_set("il gli una mio mia sono è e ma che con per non ho io di da noi nel mi più si"),
    "nl": word_set("ik het een mijn is en maar niet met voor heb ben wij we op sinds naar hij zij van de"),
    "pt": word_set("o os uma meu minha é sou e mas que com para não eu tenho nós de em da do já"),
}
_ENGLISH = word_set(
    """a an and are at be been but do does for from had has have he how i i'm in is it me my no not of on our
    she so that the they this to was we what with you"""
)
_SHARE = 4


def is_foreign(text: str) -> bool:
    """Tell whether a sentence is rather of another language than English."""
    said = text.casefold().replace(",", " ").replace("'", " ").split()
    english = sum(word in _ENGLISH for word in said)
    if english * _SHARE > len(said) or len(said) < _SHARE:
        return False
    return any(sum(word in hints for word in said) > max(english, 1) for hints in _HINTS.values())
