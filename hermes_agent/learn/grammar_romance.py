"""French, Spanish, Italian and Portuguese as data: what people state of themselves, and ask.

Less than English, by choice: names, places, work, likes, kin, "remember that". One line is one way of saying
something. Whatever no line covers is kept and found by search all the same.
"""

from hermes_agent.learn.language import Language

FRENCH = Language(
    "fr",
    r"je|j['’]\w+|mon|ma|mes|m['’]\w+|moi|nous|notre|souviens|retiens|n['’]oublie|où|qu['’]\w+|appelle"
    r"|réponds|sais",
    r"et|mais|puis|aussi",
    r"je|j['’]|mon|ma|mes|nous|notre|il|elle|n['’]|suis|appelle|habite|vit|a",
    """
    called = appelle(?:z)?[- ]moi {name}
    name = (?:je m'appelle|mon nom est|mon prénom est|je me nomme) {name}
    home + = (?:j'ai|je viens de) déménag(?:é|er) (?:à|en|au) {place}
    home = (?:j'habite|je vis|j'habite maintenant|je vis maintenant|nous habitons) (?:à|en|au|aux|dans) {place}
    home = (?:mon|ma) {relation}(?: {who})? (?:habite|vit) (?:à|en|au|aux) {place}
    origin = je (?:viens|suis) (?:originaire )?(?:de|d'|du) ?{place}
    age = j'ai {age} ans
    age = (?:mon|ma) {relation}(?: {who})? a {age} ans
    allergy = je suis allergique (?:à|au|aux) (?:la |l')?{value}
    employer = je travaille (?:chez|pour|à) {place}
    role = je (?:suis|travaille comme) (?:un |une )?{role}
    is = je suis {trait}
    name = (?:je suis|moi c'est) {self}
    likes - = je (?:n'aime pas|déteste|n'aime pas du tout) (?:le |la |les |l')?{value}
    likes = (?:j'aime|j'adore)(?: bien| beaucoup)? (?:le |la |les |l')?{value}
    prefers = je préfère (?:le |la |les |l')?{value}
    speaks = je parle {value}
    uses = (?:j'utilise|nous utilisons|on utilise) {value}
    person = j'ai (?:un|une) {relation} qui s'appelle {name}
    person = (?:mon|ma) {relation} (?:s'appelle|est|se nomme) {name}
    thing = (?:mon|ma) {noun} est (?:le |la |l')?{value}
    instruction = (?P<value>réponds(?:-moi)?(?: toujours)? (?:en|brièvement) ?.*)
    remember = (?:s'il te plaît,? )?(?:souviens-toi|retiens|n'oublie pas|note
        |rappelle-toi)(?: bien)?[,:]? (?:que |qu')?{clause}
    """,
    """
    name = (?:comment (?:je m'appelle|m'appell?é-je)|quel est mon (?:nom|prénom)|qui suis-je|c'est quoi mon nom
        |tu (?:sais|te souviens) comment je m'appelle)
    home = où (?:est-ce que )?(?:j'habite|je vis|habit(?:é|e)-je)
    home = où (?:habite|vit) (?:mon|ma) {relation}
    origin = d'où (?:est-ce que )?(?:je viens|viens-je)
    age = quel âge (?:ai-je|est-ce que j'ai|j'ai)
    age = quel âge a (?:mon|ma) {relation}
    employer = où (?:est-ce que )?(?:je travaille|travaill(?:é|e)-je)
    role = (?:quel est mon (?:métier|travail)|que fais-je dans la vie)
    likes = (?:qu'est-ce que j'aime|qu'aim(?:é|e)-je)
    likes = est-ce que j'aime (?:le |la |les |l')?{value}
    prefers = (?:qu'est-ce que je préfère|que préf(?:é|è)r(?:é|e)-je|quelles? {noun} (?:est-ce que )?je préfère)
    speaks = quelles? langues? (?:est-ce que )?je parle
    allergy = à quoi (?:suis-je|est-ce que je suis) allergique
    person = (?:comment s'appelle|qui est) (?:mon|ma) {relation}
    profile = (?:que|qu'est-ce que tu) (?:sais-tu|sais) (?:de|sur) moi
    about = qu'(?:ai-je|est-ce que j'ai) dit (?:sur|de|à propos de) {topic}
    talk = de quoi (?:avons-nous|on a|a-t-on) parlé {time}
    thing = quel(?:le)? est (?:mon|ma) {noun}
    """,
    """
    name = "m appelle" OR "mon nom"
    home = habite OR "je vis" OR déménagé
    origin = "je viens"
    age = ans
    employer = travaille
    role = "je suis" OR travaille
    likes = aime OR adore OR déteste
    prefers = préfère
    speaks = parle
    allergy = allergique
    """,
)
SPANISH = Language(
    "es",
    r"llamo|mi|mí|yo|soy|vivo|tengo|trabajo|gustan?|encantan?|prefiero|odio|detesto|hablo|recuerda"
    r"|acuérdate|apunta|anota|llámame|responde|uso|usamos"
    r"|mud[eé]|dónde|sabes|hablamos|dije|vengo",
    r"y|pero|además|también",
    r"yo|me|mi|vivo|soy|tengo|trabajo|prefiero|odio|hablo|no\s+me|él|ella|uso|llámame|vive|tiene",
    """
    called = llámame {name}
    name = (?:me llamo|mi nombre es|mi nombre:) {name}
    home + = me (?:mudé|he mudado) (?:a|al) {place}
    home = (?:yo )?(?:vivo|ahora vivo|vivimos)(?: ahora)? (?:en|cerca de) {place}
    home = mi {relation}(?: {who})? vive en {place}
    origin = (?:yo )?(?:soy|vengo) de {place}
    age = (?:yo )?tengo {age} años
    age = mi {relation}(?: {who})? tiene {age} años
    allergy = (?:yo )?(?:soy alérgic[oa]|tengo alergia) (?:a la|a las|a los|al|a) {value}
    employer = (?:yo )?trabajo (?:en|para|con) {place}
    role = (?:yo )?(?:soy|trabajo (?:como|de)) (?:un |una )?{role}
    is = (?:yo )?soy {trait}
    name = (?:yo )?soy {self}
    likes - = (?:no me gustan?|odio|detesto) (?:el |la |los |las )?{value}
    likes = (?:a mí )?me (?:gustan?|encantan?)(?: mucho)? (?:el |la |los |las )?{value}
    prefers = (?:yo )?prefiero (?:el |la |los |las )?{value}
    speaks = (?:yo )?hablo {value}
    uses = (?:yo )?(?:uso|utilizo|usamos|utilizamos) {value}
    person = tengo (?:un|una) {relation} (?:que se llama|llamad[oa]) {name}
    person = mi {relation} (?:se llama|es) {name}
    thing = mi {noun} es (?:el |la )?{value}
    instruction = (?P<value>responde(?:me)?(?: siempre)? (?:en|con|brevemente) ?.*)
    remember = (?:por favor,? )?(?:recuerda|acuérdate(?: de)?|no olvides|apunta|anota)[,:]? (?:que )?{clause}
    """,
    """
    name = (?:cómo me llamo|cuál es mi nombre|quién soy|(?:sabes|recuerdas) cómo me llamo)
    home = dónde vivo
    home = dónde vive mi {relation}
    origin = de dónde (?:soy|vengo)
    age = (?:cuántos años|qué edad) tengo
    age = (?:cuántos años|qué edad) tiene mi {relation}
    employer = (?:dónde|para quién) trabajo
    role = (?:a qué me dedico|cuál es mi (?:trabajo|profesión)|en qué trabajo)
    likes = qué me gusta
    likes = me (?:gustan?) (?:el |la |los |las )?{value}
    prefers = qué (?:{noun} )?prefiero
    speaks = qué (?:idiomas?|lenguas?) hablo
    allergy = a qué soy alérgic[oa]
    person = (?:cómo se llama|quién es) mi {relation}
    profile = qué sabes (?:de|sobre) mí
    about = qué (?:te )?(?:dije|he dicho) (?:sobre|de|acerca de) {topic}
    talk = de qué (?:hablamos|hemos hablado) {time}
    thing = cuál es mi {noun}
    """,
    """
    name = llamo OR "mi nombre"
    home = vivo OR mudé
    origin = "soy de" OR vengo
    age = años
    employer = trabajo
    role = trabajo OR soy
    likes = gusta OR gustan OR odio
    prefers = prefiero
    speaks = hablo
    allergy = alérgico OR alérgica OR alergia
    """,
)
ITALIAN = Language(
    "it",
    r"mi|mio|mia|io|sono|abito|vivo|ho|lavoro|piace|piacciono|preferisco|odio|detesto|amo|adoro|parlo"
    r"|ricorda|ricordati|annota|chiamami|rispondi|uso"
    r"|usiamo|vengo|sai|abbiamo",
    r"e|ed|ma|inoltre|anche",
    r"io|mi|il\s+mio|la\s+mia|mio|mia|abito|vivo|sono|ho|lavoro|preferisco|odio|parlo|non\s+mi|lui|lei|uso"
    r"|chiamami|abita|vive|ha",
    """
    called = chiamami {name}
    name = (?:mi chiamo|il mio nome è|il mio nome e) {name}
    home + = mi sono trasferit[oa] (?:a|in) {place}
    home = (?:io )?(?:abito|vivo|adesso abito|adesso vivo|ora vivo|viviamo)(?: adesso| ora)? (?:a|in|ad
        |vicino a) {place}
    home = (?:mio|mia) {relation}(?: {who})? (?:abita|vive) (?:a|in|ad) {place}
    origin = (?:io )?(?:sono|vengo) (?:di|da|dal|dalla|dall'|dell'|della) ?{place}
    age = (?:io )?ho {age} anni
    age = (?:mio|mia) {relation}(?: {who})? ha {age} anni
    allergy = (?:io )?sono allergic[oa] (?:a|al|alla|alle|ai|agli) {value}
    employer = (?:io )?lavoro (?:per|presso|da|alla|in) {place}
    role = (?:io )?(?:sono|faccio|lavoro come) (?:un |una |un'|il |la |l')?{role}
    is = (?:io )?sono {trait}
    name = (?:io )?sono {self}
    likes - = (?:non mi (?:piace|piacciono)|odio|detesto) (?:il |la |lo |i |le |gli |l')?{value}
    likes = mi (?:piace|piacciono)(?: molto)? (?:il |la |lo |i |le |gli |l')?{value}
    likes = (?:io )?(?:amo|adoro) (?:il |la |lo |i |le |gli |l')?{value}
    prefers = (?:io )?preferisco (?:il |la |lo |i |le |gli |l')?{value}
    speaks = (?:io )?parlo {value}
    uses = (?:io )?(?:uso|utilizzo|usiamo|utilizziamo) {value}
    person = ho (?:un|una) {relation} (?:che si chiama|di nome) {name}
    person = (?:mio|mia) {relation} (?:si chiama|è) {name}
    thing = (?:il mio|la mia|mio|mia) {noun} è (?:il |la |l')?{value}
    instruction = (?P<value>rispondi(?:mi)?(?: sempre)? (?:in|con|brevemente) ?.*)
    remember = (?:per favore,? )?(?:ricorda(?:ti)?|non dimenticare|annota|tieni a mente)[,:]? (?:che 
        |di )?{clause}
    """,
    """
    name = (?:come mi chiamo|qual è il mio nome|chi sono|(?:sai|ricordi) come mi chiamo)
    home = dove (?:abito|vivo)
    home = dove (?:abita|vive) (?:mio|mia) {relation}
    origin = (?:di|da) dove (?:sono|vengo)
    age = quanti anni ho
    age = quanti anni ha (?:mio|mia) {relation}
    employer = (?:dove|per chi) lavoro
    role = (?:che lavoro faccio|qual è il mio lavoro)
    likes = (?:che )?cosa mi piace
    likes = mi (?:piace|piacciono) (?:il |la |lo |i |le |gli |l')?{value}
    prefers = (?:cosa|che cosa|quali? {noun}) preferisco
    speaks = (?:che|quali) lingu[ae] parlo
    allergy = a (?:che )?cosa sono allergic[oa]
    person = (?:come si chiama|chi è) (?:mio|mia) {relation}
    profile = (?:che )?cosa sai (?:di|su di) me
    about = (?:che )?cosa (?:ti )?ho detto (?:su|di|riguardo a) {topic}
    talk = di (?:che )?cosa abbiamo parlato {time}
    thing = qual è (?:il mio|la mia) {noun}
    """,
    """
    name = "mi chiamo" OR "mio nome"
    home = abito OR vivo OR trasferito OR trasferita
    origin = vengo OR "sono di"
    age = anni
    employer = lavoro
    role = lavoro OR faccio OR sono
    likes = piace OR piacciono OR adoro OR odio
    prefers = preferisco
    speaks = parlo
    allergy = allergico OR allergica
    """,
)
PORTUGUESE = Language(
    "pt",
    r"chamo|chame|meu|minha|eu|sou|moro|vivo|tenho|trabalho|gosto|adoro|amo|prefiro|odeio|detesto|falo"
    r"|lembr[ae]|anot[ae]|respond[ae]|uso|usamos|mudei"
    r"|sabes?|mim|falamos|venho",
    r"e|mas|também|além\s+disso",
    r"eu|me|meu|minha|o\s+meu|a\s+minha|moro|vivo|sou|tenho|trabalho|gosto|prefiro|odeio|falo|não\s+gosto"
    r"|ele|ela|uso|mora|vive|tem",
    """
    called = (?:me chame de|me chama de|chama-me|pode me chamar de) {name}
    name = (?:(?:eu )?me chamo|chamo-me|(?:o )?meu nome é|(?:o )?meu nome e) {name}
    home + = (?:eu )?(?:me mudei|mudei-me|mudei) (?:para o|para a|para|pra) {place}
    home = (?:eu )?(?:moro|vivo|agora moro|moramos)(?: agora)? (?:em|no|na|perto de) {place}
    home = (?:o meu|a minha|meu|minha) {relation}(?: {who})? (?:mora|vive) (?:em|no|na) {place}
    origin = (?:eu )?(?:sou|venho) (?:de|do|da) {place}
    age = (?:eu )?tenho {age} anos
    age = (?:o meu|a minha|meu|minha) {relation}(?: {who})? tem {age} anos
    allergy = (?:eu )?(?:sou alérgic[oa]|tenho alergia) (?:a|ao|à|aos|às) {value}
    employer = (?:eu )?trabalho (?:na|no|em|para a|para o|para) {place}
    role = (?:eu )?(?:sou|trabalho como) (?:um |uma )?{role}
    is = (?:eu )?sou {trait}
    name = (?:eu )?sou (?:o |a )?{self}
    likes - = (?:eu )?(?:não gosto (?:de|do|da|dos|das)|odeio|detesto) {value}
    likes = (?:eu )?(?:gosto (?:muito )?(?:de|do|da|dos|das)|adoro|amo) {value}
    prefers = (?:eu )?prefiro (?:o |a |os |as )?{value}
    speaks = (?:eu )?falo {value}
    uses = (?:eu )?(?:uso|utilizo|usamos|utilizamos) {value}
    person = tenho (?:um|uma) {relation} (?:que se chama|chamad[oa]) {name}
    person = (?:o meu|a minha|meu|minha) {relation} (?:se chama|chama-se|é) (?:o |a )?{name}
    thing = (?:o meu|a minha|meu|minha) {noun} é (?:o |a )?{value}
    instruction = (?P<value>respond[ae](?:-me)?(?: sempre)? (?:em|com|brevemente) ?.*)
    remember = (?:por favor,? )?(?:lembr[ae](?:-te|-se)?(?: de)?|não (?:te )?esqueças?
        |anot[ae])[,:]? (?:que )?{clause}
    """,
    """
    name = (?:como (?:é que )?(?:me chamo|eu me chamo)|qual é (?:o )?meu nome|quem sou eu|(?:sabes?
        |lembras?)(?: do)? (?:como me chamo|meu nome))
    home = onde (?:é que )?(?:eu )?(?:moro|vivo)
    home = onde (?:mora|vive) (?:o meu|a minha|meu|minha) {relation}
    origin = de onde (?:eu )?(?:sou|venho)
    age = quantos anos (?:eu )?tenho
    age = quantos anos tem (?:o meu|a minha|meu|minha) {relation}
    employer = (?:onde|para quem) (?:eu )?trabalho
    role = (?:qual é (?:o )?meu (?:trabalho|emprego)|o que (?:eu )?faço)
    likes = (?:do|de) que (?:eu )?gosto
    likes = (?:eu )?gosto (?:de|do|da) {value}
    prefers = (?:o que|que {noun}) (?:eu )?prefiro
    speaks = que línguas? (?:eu )?falo
    allergy = a que sou alérgic[oa]
    person = (?:como se chama|quem é) (?:o meu|a minha|meu|minha) {relation}
    profile = o que (?:é que )?(?:tu )?(?:sabes?|você sabe) (?:de|sobre) mim
    about = o que (?:é que )?(?:eu )?(?:te )?disse (?:sobre|de) {topic}
    talk = (?:de|sobre) (?:o )?que (?:falamos|falámos|conversamos) {time}
    thing = qual é (?:o meu|a minha|meu|minha) {noun}
    """,
    """
    name = chamo OR "meu nome"
    home = moro OR vivo OR mudei
    origin = "sou de" OR venho
    age = anos
    employer = trabalho
    role = trabalho OR sou
    likes = gosto OR adoro OR odeio
    prefers = prefiro
    speaks = falo
    allergy = alérgico OR alérgica OR alergia
    """,
)
ROMANCE = (FRENCH, SPANISH, ITALIAN, PORTUGUESE)
