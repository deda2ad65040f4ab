"""Words that carry no topic: dropped from a natural question before it is ranked."""

from hermes_agent.text.words import fold

_BY_LANGUAGE = {
    "en": """a about above after again all also am an and any are as at be because been before being
        but by can could did do does doing down during each few for from further had has have having
        he her here hers him his how i if in into is it its itself just know let like me more most my
        myself no nor not now of off on once only or other our ours out over own please remember
        remind s said same say she should so some such t talk talked tell than that the their them
        then there these they this those through to told too under until up us very was we were what
        when where which while who whom whose why will with would you your yours yourself""",
    "de": """aber als am an auch auf aus bei bin bis bist da dann das dass dem den der des die dich dir
        doch du ein eine einem einen einer eines er es für haben hast hat hatte hatten ich ihm ihn ihr
        ihre im in ist ja kann mein meine mich mir mit nach nicht noch nur oder sein sich sie sind so
        über um und uns unser vom von vor war waren warum was welche welcher welches wann wenn wer
        werden wie wir wird wo zu zum zur""",
    "fr": """à au aux avec ce ces cette comment dans de des du elle en est et eu fait il ils je la le
        les leur lui ma mais me mes moi mon ne nos notre nous on ou où par pas pour pourquoi qu quand
        que quel quelle qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous y""",
    "es": """a al cómo como con cuál cuando cuándo de del dónde donde el ella en era es esta este esto fue
        ha hay la las le lo los me mi mis nos o para pero por porque qué que quién se si sin sobre son su
        sus te tu un una y yo""",
}


def _folded(text: str) -> set[str]:
    return {fold(word) for word in text.split()}


ENGLISH_STOP_WORDS = frozenset(_folded(_BY_LANGUAGE["en"]))
STOP_WORDS = frozenset().union(*(_folded(text) for text in _BY_LANGUAGE.values()))
QUESTION_WORDS = frozenset(
    _folded(
        """what when where which who whom whose why how did do does is are was were can could should
        would wann warum was welche welcher welches wer wie wo comment où pourquoi quand quel quelle
        qui cómo cuál cuándo dónde qué quién"""
    )
)
