"""What people tell of themselves in other languages than English, with what is learned of each.

Written as in `heard`: `subject.attribute=value`. Of those below nothing is learned.
"""

HEARD_ABROAD: dict[str, list[str]] = {
    # Homes, former homes, origins
    "Ich heiße Jürgen und wohne seit 2015 mit meiner Frau in Graz.": ["user.name=Jürgen", "user.home=Graz"],
    "Früher habe ich in Wien gelebt, aber jetzt wohne ich in Linz.": ["was user.home=Wien", "user.home=Linz"],
    "Nach der Scheidung bin ich von Mannheim nach Speyer gezogen.": ["user.home=Speyer"],
    "Im Juli ziehen wir nach Bremen.": ["user.plan=Im Juli ziehen wir nach Bremen"],
    "Ich bin in Dresden geboren und in Leipzig aufgewachsen.": ["user.birthplace=Dresden", "user.grew up=Leipzig"],
    "ich wohn in köln und arbeite bei der telekom": ["user.home=köln", "user.employer=telekom"],
    "Vroeger woonde ik in Groningen.": ["was user.home=Groningen"],
    "Ik ben vorig jaar naar Gent verhuisd.": ["user.home=Gent"],
    "Avant j'habitais à Lille, maintenant je vis à Nantes.": ["was user.home=Lille", "user.home=Nantes"],
    "On a quitté Paris l'été dernier.": ["no longer user.ended=Paris"],
    "Nosotros ya no vivimos en Bilbao: nos mudamos a Laredo en febrero.": [
        "no longer user.home=Bilbao",
        "user.home=Laredo",
    ],
    "Llevo tres años viviendo en Murcia.": ["user.home=Murcia"],
    "Sono di Pesaro e ho 34 anni.": ["user.origin=Pesaro", "user.age=34"],
    "Vivo a Torino.": ["user.home=Torino"],
    "Vivo en Lugo.": ["user.home=Lugo"],
    "Mi sono trasferita a Genova l'anno scorso.": ["user.home=Genova"],
    "A luglio mi trasferisco a Trento.": ["user.plan=A luglio mi trasferisco a Trento"],
    "Antes morava em Lisboa, agora vivo no Porto.": ["was user.home=Lisboa", "user.home=Porto"],
    "Mudei-me para Viseu no ano passado.": ["user.home=Viseu"],
    # Work, former work, studies
    "Ich arbeite seit April nicht mehr bei der Sparkasse, ich hab jetzt einen kleinen Blumenladen in Görlitz.": [
        "no longer user.employer=Sparkasse",
        "user.owns=kleinen Blumenladen in Görlitz",
    ],
    "Ich bin seit Oktober in Rente, vorher war ich Schreinermeister in Passau.": [
        "user.status=in Rente",
        "was user.role=Schreinermeister",
    ],
    "Ich arbeite bei Bosch in Stuttgart, vorher war ich bei Siemens.": [
        "user.employer=Bosch",
        "was user.employer=Siemens",
    ],
    "Ich gehe im Juni in Rente.": ["user.plan=gehe im Juni in Rente"],
    "Ik ben gepensioneerd, ik was leraar wiskunde.": [
        "user.status=gepensioneerd",
        "was user.role=leraar wiskunde",
    ],
    "Ik studeer rechten aan de universiteit van Leiden.": ["user.studies=rechten aan de universiteit van Leiden"],
    "J'ai déménagé à Quimper et je travaille maintenant comme fleuriste.": [
        "user.home=Quimper",
        "user.role=fleuriste",
    ],
    "Je bosse plus chez Decathlon, j'ai ouvert une petite librairie à Guéret.": [
        "no longer user.employer=Decathlon",
        "user.owns=petite librairie à Guéret",
    ],
    "Estoy jubilado desde mayo, antes era cartero.": ["user.status=jubilado", "was user.role=cartero"],
    "Dejé el banco el año pasado; ahora doy clases de yoga.": [
        "no longer user.employer=banco",
        "user.work=doy clases de yoga",
    ],
    "Non lavoro più in banca: da settembre insegno yoga a Pesaro.": [
        "no longer user.employer=banca",
        "user.work=insegno yoga a Pesaro",
    ],
    "Mio marito fa il panettiere e mia sorella lavora in comune.": [
        "husband.role=panettiere",
        "sister.employer=comune",
    ],
    "Não trabalho mais no banco, agora sou taxista.": ["no longer user.employer=banco", "user.role=taxista"],
    "Mudei de emprego: saí da Altice e agora trabalho numa startup de Aveiro.": [
        "no longer user.employer=Altice",
        "user.employer=startup de Aveiro",
    ],
    # People: apposition, relative clauses, a shared subject
    "Jetzt baue ich mit meinem Enkel Benedikt, der neun ist und Züge liebt, eine Modelleisenbahn im Keller.": [
        "grandson Benedikt.age=neun",
        "grandson Benedikt.likes=Züge",
    ],
    "Mein Mann arbeitet als Krankenpfleger im Klinikum Fulda.": [
        "husband.employer=Klinikum Fulda",
        "husband.role=Krankenpfleger",
    ],
    "Meine Kinder heißen Lena und Max.": ["child Lena.name=Lena", "child Max.name=Max"],
    "Mein Hund heißt Rex und ist schon 9 Jahre alt.": ["dog Rex.name=Rex", "dog Rex.age=9"],
    "Mijn zoon Daan, die acht is en van dinosaurussen houdt, begint maandag op voetbal.": [
        "son Daan.age=acht",
        "son Daan.likes=dinosaurussen",
    ],
    "Mon aînée, Capucine, qui a quinze ans, ne mange ni œufs ni produits laitiers.": [
        "child Capucine.age=quinze ans",
        "not child Capucine.eats=œufs",
        "not child Capucine.eats=produits laitiers",
    ],
    "Mon frère Hugo, qui habite à Brest et travaille comme professeur, arrive samedi.": [
        "brother Hugo.home=Brest",
        "brother Hugo.role=professeur",
    ],
    "Mi hijo Nicolás tiene nueve años y quiere aprender a tocar el violín.": [
        "son Nicolás.age=nueve años",
        "son Nicolás.goal=aprender a tocar el violín",
    ],
    "Mi hija menor, Itziar, estudia enfermería en Pamplona y es intolerante a la lactosa.": [
        "daughter Itziar.studies=enfermería en Pamplona",
        "daughter Itziar.health=intolerante a la lactosa",
    ],
    "A mi hijo le encantan los dinosaurios.": ["son.likes=dinosaurios"],
    "Mia moglie Serena è celiaca e mio figlio Pietro, che fa la terza elementare, non mangia verdure.": [
        "wife Serena.health=celiaca",
        "not son Pietro.eats=verdure",
    ],
    "Sou alérgico a camarão e a minha mulher, a Graça, não come carne.": [
        "user.allergy=camarão",
        "not wife Graça.eats=carne",
    ],
    "O meu marido, o Lourenço, que é taxista no Funchal, prefere jogar dominó com os amigos.": [
        "husband Lourenço.role=taxista",
        "husband Lourenço.prefers=jogar dominó",
    ],
    "Mijn man Kees is vorig jaar met pensioen gegaan.": ["husband Kees.status=met pensioen"],
    # Introductions
    "Hallo, ich bin die Steffi, 41, alleinerziehend, und komme ursprünglich aus Bautzen.": [
        "user.name=Steffi",
        "user.age=41",
        "user.status=alleinerziehend",
        "user.origin=Bautzen",
    ],
    "Hoi, ik ben Marijke, 58, weduwe en moeder van drie dochters.": [
        "user.name=Marijke",
        "user.age=58",
        "user.status=weduwe",
        "user.family=moeder van drie dochters",
    ],
    "Bonjour, moi c'est Solenne, 29 ans, orthophoniste à Saint-Malo.": [
        "user.name=Solenne",
        "user.age=29",
        "user.role=orthophoniste",
    ],
    "Olá, sou a Benedita, tenho 67 anos e fui professora primária em Bragança.": [
        "user.name=Benedita",
        "user.age=67",
        "was user.role=professora primária",
    ],
    "Pode me chamar de Dudu, todo mundo chama.": ["user.called=Dudu"],
    # Body and table
    "Ich trinke keinen Alkohol und vertrage keine Laktose.": ["not user.drinks=Alkohol", "user.allergy=Laktose"],
    "Ich bin gegen Nüsse allergisch.": ["user.allergy=Nüsse"],
    "Onze dochter Sterre heeft een notenallergie.": ["daughter Sterre.allergy=notenallergie"],
    "Je ne mange plus de viande et je suis allergique aux noix et aux crevettes.": [
        "no longer user.eats=viande",
        "user.allergy=noix",
        "user.allergy=crevettes",
    ],
    "Ya no como carne y no bebo alcohol.": ["no longer user.eats=carne", "not user.drinks=alcohol"],
    "Non sopporto il coriandolo e non bevo latte perché sono intollerante al lattosio.": [
        "not user.likes=coriandolo",
        "not user.drinks=latte",
        "user.health=intollerante al lattosio",
    ],
    "Sou intolerante à lactose e o meu pai não pode comer sal.": [
        "user.health=intolerante à lactose",
        "not father.eats=sal",
    ],
    "Ich rauche seit drei Monaten nicht mehr und will bis Weihnachten fünf Kilo abnehmen.": [
        "no longer user.habit=rauche",
        "user.goal=fünf Kilo abnehmen",
    ],
    "J'ai arrêté de fumer en mars.": ["no longer user.habit=fumer"],
    # Likes, hobbies, languages, pets, things
    "Ich mag Krimis und Katzen.": ["user.likes=Krimis", "user.likes=Katzen"],
    "Ich spreche Deutsch, Englisch und ein bisschen Polnisch.": [
        "user.speaks=Deutsch",
        "user.speaks=Englisch",
        "user.speaks=Polnisch",
    ],
    "Mein Lieblingsessen ist Käsespätzle.": ["user.favourite food=Käsespätzle"],
    "Wij hebben sinds vorige week geen auto meer.": ["no longer user.owns=auto"],
    "Ik speel trombone en ben dol op drop.": ["user.plays=trombone", "user.likes=drop"],
    "Je joue du piano et au tennis, mais je déteste le jazz.": [
        "user.plays=piano",
        "user.plays=tennis",
        "not user.likes=jazz",
    ],
    "Depuis que j'ai vendu le camping-car, je voyage en train.": ["no longer user.owns=camping-car"],
    "Tenemos dos hijos y un perro que se llama Toby.": [
        "user.family=dos hijos",
        "user.pet=perro",
        "dog Toby.name=Toby",
    ],
    "Ahora nado los martes y los jueves.": ["user.hobby=nado", "user.schedule=nado los martes y los jueves"],
    "Ho preso un cane, un bracco di nome Argo.": ["user.pet=cane, un bracco di nome Argo"],
    "Sto imparando il tedesco e parlo inglese.": ["user.learns=tedesco", "user.speaks=inglese"],
    "Tenho um gato preto chamado Fusível.": ["user.pet=gato preto chamado Fusível"],
    "Comecei a fazer hidroginástica por causa das costas.": ["user.hobby=hidroginástica"],
    "Ich nutze Visual Studio Code und GitHub Copilot for work.": ["user.uses=Visual Studio Code"],
    # Days and plans
    "Mein Geburtstag ist am 12. August.": ["user.birthday=12. August"],
    "Nací el 3 de mayo de 1980 en Soria.": ["user.birthday=3 de mayo de 1980", "user.birthplace=Soria"],
    "Je suis né le 3 mai 1980 à Tours.": ["user.birthday=3 mai 1980", "user.birthplace=Tours"],
    "Me caso en junio.": ["user.plan=Me caso en junio"],
    "Los lunes y miércoles voy a clase de cerámica.": [
        "user.schedule=Los lunes y miércoles voy a clase de cerámica"
    ],
    # Wishes to the assistant
    "Bitte duze mich und antworte immer kurz.": ["user.instruction=duze mich und antworte immer kurz"],
    "Schlag mir bitte keine Fleischgerichte mehr vor.": [
        "user.instruction=Schlag mir bitte keine Fleischgerichte mehr vor"
    ],
    "Zeg maar je tegen me.": ["user.instruction=Zeg maar je tegen me"],
    "Tutoie-moi s'il te plaît et réponds toujours en français.": [
        "user.instruction=Tutoie-moi s'il te plaît et réponds toujours en français"
    ],
    "Trátame de usted.": ["user.instruction=Trátame de usted"],
    "Dammi del tu, per favore.": ["user.instruction=Dammi del tu"],
    "Trata-me por tu e responde sempre em português.": [
        "user.instruction=Trata-me por tu e responde sempre em português"
    ],
    # Instead, gladly, behind another place
    "Ich wohne nicht in Köln, sondern in Bonn.": ["not user.home=Köln", "user.home=Bonn"],
    "Je n'habite plus à Paris, mais à Rouen.": ["no longer user.home=Paris", "user.home=Rouen"],
    "Ich wohne jetzt wieder bei meinen Eltern in Celle.": ["user.home=Celle"],
    "Wij wonen sinds de zomer in een woonboot in Leeuwarden.": ["user.home=Leeuwarden"],
    "Nos hemos mudado a un pueblo de Segovia.": ["user.home=pueblo de Segovia"],
    "Ich esse gern Sushi und lese am liebsten Krimis.": ["user.likes=Sushi", "user.likes=Krimis"],
    "Ich fahre kein Auto mehr.": ["no longer user.drives=Auto"],
    "Mi marido Fermín es de Huesca, trabaja en Correos y le chiflan las motos antiguas.": [
        "husband Fermín.origin=Huesca",
        "husband Fermín.employer=Correos",
        "husband Fermín.likes=motos antiguas",
    ],
    "Tenho uma filha, a Rita, que tem sete anos e faz ballet.": [
        "user.family=filha",
        "daughter Rita.age=sete anos",
        "daughter Rita.hobby=ballet",
    ],
    "Mein Vater ist letzten Winter gestorben.": ["father.status=gestorben"],
    "Mio padre coltiva pomodori.": ["father.grows=pomodori"],
    "Meine Frau und ich wohnen in Ulm und essen kein Fleisch.": ["user.home=Ulm", "not user.eats=Fleisch"],
    "Meine Prüfung ist am 12. Juni.": ["Prüfung.date=12. Juni"],
    "Notre mariage est le 4 juillet 2027 à Dinan.": ["mariage.date=4 juillet 2027"],
    "Soy autónoma y programo sobre todo en Python.": ["user.status=autónoma", "user.uses=Python"],
}

UNHEARD_ABROAD = [
    # Supposed, asked, quoted, invented, said by others
    "Wenn ich im Lotto gewinnen würde, hätte ich ein Haus am Gardasee und drei Esel.",
    "Mein Nachbar sagt, ich bin ein Trottel und arbeite bei der Post.",
    "Übersetze: Ich wohne in Rom und arbeite als Koch.",
    "In dem Roman wohnt ein Mann in Prag und arbeitet als Koch.",
    "Stell dir vor, du bist ein Wirt in Bayern, heißt Alois und hast drei Kühe.",
    "Angenommen, mein Sohn wäre allergisch gegen Nüsse.",
    '"Ich wohne in Mainz und bin Bäcker" – ist da ein Komma nötig?',
    "Als ik in Parijs woonde, had ik een hond.",
    "Mijn vriend zegt dat hij in Gent woont.",
    "Si j'habitais à Nice, j'aurais un bateau.",
    "Ma voisine dit que je suis folle et que j'habite à Paris.",
    "Écris une histoire où le héros s'appelle Gaston, habite à Brest et travaille comme pêcheur.",
    "¿Crees que si viviera en Sevilla aguantaría el calor de agosto?",
    "En la serie que estoy viendo, la protagonista se llama Elena y vive en Bogotá con su abuela.",
    "Mi jefe dice que soy alérgico al trabajo, qué gracioso.",
    "Se fossi in te comprerei una bici elettrica.",
    'Come si dice in inglese "mi chiamo Giulia e ho sei gatti"?',
    "Se eu morasse em Lisboa, ia à praia todos os dias.",
    "Traduz para inglês: a minha irmã mora em Faro e é enfermeira.",
    # Passing, or of nobody known
    "Ich bin heute in Hamburg.",
    "Ich habe keine Zeit mehr.",
    "Ich habe eine Katze auf dem Dach gesehen.",
    "Wir leben in schwierigen Zeiten.",
    "Ich komme gerade aus dem Büro.",
    "Ich arbeite gerade an einer Präsentation.",
    "Ich mag den zweiten Vorschlag lieber.",
    "Der Chef meiner Schwester wohnt in Köln.",
    "Ik ben even op het station in Utrecht en mijn trein valt uit.",
    "Ik speel met het idee om te stoppen.",
    "Je viens d'acheter du pain.",
    "Je joue un rôle important.",
    "J'aime ta réponse.",
    "Il habite à Nice et il est boulanger.",
    "Hablo en serio.",
    "Soy de los que madrugan.",
    "Estoy en Madrid hasta el lunes.",
    "Quiero saber cómo llegar a Soria.",
    "Lavoro fino a tardi.",
    "Mi piace come rispondi.",
    "Ho un appuntamento e ho fretta.",
    "Estou na fila do supermercado.",
    "Gosto da tua resposta.",
    "Ich möchte gern wissen, wie spät es ist.",
    "Notre fille vient d'entrer à la fac de Poitiers.",
    "Estoy leyendo un libro de una mujer que vive en Oslo y cría renos.",
    "Pensavo: e se andassimo a vivere a Lisbona?",
    "Mijn zusje beweert dat ik in mijn slaap praat en dat ik snurk.",
    "Ich soll nach Wien ziehen.",
    "Ich würde gern Spanisch lernen.",
    "Ik denk erover om naar Gent te verhuizen.",
    "Gostava de aprender francês.",
    "Mi piacerebbe imparare il francese.",
    "Estoy pensando en mudarme a Valencia.",
    "Je vais peut-être déménager à Nantes.",
]
