"""German and Dutch as data: what people state of themselves, and ask.

Less than English, by choice: names, places, work, likes, kin, "remember that". One line is one way of saying
something. Whatever no line covers is kept and found by search all the same.
"""

from hermes_agent.learn.language import Language

GERMAN = Language(
    "de",
    r"ich|mein\w*|mir|mich|wir|unser\w*|merke?|woher|nenn|antworte|bitte|vergiss|wei(?:ß|ss)t|heiße",
    r"und|aber|sowie|außerdem",
    r"ich|mein|meine|wir|unser|unsere|er|sie|wohne|lebe|komme|arbeite|mag|liebe|hasse|spreche|bevorzuge|bin"
    r"|habe|nenn|wohnt|lebt|ist|arbeitet",
    """
    called = (?:bitte )?nenn(?:e)? mich (?:bitte )?{name}
    name = (?:ich heiße|heiße|mein name ist|mein name lautet|mein name:|man nennt mich) {name}
    home + = (?:ich bin )?(?:letztes jahr |gerade |jetzt )?nach {place} (?:gezogen|umgezogen)
    home = (?:ich |wir )?(?:wohne|lebe|wohnen|leben) (?:jetzt |derzeit |nun )?(?:in|bei|nahe) {place}
    home = (?:jetzt |nun |inzwischen )?(?:wohne|lebe) ich (?:jetzt |nun )?(?:in|bei) {place}
    name = (?:eigentlich )?heiße ich {name}
    home = mein(?:e|em)? {relation}(?: {who})? (?:wohnt|lebt) (?:jetzt )?in {place}
    origin = (?:ich )?(?:komme|stamme|bin) (?:ursprünglich )?aus {place}
    age = (?:ich )?bin {age} jahre alt
    age = mein(?:e)? {relation}(?: {who})? ist {age}(?: jahre alt)?
    allergy = (?:ich )?bin allergisch (?:gegen|auf) {value}
    employer = (?:ich )?arbeite (?:jetzt )?(?:bei|für) {place}
    role = (?:ich )?(?:arbeite als|bin) (?:ein |eine )?{role}
    is = (?:ich )?bin {trait}
    name = ich bin (?:der |die )?{self}
    likes - = (?:ich )?(?:hasse|mag kein(?:e|en)?|mag nicht|verabscheue) {value}
    likes - = (?:ich )?mag {value} nicht
    likes = (?:ich )?(?:mag|liebe) (?:sehr |besonders |auch )?{value}
    prefers = (?:ich )?(?:bevorzuge|mag lieber) {value}
    prefers = (?:ich )?ziehe {value} vor
    speaks = (?:ich )?spreche {value}
    uses = (?:ich |wir )?(?:benutze|verwende|nutze|benutzen|verwenden|nutzen) {value}
    person = (?:ich )?habe (?:eine|einen|ein) {relation},? (?:namens|der heißt|die heißt|das heißt|er heißt
        |sie heißt) {name}
    person = mein(?:e)? {relation} (?:heißt|ist) {name}
    thing = mein(?:e|er)? {noun} (?:ist|lautet|sind) {value}
    instruction = (?P<value>(?:bitte )?(?:duze|sieze) mich(?: bitte)?)
    instruction = (?P<value>(?:bitte )?(?:antworte|antworten sie|sprich|schreib)(?: mir)?(?: bitte)?(?: immer
        | nur)? (?:auf|in|kurz|knapp|per) ?.+)
    remember = (?:bitte )?(?:merke? dir|vergiss nicht|denke? (?:dran|daran)|notiere?(?: dir)?
        |erinnere dich(?: daran)?)(?: bitte)?[,:]? (?:dass )?{clause}
    """,
    """
    name = (?:wie hei(?:ß|ss)e ich|was ist mein name|wie lautet mein name|wer bin ich|(?:weißt du
        |sag mir)(?: noch)?,? wie ich hei(?:ß|ss)e|kennst du meinen namen)
    home = (?:weißt du,? )?wo (?:wohne|lebe) ich|(?:weißt du,? )?wo ich (?:wohne|lebe)
    home = wo (?:wohnt|lebt) mein(?:e)? {relation}
    origin = woher (?:komme|stamme) ich
    age = wie alt (?:bin ich|ist mein(?:e)? {relation})
    employer = wo arbeite ich|für wen arbeite ich
    role = was (?:arbeite ich|mache ich beruflich|bin ich von beruf)|was ist mein beruf
    likes = was (?:mag|liebe) ich(?: gern)?
    likes = mag ich {value}
    prefers = (?:was|welche[rsn]? {noun}) (?:bevorzuge|mag) ich(?: lieber)?
    speaks = welche sprachen? spreche ich
    allergy = (?:wogegen|gegen was|worauf) bin ich allergisch
    person = (?:wie heißt|wer ist) mein(?:e)? {relation}
    profile = was weißt du (?:alles |noch )?(?:über|von) mir|was weißt du (?:alles |noch )?über mich
    about = was habe ich (?:dir )?(?:über|von|zu) {topic} (?:gesagt|erzählt)
    talk = (?:worüber|über was) haben wir {time} (?:gesprochen|geredet)|was haben wir {time2} (?:besprochen
        |gemacht)
    thing = (?:was|wie|wann|wo) (?:ist|lautet|sind) mein(?:e|er)? {noun}
    """,
    """
    name = heiße OR "mein name" OR nenn
    home = wohne OR lebe OR gezogen
    origin = "komme aus" OR stamme
    age = "jahre alt"
    employer = "arbeite bei" OR "arbeite für"
    role = "arbeite als" OR "ich bin"
    likes = mag OR liebe OR hasse
    prefers = bevorzuge OR lieber
    speaks = spreche
    allergy = allergisch
    """,
)
DUTCH = Language(
    "nl",
    r"ik|mijn|mij|wij|onze|onthoud|vergeet|noteer|noem|antwoord|hebben",
    r"en|maar|ook",
    r"ik|mijn|wij|we|hij|zij|woon|kom|werk|hou|haat|spreek|ben|heb|noem|woont|is",
    """
    called = noem me(?: maar)? {name}
    name = (?:ik heet|heet|mijn naam is) {name}
    home + = (?:ik ben )?(?:net |vorig jaar )?(?:naar) {place} verhuisd
    home = (?:ik |wij |we )?(?:woon|leef|wonen)(?: nu)? (?:in|bij) {place}
    home = mijn {relation}(?: {who})? woont in {place}
    origin = (?:ik )?kom(?: oorspronkelijk)? uit {place}
    age = (?:ik )?ben {age}(?: jaar(?: oud)?)?
    age = mijn {relation}(?: {who})? is {age}(?: jaar(?: oud)?)?
    allergy = (?:ik )?ben allergisch voor {value}
    employer = (?:ik )?werk (?:bij|voor) {place}
    role = (?:ik )?(?:werk als|ben) (?:een )?{role}
    is = (?:ik )?ben {trait}
    name = ik ben {self}
    likes - = (?:ik )?(?:haat|hou niet van) {value}
    likes = (?:ik )?hou(?:d)? (?:erg |heel erg )?van {value}
    prefers = (?:ik )?(?:verkies|heb liever) {value}
    prefers = (?:ik )?geef de voorkeur aan {value}
    speaks = (?:ik )?spreek {value}
    uses = (?:ik |wij |we )?(?:gebruik|gebruiken) {value}
    person = (?:ik )?heb een {relation} (?:die|dat) {name} heet
    person = mijn {relation} (?:heet|is) {name}
    thing = mijn {noun} is {value}
    instruction = (?P<value>antwoord(?: me)?(?: altijd)? (?:in|kort|beknopt) ?.*)
    remember = (?:alsjeblieft,? )?(?:onthoud|vergeet niet|noteer)[,:]? (?:dat )?{clause}
    """,
    """
    name = (?:hoe heet ik|wat is mijn naam|wie ben ik|weet je hoe ik heet)
    home = waar woon ik
    home = waar woont mijn {relation}
    origin = waar kom ik vandaan
    age = hoe oud (?:ben ik|is mijn {relation})
    employer = (?:waar|voor wie) werk ik
    role = wat is mijn (?:beroep|werk)|wat doe ik voor werk
    likes = waar hou ik van
    likes = hou ik van {value}
    prefers = (?:wat|welke {noun}) (?:verkies ik|heb ik liever)
    speaks = welke ta(?:al|len) spreek ik
    allergy = waarvoor ben ik allergisch
    person = (?:hoe heet|wie is) mijn {relation}
    profile = wat weet je (?:over|van) mij
    about = wat heb ik (?:je )?(?:over|van) {topic} (?:gezegd|verteld)
    talk = waar(?:over)? hebben we (?:het )?{time} (?:over )?(?:gehad|gesproken)
    thing = wat is mijn {noun}
    """,
    """
    name = heet OR "mijn naam"
    home = woon OR verhuisd
    origin = "kom uit"
    age = jaar
    employer = "werk bij" OR "werk voor"
    role = "werk als" OR "ik ben"
    likes = "hou van" OR haat
    prefers = liever OR verkies
    speaks = spreek
    allergy = allergisch
    """,
)
GERMANIC = (GERMAN, DUTCH)
