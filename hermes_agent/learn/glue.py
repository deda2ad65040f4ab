"""The words that hold a sentence together, by what they do. Data only."""

from hermes_agent.learn.lexicon import word_set

I_OR_WE = word_set("i we")
PRONOUNS = word_set("i we he she they it you this that these those there")
INDEFINITE = word_set(
    "everyone everybody someone somebody nobody anyone anybody people everything nothing something one"
)
MINE = word_set("my our")
POSSESSIVES = word_set("my our your his her their its")
DETERMINERS = POSSESSIVES | word_set(
    "a an the this that these those some any every each no both all half another either neither such"
)
BE = word_set("am is are was were be been being") | {"'m", "'re", "'s"}
HAVE = word_set("have has had") | {"'ve"}
DO = word_set("do does did")
MODALS = word_set("can will would could should must might may shall") | {"'ll", "'d"}
AUXILIARIES = BE | HAVE | DO | MODALS
NOT = frozenset(("n't", "not"))
PREPOSITIONS = word_set(
    """about above across after against along among around as at before behind below beneath beside besides between
    beyond by despite down during except for from in inside into like near of off on onto out outside over
    past per round since than through throughout till to toward towards under underneath unlike until up upon
    via with within without"""
)
AND = word_set("and or nor")
JOINTS = AND | word_set("but so because since as although though while whereas plus then yet hence therefore")
CONDITIONS = word_set("if unless whether when whenever until before after once till")
RELATIVES = word_set("who which where whom whose that")
EVERY = word_set("every each any all")
OBJECTS = word_set("it them him me us you")
QUESTION_WORDS = word_set("what who whom whose where which why how when")
MARKS = frozenset(",;:()—–-…\"'/[]*•|~=<>□.!?")
ADVERBS = word_set(
    """absolutely again ago ahead almost already also always apparently anyway away back badly barely basically
    briefly currently daily definitely easily else especially even ever exactly exclusively extremely fairly far
    finally first formerly frankly frequently fully generally hardly here however indeed instead just largely
    lately later least literally mainly maybe merely mostly much nearly never newly normally not now nowadays
    obviously occasionally often once only originally otherwise particularly perhaps personally presently pretty
    previously primarily probably professionally properly quickly quite rarely rather really recently regularly
    sadly seldom simply slowly sometimes soon specifically still strictly strongly subsequently suddenly
    thereby thus together tomorrow too totally truly twice typically unfortunately usually utterly very
    well yesterday yet"""
) - {"back"}
LEADS = word_set(
    """actually ah alas also and anyhow anyway basically besides but by hello hey hi honestly how ok okay oh well
    yes yeah yep no nope nah so now then plus still yet meanwhile sadly luckily finally recently currently
    unfortunately incidentally moreover furthermore however or because since as although though whereas while
    correction sorry right first second lately originally nowadays today yesterday honestly btw fyi wait thanks
    please instead hence therefore henceforth look listen just yo hiya oi anyways yh yup k kk"""
)
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
NUMBERS = {word: number for number, word in enumerate(_SMALL)}
NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
# A noun phrase ends in front of any of these.
CLOSED = (
    PRONOUNS
    | DETERMINERS
    | AUXILIARIES
    | NOT
    | PREPOSITIONS
    | JOINTS
    | CONDITIONS
    | RELATIVES
    | QUESTION_WORDS
    | MARKS
    | ADVERBS
    | word_set("me us him them myself yourself himself herself themselves please yes")
)
