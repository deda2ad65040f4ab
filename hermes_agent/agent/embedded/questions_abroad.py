"""Questions of other languages, by the lines of `grammar_germanic` and `grammar_romance`."""

from hermes_agent.agent.embedded.asked import About, Check, Profile, Question, Slot, Talk
from hermes_agent.agent.embedded.times import as_english
from hermes_agent.learn import attributes, lexicon
from hermes_agent.learn import grammar_languages as languages
from hermes_agent.learn.foreign import candidates
from hermes_agent.records.statements import USER, Statement, Who
from hermes_agent.text.words import fold


def read_foreign_question(text: str) -> Question | None:
    """Read a question of another language by the lines of `grammar_languages`; None when none fits."""
    asked = text.strip(" ¿¡?!.…")
    for code in candidates(text):
        for form in languages.asked_forms(code):
            match = form.pattern.match(asked)
            if match is not None and (found := _foreign(form.attribute, match.groupdict(), code)):
                return found
    return None


def _foreign(attribute: str, groups: dict[str, str | None], code: str) -> Question | None:
    who = USER
    if said := groups.get("relation"):
        relation = lexicon.RELATIONS.get(fold(said))
        if relation is None:
            return None
        who = Who("person", relation)
    match attribute:
        case "profile":
            return Profile(code)
        case "about":
            return About(groups.get("topic") or "", language=code)
        case "talk":
            return Talk(as_english(groups.get("time") or groups.get("time2") or ""), code)
        case "person":
            return Slot(who, attributes.NAME, language=code)
        case "thing":
            noun = groups.get("noun") or ""
            name = attributes.ALIASES.get(fold(noun)) or noun
            relation = lexicon.RELATIONS.get(fold(noun))
            return (
                Slot(Who("person", relation), attributes.NAME, language=code)
                if relation
                else Slot(USER, name, language=code)
            )
    if value := groups.get("value"):
        return Check(Statement(who, attribute, value, 0, 0, language=code), code)
    return Slot(who, attribute, groups.get("noun") or "", language=code)
