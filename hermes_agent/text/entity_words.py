"""Words that are written with a capital letter without naming anything: what opens a sentence, what is shouted.

A word at a sentence's start that is in none of these lists is taken for a name, unless it has the ending of an
ordinary one. German writes every noun with a capital, so there the
lists say after which words a name stands, and which nouns stand there too.
"""

from hermes_agent.text.entity_openers import OPENERS
from hermes_agent.text.stopwords import QUESTION_WORDS, STOP_WORDS
from hermes_agent.text.time_words import MONTHS, PLAIN_WEEKDAYS, WEEKDAYS, word_set

_FOREIGN_OPENERS = word_set(
    """
    aber alle alles als also am an auch auf aus bei bis bitte da danach danke dann das dass dein deine dem den
    der des deshalb die dies diese dieser dieses doch du ein eine einen er es gestern gibt guten habe haben
    hallo hast hat heute hier ich ihr im in ist ja jetzt kann kannst kein keine leider mach man mein meine mit
    morgen nach natürlich nein nicht noch nun nur oder ob ohne schon sehr seit sie sind so später trotzdem über
    um und uns unser unsere vielleicht vielen von vor wann war warum was weil welche wenn wer wie wir wird wo
    zu zum zur zuerst nenn merke bleib erinnere guter gute schreib sag zeig bald alors après assez au aussi
    avec beaucoup bien bonjour ça ce ces cet cette chez comme comment dans de demain depuis des deux donc elle
    elles en encore ensuite est et hier il ils je jusqu la le les leur ma mais merci mes moi mon ne non nos
    notre nous on ou où oui par parce pas peut plus pour pourquoi puis quand que quel quelle qui quoi sa salut
    sans se ses si son sont sur ta tes ton toujours tous tout très tu un une vos votre vous voici voilà ahora
    al algo así aunque ayer bueno cada claro como cómo con cuál cuando cuándo de del desde después dónde donde
    el ella ellos en entonces era es esa ese eso esta está este esto gracias ha hace hasta hay hola hoy la las
    le lo los más me mi mis muy no nos nosotros nunca o para pero por porque primero puede pues qué que quién
    se según si sí siempre sin sobre son su sus también te tengo tenemos tiene tu un una usted y ya yo allora
    anche ancora che chi ciao come con cosa così da dal dalla del della di dopo dove e ecco gli grazie ho i
    ieri il io la loro lui ma mi mio molto nel nella noi non oggi per perché però più poi prima quando quello
    questa questo se sei si sono sul ti tra tu tutto un uno vi voi agora ainda ao aos as até bem com como da
    das depois do dos e ela ele em então era essa esse esta este eu foi hoje isso isto já mais mas me meu minha
    muito na não nas no nos nós o obrigado obrigada olá onde ontem os ou para pela pelo por porque mijn het
    een ik wij hij zij de quando quem
    se sem seu sim só sua também tem tenho tudo um uma você vocês
    """
)
_SHOUTS = word_set(
    """
    ok okay fyi asap todo fixme lol omg wtf btw imho imo tldr am pm ps nb faq aka eta rip tba tbd na ii iii iv
    vi note warning error info debug eur usd gbp chf important no yes not and or the i wip xxx hack err
    """
)
_CIVIL = word_set(
    """
    please thanks thank hi hello hey dear yes regards cheers sorry today tomorrow yesterday tonight aw ooo woohoo
    phew kinda mon tue tues wed thu thurs fri sat
    """
)
# Jan and Marco are names; folding makes março the same as Marco.
_MONTH_WORDS = (MONTHS.keys() - {"mar", "jan", "marco"}) | word_set("märz février août décembre março")
_WEEKDAY_WORDS = WEEKDAYS.keys() | {f"{day}s" for day in PLAIN_WEEKDAYS}
NO_VERSIONS = word_set(
    """
    eur usd gbp chf version section chapter table figure step part page room line level about only over under
    round item question issue exercise lesson unit kapitel abschnitt seite tabelle stufe
    """
)
"""Words before a number that is none of a version: Chapter 3.12."""

FUNCTION_WORDS = _FOREIGN_OPENERS | STOP_WORDS | QUESTION_WORDS | _MONTH_WORDS | _WEEKDAY_WORDS | _SHOUTS | _CIVIL
"""Words that name nothing, wherever they stand; lower case, with and without accents."""

ORDINARY = OPENERS | FUNCTION_WORDS | NO_VERSIONS
"""Words that name nothing where a sentence opens; elsewhere a capital letter says something: Word, Notes."""

ORDINARY_END = (
    r"(?:ing|tions?|sion|ments?|ness|ity|able|ible|ful|less|ous|tive|ized|ised|ated|ally|ully|usly|vely|ably|ntly"
    # Alfred, Ahmed and Siegfried are names.
    r"|edly|tely|stly|[a-z]{4}(?<![mri])ed)$"
)
TITLES = word_set(
    "mr mrs ms miss dr prof professor sir herr frau herrn madame monsieur mme señor señora signor don doña"
)
NO_SENTENCE_END = word_set("mr mrs ms dr prof st sr jr vs etc no nr bzw ca inc ltd mme")
PROJECT_WORDS = word_set("project projekt projekts projekte projet proyecto progetto projeto")
INNER_WORDS = word_set("of de del della di da du van von der den ter la le el y")
"""Small words inside a name: Bank of America, Ludwig van Beethoven."""

GERMAN = word_set(
    """
    der die das und ist nicht ich wir ein eine einen einem einer mit auf für von zu den dem im wie auch sich
    haben hat habe sind bei aus nach über wird war dass kann noch nur sie er es am zum zur vom heißt wohnt
    arbeitet
    """
)
NOT_GERMAN = word_set(
    "the and is of to a i you we it that for with was are this have not my our in what did do et est les y los que"
)
GERMAN_CUES = word_set(
    """
    heißt heiße heissen namens genannt bei in nach aus herr herrn frau firma stadt projekt kollege kollegin
    kollegen chef chefin freund freundin bruder schwester hund katze tochter sohn kunde kunden nachbar
    nachbarin mutter vater opa oma tante onkel server datenbank sprache familie mann partner partnerin
    """
)
GERMAN_VERBS = word_set(
    """
    hat ist war will kann soll wird mag sagt sagte meint meinte wohnt lebt arbeitet kommt heißt möchte braucht
    findet schreibt macht geht trinkt isst liebt hasst bevorzugt nutzt hatte wollte muss darf fährt kennt
    """
)
GERMAN_DETERMINERS = word_set(
    """
    der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine unser
    unsere unseren unserem unserer ihr ihre ihren sein seine seinen kein keine keinen dieser diese dieses
    diesen diesem jede jeder jedes jeden im am zum zur vom beim ins alle viele einige mehr welche welcher
    """
)
GERMAN_NOUN_END = r"(?:ung|ungen|heit|keit|schaft|tion|tionen|tät|nis|ment|zeit)$"
GERMAN_NOUN_MAY_END = r"(?:ling|ismus|enz|anz|lein|chen|tag|jahr)$"
"""Ends of places, too: München, Koblenz, Konstanz."""
GERMAN_NOUNS = word_set(
    """
    zeit geld hunger durst angst lust milch kaffee tee wasser arbeit urlaub probleme fehler daten leute
    menschen kinder tage wochen monate jahre uhr euro prozent ordnung zukunft gelegenheit hause versehen bezug
    kürze bedarf glück pech recht spaß sport musik essen wein bier brot fleisch fisch gemüse deutsch englisch
    interesse fragen frage hilfe platz ruhe bescheid auto bahn bus büro homeoffice stress sinn schluss ende
    anfang teil betrieb projekt server datei dateien code deutschland-ticket freunde freunden termine termin
    besuch post schule
    """
)
NO_TICKETS = word_set("UTF ISO SHA MD COVID GPT RFC AES RSA HTTP ES PEP USB")
