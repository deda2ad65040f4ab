"""The answers of the embedded model in other languages: as data, for what is told and asked most.

What has no line here is said in English.
"""

from hermes_agent.agent.embedded.phrases import Phrases

_KIN = (
    *("mother", "father", "sister", "brother", "daughter", "son", "wife", "husband", "partner", "girlfriend"),
    *("boyfriend", "friend", "boss", "dog", "cat"),
)


def _people(words: str) -> dict[str, str]:
    return dict(zip(_KIN, words.split(","), strict=True))


ABROAD: dict[str, Phrases] = {
    "de": Phrases(
        months="Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        date="{day}. {month} {year}",
        noted="Notiert: {what}. Es steht in {file}.",
        changed="Geändert: {what} (vorher: {former}). Es steht in {file}.",
        known="Das weiß ich schon: {what}.",
        told_on="Das hast du am {date} gesagt ({place}).",
        told_here="Das hast du in diesem Gespräch gesagt.",
        in_note="Es steht in {file}.",
        before="Davor ({date}): {value}.",
        otherwise="Jemand anderes sagt etwas anderes: {said}",
        unknown="Das steht nicht in meinem Gedächtnis.",
        nearest="Am nächsten kommt: {said}",
        you_said="Am {date} hast du gesagt {quote} ({place}).",
        you_said_here="Du hast in diesem Gespräch gesagt {quote}.",
        profile="Das steht in {file}:",
        yes="Ja",
        no="Nein",
        said={
            "name": "du heißt {v}",
            "called": "du möchtest {v} genannt werden",
            "home": "du wohnst in {v}",
            "origin": "du kommst aus {v}",
            "employer": "du arbeitest bei {v}",
            "role": "du arbeitest als {v}",
            "age": "du bist {v} Jahre alt",
            "likes": "du magst {v}",
            "not likes": "du magst nicht: {v}",
            "prefers": "du bevorzugst {v}",
            "speaks": "du sprichst {v}",
            "allergy": "du bist allergisch gegen {v}",
            "uses": "du benutzt {v}",
        },
        of_person={"name": "{who} heißt {v}", "home": "{who} wohnt in {v}", "age": "{who} ist {v} Jahre alt"},
        relations=_people(
            "deine Mutter,dein Vater,deine Schwester,dein Bruder,deine Tochter,dein Sohn,deine Frau,dein "
            "Mann,dein Partner,"
            "deine Freundin,dein Freund,dein Freund,dein Chef,dein Hund,deine Katze"
        ),
    ),
    "fr": Phrases(
        months="janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        date="{day} {month} {year}",
        noted="Noté : {what}. C'est dans {file}.",
        changed="Changé : {what} (avant : {former}). C'est dans {file}.",
        known="Je le sais déjà : {what}.",
        told_on="Tu l'as dit le {date} ({place}).",
        told_here="Tu l'as dit dans cette conversation.",
        in_note="C'est dans {file}.",
        before="Avant ({date}) : {value}.",
        otherwise="Quelqu'un d'autre dit autre chose : {said}",
        unknown="Je n'ai pas cela en mémoire.",
        nearest="Le plus proche : {said}",
        you_said="Le {date}, tu as dit {quote} ({place}).",
        you_said_here="Tu as dit dans cette conversation {quote}.",
        profile="Dans {file} :",
        yes="Oui",
        no="Non",
        said={
            "name": "tu t'appelles {v}",
            "called": "tu veux qu'on t'appelle {v}",
            "home": "tu habites : {v}",
            "origin": "tu viens de {v}",
            "employer": "tu travailles chez {v}",
            "role": "ton métier : {v}",
            "age": "tu as {v} ans",
            "likes": "tu aimes : {v}",
            "not likes": "tu n'aimes pas : {v}",
            "prefers": "tu préfères : {v}",
            "speaks": "tu parles {v}",
            "allergy": "tu es allergique : {v}",
            "uses": "tu utilises {v}",
        },
        of_person={"name": "{who} s'appelle {v}", "home": "{who} habite : {v}", "age": "{who} a {v} ans"},
        relations=_people(
            "ta mère,ton père,ta sœur,ton frère,ta fille,ton fils,ta femme,ton mari,ton partenaire,ta "
            "copine,ton copain,ton ami,"
            "ton patron,ton chien,ton chat"
        ),
    ),
    "es": Phrases(
        months="enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        date="{day} de {month} de {year}",
        noted="Anotado: {what}. Está en {file}.",
        changed="Cambiado: {what} (antes: {former}). Está en {file}.",
        known="Ya lo sé: {what}.",
        told_on="Me lo dijiste el {date} ({place}).",
        told_here="Lo dijiste en esta conversación.",
        in_note="Está en {file}.",
        before="Antes ({date}): {value}.",
        otherwise="Otra persona dice otra cosa: {said}",
        unknown="No tengo eso en la memoria.",
        nearest="Lo más cercano: {said}",
        you_said="El {date} dijiste {quote} ({place}).",
        you_said_here="En esta conversación dijiste {quote}.",
        profile="En {file}:",
        yes="Sí",
        no="No",
        said={
            "name": "te llamas {v}",
            "called": "quieres que te llamen {v}",
            "home": "vives en {v}",
            "origin": "eres de {v}",
            "employer": "trabajas en {v}",
            "role": "trabajas de {v}",
            "age": "tienes {v} años",
            "likes": "te gusta: {v}",
            "not likes": "no te gusta: {v}",
            "prefers": "prefieres {v}",
            "speaks": "hablas {v}",
            "allergy": "tienes alergia: {v}",
            "uses": "usas {v}",
        },
        of_person={"name": "{who} se llama {v}", "home": "{who} vive en {v}", "age": "{who} tiene {v} años"},
        relations=_people(
            "tu madre,tu padre,tu hermana,tu hermano,tu hija,tu hijo,tu esposa,tu marido,tu pareja,tu "
            "novia,tu novio,tu amigo,tu jefe,"
            "tu perro,tu gato"
        ),
    ),
    "it": Phrases(
        months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        date="{day} {month} {year}",
        noted="Annotato: {what}. È in {file}.",
        changed="Cambiato: {what} (prima: {former}). È in {file}.",
        known="Lo so già: {what}.",
        told_on="Me l'hai detto il {date} ({place}).",
        told_here="L'hai detto in questa conversazione.",
        in_note="È in {file}.",
        before="Prima ({date}): {value}.",
        otherwise="Qualcun altro dice altro: {said}",
        unknown="Questo non è nella mia memoria.",
        nearest="La cosa più vicina: {said}",
        you_said="Il {date} hai detto {quote} ({place}).",
        you_said_here="In questa conversazione hai detto {quote}.",
        profile="In {file}:",
        yes="Sì",
        no="No",
        said={
            "name": "ti chiami {v}",
            "called": "vuoi essere chiamato: {v}",
            "home": "abiti: {v}",
            "origin": "vieni da {v}",
            "employer": "lavori per {v}",
            "role": "il tuo lavoro: {v}",
            "age": "hai {v} anni",
            "likes": "ti piace: {v}",
            "not likes": "non ti piace: {v}",
            "prefers": "preferisci {v}",
            "speaks": "parli {v}",
            "allergy": "allergia: {v}",
            "uses": "usi {v}",
        },
        of_person={"name": "{who} si chiama {v}", "home": "{who} abita: {v}", "age": "{who} ha {v} anni"},
        relations=_people(
            "tua madre,tuo padre,tua sorella,tuo fratello,tua figlia,tuo figlio,tua moglie,tuo marito,il "
            "tuo partner,la tua ragazza,"
            "il tuo ragazzo,il tuo amico,il tuo capo,il tuo cane,il tuo gatto"
        ),
    ),
    "pt": Phrases(
        months="janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        date="{day} de {month} de {year}",
        noted="Anotado: {what}. Está em {file}.",
        changed="Alterado: {what} (antes: {former}). Está em {file}.",
        known="Já sei: {what}.",
        told_on="Disseste isso a {date} ({place}).",
        told_here="Disseste isso nesta conversa.",
        in_note="Está em {file}.",
        before="Antes ({date}): {value}.",
        otherwise="Outra pessoa diz outra coisa: {said}",
        unknown="Não tenho isso na memória.",
        nearest="O mais próximo: {said}",
        you_said="A {date} disseste {quote} ({place}).",
        you_said_here="Nesta conversa disseste {quote}.",
        profile="Em {file}:",
        yes="Sim",
        no="Não",
        said={
            "name": "chamas-te {v}",
            "called": "queres ser chamado: {v}",
            "home": "moras: {v}",
            "origin": "vens de {v}",
            "employer": "trabalhas: {v}",
            "role": "o teu trabalho: {v}",
            "age": "tens {v} anos",
            "likes": "gostas: {v}",
            "not likes": "não gostas: {v}",
            "prefers": "preferes {v}",
            "speaks": "falas {v}",
            "allergy": "alergia: {v}",
            "uses": "usas {v}",
        },
        of_person={"name": "{who} chama-se {v}", "home": "{who} mora: {v}", "age": "{who} tem {v} anos"},
        relations=_people(
            "a tua mãe,o teu pai,a tua irmã,o teu irmão,a tua filha,o teu filho,a tua esposa,o teu "
            "marido,o teu parceiro,a tua namorada,"
            "o teu namorado,o teu amigo,o teu chefe,o teu cão,o teu gato"
        ),
    ),
    "nl": Phrases(
        months="januari februari maart april mei juni juli augustus september oktober november december",
        date="{day} {month} {year}",
        noted="Genoteerd: {what}. Het staat in {file}.",
        changed="Gewijzigd: {what} (eerst: {former}). Het staat in {file}.",
        known="Dat weet ik al: {what}.",
        told_on="Dat zei je op {date} ({place}).",
        told_here="Dat zei je in dit gesprek.",
        in_note="Het staat in {file}.",
        before="Daarvoor ({date}): {value}.",
        otherwise="Iemand anders zegt iets anders: {said}",
        unknown="Dat staat niet in mijn geheugen.",
        nearest="Het dichtst in de buurt: {said}",
        you_said="Op {date} zei je {quote} ({place}).",
        you_said_here="In dit gesprek zei je {quote}.",
        profile="In {file}:",
        yes="Ja",
        no="Nee",
        said={
            "name": "je heet {v}",
            "called": "je wilt {v} genoemd worden",
            "home": "je woont in {v}",
            "origin": "je komt uit {v}",
            "employer": "je werkt bij {v}",
            "role": "je werkt als {v}",
            "age": "je bent {v} jaar oud",
            "likes": "je houdt van {v}",
            "not likes": "je houdt niet van {v}",
            "prefers": "je verkiest {v}",
            "speaks": "je spreekt {v}",
            "allergy": "je bent allergisch voor {v}",
            "uses": "je gebruikt {v}",
        },
        of_person={"name": "{who} heet {v}", "home": "{who} woont in {v}", "age": "{who} is {v} jaar oud"},
        relations=_people(
            "je moeder,je vader,je zus,je broer,je dochter,je zoon,je vrouw,je man,je partner,je "
            "vriendin,je vriend,je vriend,je baas,"
            "je hond,je kat"
        ),
    ),
}
