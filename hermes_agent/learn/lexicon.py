"""Words the grammar of statements must know by heart: kin and colleagues, diets, given names, kinds of tools.

Data only. A relation has one canonical English word, so that "meine Schwester" and "my sis" are the same
person; what is in no list is treated as unknown, never guessed.
"""

from importlib.resources import files

from hermes_agent.text.words import fold


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list, folded."""
    return frozenset(fold(word) for word in text.split())


# Canonical word: the words people use for it, in English and in the languages of `grammar_languages`.
_RELATIONS = {
    "mother": "mother mum mom mama mommy mam mutter mère maman madre mamá mamma mãe moeder",
    "father": "father dad daddy papa vater père padre papá papà pai vader",
    "sister": "sister sis schwester sœur soeur hermana sorella irmã zus zusje",
    "brother": "brother bro bruder frère hermano fratello irmão broer",
    "daughter": "daughter girl lass tochter fille hija figlia filha dochter",
    "son": "son boy lad sohn fils hijo figlio filho zoon",
    "child": """child kid children kids eldest oldest youngest firstborn twins bairn kind kinder enfant enfants
        hijos figli filhos kinderen""",
    "baby": "baby toddler",
    "wife": "wife missus ehefrau frau épouse femme esposa mujer mulher moglie echtgenote vrouw",
    "husband": "husband hubby ehemann mann mari esposo marito marido echtgenoot",
    "partner": "partner spouse partnerin compagnon compagne pareja compagna compagno companheiro companheira",
    "fiancé": "fiancé fiancée fiance fiancee verlobter verlobte prometido prometida fidanzato fidanzata",
    "girlfriend": "girlfriend gf freundin copine novia ragazza namorada vriendin",
    "boyfriend": "boyfriend bf copain novio ragazzo namorado",
    "grandmother": "grandmother grandma granny nana nan gran oma großmutter mamie abuela nonna avó",
    "grandfather": "grandfather grandpa granddad grandad opa großvater papi abuelo nonno avô",
    "grandson": "grandson enkel nieto",
    "granddaughter": "granddaughter enkelin nieta",
    "stepson": "stepson",
    "stepfather": "stepfather stepdad step-dad",
    "stepmother": "stepmother stepmum stepmom step-mum",
    "ex-husband": "ex-husband",
    "ex-wife": "ex-wife",
    "ex": "ex",
    "carer": "carer caregiver nurse-aide",
    "lodger": "lodger tenant",
    "half-brother": "half-brother stepbrother",
    "half-sister": "half-sister stepsister",
    "grandchild": "grandchild",
    "parents": "parents folks",
    "in-laws": "in-laws",
    "au pair": "nanny babysitter",
    "stepdaughter": "stepdaughter",
    "godson": "godson god-son",
    "goddaughter": "goddaughter god-daughter",
    "godfather": "godfather",
    "godmother": "godmother",
    "aunt": "aunt auntie tante tía zia tia",
    "uncle": "uncle onkel oncle tío zio tio oom",
    "cousin": "cousin cousine primo prima cugino cugina neef nicht",
    "niece": "niece nichte nièce sobrina nipote sobrinha",
    "nephew": "nephew neffe neveu sobrino sobrinho",
    "friend": "friend buddy mate pal bestie bff freund ami amie amigo amiga amico amica vriend",
    "roommate": "roommate flatmate housemate roomie mitbewohner mitbewohnerin colocataire coinquilino huisgenoot",
    "neighbour": """neighbour neighbor nachbar nachbarin voisin voisine vecino vecina vicino vizinho buurman
        buurvrouw""",
    "colleague": "colleague coworker co-worker workmate teammate kollege kollegin collègue colega collega",
    "boss": "boss chef chefin patron jefe jefa capo chefe baas",
    "manager": "manager supervisor",
    "assistant": "assistant secretary",
    "mentor": "mentor",
    "coach": "coach trainer",
    "teacher": "teacher tutor professor lehrer lehrerin professeur profesor profesora maestra insegnante leraar",
    "doctor": "doctor gp arzt ärztin hausarzt hausärztin médecin médico médica dottore dottoressa medico huisarts",
    "dentist": "dentist zahnarzt zahnärztin dentiste dentista tandarts",
    "therapist": "therapist",
    "lawyer": "lawyer attorney solicitor anwalt anwältin avocat abogado abogada avvocato advogado advocaat",
    "landlord": "landlord landlady vermieter vermieterin propriétaire casero huisbaas",
    "dog": "dog puppy pup hund hündin chien chienne perro perra cane cagna cão cachorro cachorra hond",
    "cat": "cat kitten kitty katze kater chat chatte gato gata gatto gatta kat poes",
    "horse": "horse pony pferd cheval caballo cavallo cavalo paard",
    "rabbit": "rabbit bunny hase kaninchen lapin conejo coniglio coelho konijn",
    "hamster": "hamster",
    "parrot": "parrot budgie papagei perroquet loro pappagallo papagaio papegaai",
    "bird": "bird canary vogel oiseau pájaro uccello pássaro",
    "fish": "goldfish",
    "turtle": "turtle tortoise schildkröte tortue tortuga tartaruga schildpad",
}
RELATIONS: dict[str, str] = {fold(word): name for name, said in _RELATIONS.items() for word in said.split()}
RELATIONS |= {
    f"{word}-in-law": f"{word}-in-law" for word in ("mother", "father", "sister", "brother", "son", "daughter")
}
PLURAL_RELATIONS = {
    fold(plural): name
    for name, said in _RELATIONS.items()
    for word in said.split()[:4]
    for plural in (word + "s", word + "es")
    if fold(plural) not in RELATIONS
} | {"children": "child", "kids": "child"}
BREEDS = {
    fold(word): animal
    for animal, said in {
        "dog": """retriever labrador poodle beagle dachshund terrier spaniel collie husky shepherd corgi pug
            bulldog chihuahua dalmatian rottweiler greyhound whippet labradoodle""",
        "cat": "siamese tabby ragdoll",
    }.items()
    for word in said.split()
}
SHE = word_set(
    """stepmother ex-wife half-sister stepdaughter goddaughter mother sister daughter wife girlfriend
    grandmother granddaughter aunt niece mother-in-law sister-in-law"""
)
HE = word_set(
    """stepfather ex-husband half-brother stepson godson father brother son husband boyfriend grandfather
    grandson uncle nephew father-in-law brother-in-law"""
)
CHILDREN = word_set("kid kids child children")
OFFSPRING = CHILDREN | word_set("son sons daughter daughters stepson stepdaughter twins")
KIN_MODIFIERS = word_set(
    """older younger little big elder twin best late old ex former step half eldest oldest youngest only first
    second third new other foster adopted"""
)

# Said behind "I'm" in lower case these are names; of anything else in lower case we cannot be sure.
_NAMES = word_set(
    """aaron abdul ada adam adrian ahmed aisha alan albert alejandro alex alexander alexandra alfred ali alice
    alina alison amanda amelie amina amy ana anders andrea andreas andrei andrew andy angela anita ann anna
    anne annie anton antonio anya arjun arthur astrid barbara beatriz ben benjamin bernd bettina bill birgit
    bob boris brian brigitte bruno camille carla carlos carmen carol caroline catherine cecilia charles
    charlie charlotte chen chiara chloe chris christian christina christine christopher claire clara claudia
    claus daan daniel daniela dave david dennis diana diego dieter dimitri dirk dmitri dorothy drew edgar eduardo
    edward elena eli elias elisabeth elise eliza elizabeth ella ellen emil emily emma enrico eric erik erika
    ernst esther eva eve fabian faith fatima felix fernando filip finn florian francesca francesco francisco frank
    franz fred frederik frida friedrich gabriel gabriela georg george gerhard gina giovanni giulia giuseppe
    gloria grace greta guillaume gustav hannah hans harry hassan heidi heinz helen helena helga henri henry
    hiroshi hugo ian ibrahim ida ines inga ingrid irene iris isabel isabella ivan jack jacob jakob james jan
    jana jane janet jason javier jay jean jeff jennifer jens jessica jim jing joan joanna joao joe johan johanna
    johannes john jonas jonathan jorge jose joseph josh joy juan judith julia julian julie jurgen kai karen karim
    karin karl katarina kate katharina katherine kathrin katie katja keith kelly ken kevin kim klaus kurt
    lara lars laura lea leila lena leo leon leonie liam lian lili lily linda lisa lorenzo louis louise luca
    lucas lucia lucy luis luisa lukas lena maarten magda maja manuel marc marcel marco marcus margaret maria
    marie marina mario mark markus marta martha martin martina mary matteo matthew matthias max maya mei mia
    michael michelle miguel mike mila milan miriam mohamed mohammed monica monika nadia nadine nancy natalia
    natalie natasha nick nicola nicolas nicole niklas nina noah noor nora olaf oleg olga oliver olivia omar
    oscar otto pablo pamela paola pascal patricia patrick paul paula pedro peter petra philip philipp pierre
    pieter piotr priya rachel rafael rahul ralf ramon raul ravi rebecca renate ricardo richard rita rob
    robert roberto rohan roland roman rosa rose ruben rudolf ruth ryan sabine sally sam samuel sandra sanjay
    sara sarah sebastian sergei silvia simon sofia sofie sonia sophia sophie stefan stefanie stella stephan
    stephen steve steven sue sunil susan susanne sven svetlana sylvia tanja tariq taylor teresa theo theresa thomas
    tilda tim timo tina tobias tom tomas tony ulrich ursula uwe vera veronica victor victoria vincent viktor
    vladimir walter wang wei werner will willem william wolfgang xavier yann yasmin yuki yusuf zoe zofia"""
)
GIVEN_NAMES = _NAMES | word_set(
    " ".join(
        line
        for line in files("hermes_agent.learn")
        .joinpath("given_names.txt")
        .read_text(encoding="utf-8")
        .splitlines()
        if not line.startswith("#")
    )
)
# Never a name, even with a capital letter behind "I'm" or "my name is".
NOT_NAMES = word_set(
    """a about afraid aged alive alone already also always am an angry annoyed anxious any anxious are ashamed
    asking at aware away awake back bad big blue bored broke brave busy but certain clever close cold
    confused cool crazy curious cute dead deaf delighted depressed desperate different dizzy done down drunk
    dumb dying early eager easy ecstatic embarrassed empty excited exhausted fat fed feeling fine finished
    first fit fixed free freezing fresh frustrated full fun funny furious glad going gone gonna good grateful
    great grumpy guilty happy hard healthy heading here high home homesick honest hopeful hot how hungry hurt
    hyped ill important impressed in injured interested it jealous jetlagged joking just kidding kind late
    later lazy leaving left less like little lonely looking lost lucky mad me mine missing more mud my new
    nervous next nice no nobody not nothing now off offline ok okay old on one online only open optimistic
    out outside over overwhelmed perfect pleased poor positive pregnant pretty proud psyched quiet quite
    ready really relaxed relieved right sad safe satisfied scared serious shocked short shy sick silly single
    sleepy slow small smart so some sorry speechless spelled starving still stressed stuck stupid sure
    surprised swamped tall tense terrible terrified that the there they thinking thirsty this thrilled tired
    to too torn touched trying ugly unable under undecided unhappy unsure unwell up upset used very wary weak
    weird well wet what who with wondering worn worried worth wrong yes young your yours bankrupt hangry
    android aquarius aries backend capricorn devops frontend gemini gen gryffindor hufflepuff ios java linux
    libra pisces python ravenclaw rust sagittarius scorpio slytherin taurus team type virgo windows
    insomniac moved kaputt müde fatigué cansado stanco cansada stanca moe hier da krank froh traurig zuhause
    satt hungrig ici content contente malade désolé désolée feliz triste listo lista enfermo enferma aquí qui
    felice pronto pronta stufo aqui doente blij ziek klaar thuis"""
)
NAME_PARTICLES = word_set(
    """van von der de den del della di da la le el al bin ibn ben mac mc zu zur du dos das ter ten y e"""
)

DIETS = word_set(
    """vegan vegetarian vegetarier vegetarierin vegetarisch végétarien végétarienne vegetariano vegetariana
    vegetariër vegano vegana veganer veganerin végane pescatarian pescetarian flexitarian kosher halal
    coeliac celiac lactose-intolerant gluten-free teetotal"""
)
TRAITS = word_set(
    """left-handed right-handed colour-blind color-blind colourblind colorblind dyslexic diabetic asthmatic
    muslim jewish catholic protestant buddhist hindu atheist agnostic"""
)
STATUSES = word_set("married divorced widowed engaged retired self-employed unemployed freelance")
NATIONALITIES = word_set(
    """afghan albanian algerian angolan armenian azerbaijani bangladeshi bolivian bosnian cambodian cameroonian
    congolese cuban cypriot dominican ecuadorian eritrean filipino georgian ghanaian guatemalan haitian
    honduran ivorian jamaican kazakh kuwaiti lao libyan luxembourgish macedonian malian maltese mauritian
    moldovan mongolian namibian nicaraguan panamanian paraguayan puerto-rican qatari rwandan salvadoran
    samoan saudi senegalese somali tanzanian tongan trinidadian ugandan uruguayan uzbek yemeni zambian
    zimbabwean kurdish catalan basque flemish walloon breton american argentinian australian austrian belgian
    brazilian british bulgarian canadian chilean chinese colombian croatian czech danish dutch egyptian
    english estonian ethiopian finnish french german greek hungarian icelandic indian indonesian iranian
    iraqi irish israeli italian japanese jordanian kenyan korean latvian lebanese lithuanian malaysian
    mexican moroccan nepali nigerian norwegian pakistani palestinian persian peruvian polish portuguese
    romanian russian scottish serbian singaporean slovak slovenian spanish sudanese swedish swiss syrian
    taiwanese thai tunisian turkish ukrainian venezuelan vietnamese welsh"""
)
HEALTH = word_set(
    """diabetes asthma epilepsy migraine migraines adhd autism dyslexia arthritis tinnitus hypertension eczema
    dementia alzheimer's parkinson's cancer copd ibs pcos ptsd ocd depression psoriasis gout lupus crohn's
    parkinsons alzheimers crohns
    fibromyalgia sciatica glaucoma insomnia narcolepsy scoliosis angina hayfever anaemia anemia celiac
    coeliac endometriosis osteoporosis"""
)
OCCUPATIONS = word_set(
    """paralegal sysadmin
    actor accountant actuary analyst architect artist astronaut baker barber bishop barista biologist bricklayer
    builder butcher captain carpenter ceo cfo chef chemist clerk consultant cook coo cto dancer dentist designer
    dev developer devops director diver doctor driver economist editor electrician engineer farmer firefighter
    fireman fisherman freelancer founder gardener geologist goldsmith hairdresser historian illustrator imam intern
    interpreter investor janitor journalist judge lawyer lecturer librarian linguist manager mathematician mechanic
    midwife monk musician novelist nun nurse nutritionist officer paramedic pensioner pharmacist philosopher
    photographer physician priest rabbi
    physicist physiotherapist pianist pilot plumber poet police postdoc postman producer professor programmer
    psychiatrist psychologist recruiter researcher retiree sailor salesman saleswoman scientist secretary
    singer sociologist soldier specialist statistician student surgeon surveyor teacher technician tester
    therapist trader trainee trainer translator tutor vet veterinarian waiter waitress welder writer sre
    devops lehrer lehrerin ingenieur ingenieurin arzt ärztin krankenschwester pfleger entwickler entwicklerin
    programmierer studentin student koch köchin journalistin journalist infirmière infirmier ingénieur
    professeur médecin étudiant étudiante développeur enseignante ingeniero ingeniera médico médica enfermera
    enfermero profesor profesora estudiante abogada abogado ingegnere infermiera infermiere insegnante
    studente studentessa medico avvocato engenheiro engenheira enfermeiro enfermeira professora estudante
    verpleegkundige leraar lerares arts programmeur"""
)

# What people have one of for long: "my X is Y" about these is worth a note even in lower case.
LASTING_NOUNS = word_set(
    """name surname nickname birthday address email e-mail phone mobile job profession occupation role title
    employer company hobby hobbies goal timezone language colour color pronouns diet allergy allergies
    passport licence license stack database editor shell os framework ide browser branch convention standard
    deadline repo repository server host hostname port url domain bucket cluster region project product
    currency unit units schedule standup password passphrase pin account username handle religion major
    degree school university instrument wifi anniversary hometown prefix codename namespace voice"""
)
# Worth a note only with a word in front: a shoe size, a deploy day, a door code.
LASTING_HEADS = word_set(
    """number size day time type zone code plan style format budget team car bike laptop computer"""
)
# What has a value for long, if that is a name, a number or a time.
NUMBERED_NOUNS = word_set(
    """anniversary appointment bank base birthday branch budget car channel club company database date day deadline
    demo dentist doctor domain editor email flight framework gate height host hostname hours ip landlord language
    laptop launch license licence limit meeting number office phone plan planner port price project provider rate
    registry release rent repo repository retro review salary school server shift size species sprint stack standup
    stand-up start supplier target team time timezone train university url vendor version vet website weight wifi
    zone prefix minimum maximum cap ceiling quota threshold timeout retention namespace extension codename style"""
)
PROJECT_NOUNS = word_set(
    """project repo repository server database app application website site codebase deployment deploy cluster
    staging production api service backend frontend branch pipeline bucket host domain port build release
    stack framework wifi router printer network nas vpn bot script library package"""
)
RELATIVE_TIMES = (
    r"today|tonight|tomorrow|yesterday|(?:this|next|last)\s+(?:morning|afternoon|evening|night|week|month"
    r"|weekend|year"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|right now|at the moment|later|soon|in an? \w+"
    r"|in \d+ (?:minutes?|hours?|days?|weeks?)|again|heute|morgen|gestern|gerade|demain|hier|aujourd'hui"
    r"|mañana|hoy|ayer"
    r"|domani|oggi|ieri|amanhã|hoje|ontem|vandaag|gisteren"
)

# "What database do we use?" is answered by "we use PostgreSQL 16": the kind must be known.
KINDS: dict[str, frozenset[str]] = {
    kind: word_set(members)
    for kind, members in {
        "database": """postgres postgresql mysql mariadb sqlite oracle mongodb mongo redis cassandra cockroachdb
            dynamodb duckdb clickhouse neo4j elasticsearch firestore supabase snowflake bigquery db2""",
        "editor": "vim neovim nvim emacs vscode nano helix sublime pycharm intellij zed kate",
        "language": """python rust go golang java kotlin scala javascript typescript ruby php perl haskell
            elixir erlang swift c c++ c# julia r lua zig ocaml clojure english german french spanish italian
            portuguese dutch polish russian chinese japanese korean arabic hindi turkish swedish norwegian
            danish finnish greek mandarin deutsch englisch französisch spanisch italienisch français anglais
            allemand espagnol español inglés""",
        "system": "linux windows macos ubuntu debian fedora arch nixos freebsd openbsd android ios",
        "shell": "bash zsh fish nushell powershell",
        "framework": """django flask fastapi rails react vue svelte angular spring laravel express next nuxt
            starlette""",
        "cloud": "aws azure gcp hetzner digitalocean cloudflare heroku fly vercel netlify",
        "ci": "jenkins github gitlab circleci buildkite teamcity drone woodpecker",
        "queue": "rabbitmq kafka celery sqs nats redis sidekiq",
        "browser": "firefox chrome chromium safari edge brave opera vivaldi",
        "drink": "tea coffee water beer wine juice cola lemonade milk cocoa espresso",
        "unit": "metric imperial kilometres kilometers miles celsius fahrenheit kilograms pounds",
        "packager": "poetry uv pip npm yarn pnpm cargo conda bazel",
        "instrument": "piano guitar violin cello flute drums bass saxophone trumpet harp clarinet accordion viola",
        "sport": "football soccer tennis basketball hockey golf rugby cricket volleyball badminton chess handball",
    }.items()
}
