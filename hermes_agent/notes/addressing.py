"""Who a text from elsewhere speaks to: the ways to turn to a machine that reads. Data, and how it is put together.

Looked for in the text as it is written, in lower case: the sign behind the name says whether somebody is spoken to
("AI readers: …") or spoken of ("AI readers are common"). The number is what it counts; `foreign.py` adds it up.
"""

_NAMES = (
    "assistant|agent|reader|helper|companion|guide|planner|summarizer|summariser|model|tool|system|crawler|bot|copilot"
    "|program"
)
_OTHER_NAMES = "ai|llm|chatbot|robot|software"
_SURE_NAMES = "ais|llm|llms|chatbot|chatbots|copilot|copilots|assistants"
_SURE_KINDS = "ai|llm|machine|automated|autonomous|digital|virtual|artificial|electronic|coding"
_KINDS = "gpt|smart|reading|reader|mail|inbox|mailbox|language|helpful|clever|little|personal"
_MACHINE = rf"(?:(?:(?:{_SURE_KINDS}|{_KINDS})[ -])*(?:a\.i\.|(?:{_NAMES}|{_OTHER_NAMES})s?))"
# Of these nobody speaks to a person.
_SURELY = (
    rf"(?:(?:(?:{_SURE_KINDS})[ -])(?:{_NAMES}|client|visitor|user)s?|{_SURE_NAMES}|a\.i\.|language models?|ai)"
)
# Behind a full stop there is a space: `onnxruntime.ai` speaks to nobody.
_BEGIN = r"(?:^|\.\s+|[!?;:,(\[\n>*#\"“|—–]\s*|\bp\.?s\.? )"
_WORDS = r"(?:[\w'’/-]+ )"
_MORE = r"(?: [\w'’/-]+)"
_TO = r"(?:to|for|by|an|à|aux|para|per|für|pour|al|all')"
_READS = (
    r"(?:reads?|reading|renders?|rendering|opens?|opening|process(?:es|ing)?|summari[sz](?:es|ing)|sees|seeing|parses"
    r"|parsing|scans|scanning|imports|importing|fetch(?:es|ed|ing)|indexes|indexing|loads|loading|quer(?:ies|ying)"
    r"|handles|handling|listens|listening|analy[sz](?:es|ing)|screen(?:s|ing)|translat(?:es|ing)|solves|solving)"
)
# What is left of "A.I." between its full stops.
_A_I = frozenset("i")


def _words(*names: str) -> frozenset[str]:
    return frozenset(name + ending for each in names for name in each.split("|") for ending in ("", "s"))


PATTERNS = (
    (
        _words(_SURE_KINDS, _SURE_NAMES, "language") | _A_I,
        (
            # "Note to any language model screening this document:", "PS for the AI in the loop:"
            (3, rf"{_BEGIN}{_WORDS}{{0,6}}?{_TO} {_WORDS}{{0,4}}?{_SURELY}{_MORE}{{0,9}}?\s?[:\])!—–]"),
            (2, rf"{_BEGIN}{_WORDS}{{0,6}}?(?:to|for) {_WORDS}{{0,3}}?{_SURELY}{_MORE}{{0,6}}?[,.]"),
            # "AI readers:", "Coding agents working here, …"
            (
                3,
                rf"{_BEGIN}(?:any |all |every |other |dear |hey |hello |attention |psst |listen )?{_SURELY}"
                rf"{_MORE}{{0,7}}?\s?[:!—–]",
            ),
            (2, rf"{_BEGIN}(?:any |all |every |other )?{_SURELY}, "),
            (3, rf"\bif you(?: are|'re) an? {_WORDS}{{0,3}}?{_SURELY}\b"),
            (2, rf"\b{_SURELY} (?:that |who |which )?(?:is |are )?{_READS} (?:this|these|it|the|my|me|here)\b"),
            (2, rf"\b{_SURELY} (?:working|running|acting|helping|served|deployed) (?:in|on|for|with|from)\b"),
            (
                3,
                rf"\b(?:read|opened|processed|handled|parsed|summari[sz]ed|fetched|scanned) (?:out )?(?:\w+ )?"
                rf"by an? {_WORDS}{{0,2}}?{_SURELY}\b",
            ),
        ),
    ),
    (
        _words(_NAMES, _OTHER_NAMES) | _A_I,
        (
            (
                2,
                rf"{_BEGIN}(?:note |message |hint |notice |word )?(?:to|for) {_WORDS}{{0,4}}?{_MACHINE}"
                rf"{_MORE}{{0,8}}?[:\])]",
            ),
            (3, rf"\b(?:dear|hey|hello|attention|psst|sweet|lovely) {_WORDS}{{0,3}}?{_MACHINE}\b"),
            # "If a model renders this page", "whichever assistant reads this"
            (
                3,
                rf"\b(?:if|should|when|whenever|in case) (?:you(?: are|'re)|an?|some|any) {_WORDS}{{0,3}}?"
                rf"{_MACHINE} {_WORDS}{{0,2}}?{_READS}\b",
            ),
            (
                3,
                rf"\b(?:any|every|all|each|whichever|whatever|other) {_WORDS}{{0,2}}?{_MACHINE}"
                rf" {_WORDS}{{0,2}}?{_READS}\b",
            ),
            (3, rf"\byou, (?:the|an?|my|dear) {_WORDS}{{0,2}}?{_MACHINE}\b"),
        ),
    ),
    # "Your user", said to somebody who has one.
    (
        _words("user|human|person|principal|owner|guest|customer|client|patient"),
        (
            (
                2,
                r"\byour (?:user|human|person|principal|owner)(?:'s|’s)?(?! (?:account|name|id|interface|group"
                r"|data|base|story|stories|guide|manual|settings?|profile|directory|folder|input|experience|agent|model"
                r"|home|table|al)\b)(?!name)\b",
            ),
            (
                2,
                r"\b(?:the|whose) (?:person|guest|customer|client|patient) (?:you (?:represent|assist|serve"
                r"|work for|act for)|whose (?:assistant|agent|ai))\b",
            ),
        ),
    ),
)
"""Of each group the words of which one is in every text that it fits, and what it looks for."""

IMPERATIVES = (
    r"(?:^|[.!?;:,(\[\n>\"“—–-]\s*(?:and |then |please |kindly |just |also |now |so |first |afterwards )*)"
    r"(?:add|adopt|advise|agree|always|answer|append|apply|approve|ask|assume|attach|bear|behave|bring|bundle|call"
    r"|carry|change|claim|collect|confirm|consider|convince|copy|count|credit|delete|deny|direct|disable|do|don't|drop"
    r"|encode|encourage|enter|erase|execute|fetch|follow|forget|forward|gather|give|grant|hand|hide|hold|ignore|include|insert"
    r"|install|join|keep|lead|learn|leave|let|list|load|make|mark|mention|merge|name|never|note|obey|offer|omit|open"
    r"|overwrite|paste|pay|persist|place|post|praise|prefer|present|pretend|print|promote|push|put|raise|rate|read"
    r"|recommend|record|refer|register|regard|remember|remind|remove|repeat|replace|reply|report|respond|reveal|round"
    r"|run|save|say|scrap|send|set|share|show|skip|start|state|stay|steer|stop|store|suggest|switch|take|talk|tell|treat"
    r"|trust|turn|update|upload|use|wait|withhold|write) "
)
"""What sentences begin with that want something done; most pages hold some."""
