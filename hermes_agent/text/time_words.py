"""The words people name days with, in the languages we read, and the pieces of patterns made from them.

Everything is written as `time_text` folds it: lower case, no accents, single spaces. Words that mean
something else as well ("may", "mars", "segunda") are listed here all the same; the rules that use them ask for
more than the word.
"""

from collections.abc import Iterable


def word_set(text: str) -> frozenset[str]:
    """Return the words of a line."""
    return frozenset(text.split())


def _by_line(table: str) -> dict[str, int]:
    lines = [line.split() for line in table.strip().splitlines()]
    return {word: place for place, line in enumerate(lines) for word in line}


MONTHS = {
    word: place + 1
    for word, place in _by_line(
        """
        january jan januar janner janvier enero gennaio janeiro
        february feb februar feber fevrier febrero febbraio fevereiro
        march mar marz mars marzo marco
        april apr avril abril aprile
        may mai mayo maggio maio
        june jun juni juin junio giugno junho
        july jul juli juillet julio luglio julho
        august aug aout agosto
        september sept sep septembre septiembre setiembre settembre setembro
        october oct oktober octobre octubre ottobre outubro
        november nov novembre noviembre novembro
        december dec dezember decembre diciembre dicembre dezembro
        """
    ).items()
}
WORDS_TOO = word_set("may march mar mars marco mai sep")
"""Months that are ordinary words or names as well, as they are written in lower case."""

WEEKDAYS = _by_line(
    """
    monday montag lundi lunes lunedi segunda-feira segunda
    tuesday dienstag mardi martes martedi terca-feira terca
    wednesday mittwoch mercredi miercoles mercoledi quarta-feira quarta
    thursday donnerstag jeudi jueves giovedi quinta-feira quinta
    friday freitag vendredi viernes venerdi sexta-feira sexta
    saturday samstag sonnabend samedi sabado sabato
    sunday sonntag dimanche domingo domenica
    """
)
PLAIN_WEEKDAYS = tuple(word for word in WEEKDAYS if word.endswith(("day", "tag", "abend", "woch")))
"""English and German ones: nothing else is called so."""

COUNTS = {
    word: place + 1
    for word, place in _by_line(
        """
        one a an ein eine einem einer einen un une una uno um uma
        two couple zwei deux dos due dois duas
        three few paar drei trois quelques tres unos unas tre alguns algumas
        four vier quatre cuatro quattro quatro
        five funf cinq cinco cinque
        six sechs seis sei
        seven sieben sept siete sette sete
        eight acht huit ocho otto oito
        nine neun neuf nueve nove
        ten zehn dix diez dieci dez
        eleven elf onze once undici
        twelve zwolf douze doce dodici doze
        """
    ).items()
}
ORDINALS = {
    word: place + 1
    for word, place in _by_line(
        """
        first
        second
        third
        fourth
        fifth
        sixth
        seventh
        eighth
        ninth
        tenth
        eleventh
        twelfth
        thirteenth
        fourteenth
        fifteenth
        sixteenth
        seventeenth
        eighteenth
        nineteenth
        twentieth
        twenty-first
        twenty-second
        twenty-third
        twenty-fourth
        twenty-fifth
        twenty-sixth
        twenty-seventh
        twenty-eighth
        twenty-ninth
        thirtieth
        thirty-first
        """
    ).items()
}
UNITS = {
    word: unit
    for unit, words in {
        "minute": "minute minutes min mins minuten minutos minuti minuto",
        "hour": "hour hours hr hrs stunde stunden heure heures hora horas ora ore",
        "day": "day days tag tage tagen jour jours dia dias giorno giorni",
        "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane",
        "fortnight": "fortnight fortnights",
        "month": "month months monat monate monaten mois mes meses mese mesi",
        "year": "year years jahr jahre jahren an ans annee annees ano anos anno anni an",
    }.items()
    for word in words.split()
}
UNIT_DAYS = {"day": 1.0, "week": 7.0, "fortnight": 14.0, "month": 30.4, "year": 365.0}
SEASONS = {
    word: (3, 6, 9, 12)[place]
    for word, place in _by_line(
        """
        spring fruhling fruhjahr printemps primavera
        summer sommer ete verano estate verao
        autumn fall herbst automne otono autunno outono
        winter hiver invierno inverno
        """
    ).items()
}
FEASTS = {
    r"new year'?s?(?: eve| day)?|silvester|neujahr|nouvel an|nochevieja|ano nuevo|capodanno|ano novo": (12, 31, 2),
    r"christmas(?: eve| day)?|xmas|weihnachten|heiligabend|navidad|a noel|a natale|no natal": (12, 24, 2),
    r"valentine'?s?(?: day)?|valentinstag|saint-valentin|san valentin": (2, 14, 0),
    "halloween": (10, 31, 0),
    "thanksgiving": (11, 22, 6),
    "independence day|(?:4th|fourth) of july": (7, 4, 0),
}
"""Pattern → month, day, and how many days more it may mean."""


def any_of(words: Iterable[str]) -> str:
    """Write a pattern for one of some words, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


MONTH = any_of(MONTHS)
WEEKDAY = any_of(WEEKDAYS)
COUNT = r"(?:(?:a |an |ein )?(?:couple of|couple|few|paar)|" + any_of(COUNTS) + r"|\d{1,4})"
# French "an" is too much like the English article to be looked for everywhere.
UNIT = any_of(UNITS.keys() - {"an"})
SEASON = any_of(SEASONS)
FEAST = any_of(FEASTS)


def count_of(said: str) -> int:
    """Return the number that some words matched by `COUNT` name."""
    if said.isdigit():
        return int(said)
    return COUNTS[said.removesuffix(" of").split()[-1]]
