"""Messages as people write them, with what is learned of each: `subject.attribute=value`.

In front, `not` is denied, `no longer` has ended, `was` is past. Of those below nothing is learned.
"""

HEARD: dict[str, list[str]] = {
    "i speak urdu n a bit of arabic, learning turkish rn": [
        "user.speaks=urdu",
        "user.speaks=arabic",
        "user.learns=turkish",
    ],
    "ive got adhd so keep it short pls": ["user.health=adhd", "user.instruction=keep it short"],
    "im a night owl, dont suggest 6am workouts": [
        "user.habit=night owl",
        "user.instruction=dont suggest 6am workouts",
    ],
    "my timezone is gmt+8 btw": ["user.time zone=gmt+8"],
    "my nan lives in cardiff n im there every sunday": [
        "grandmother.home=cardiff",
        "user.schedule=there every sunday",
    ],
    (
        "My son Teo has just been diagnosed with coeliac disease, so the whole kitchen has to change. "
        "He's only six. His teacher was lovely about it."
    ): [
        "son Teo.health=coeliac disease",
        "son Teo.age=six",
    ],
    (
        "I've taken up beekeeping. Two hives at the bottom of the garden. My neighbour Mr Huang is "
        "allergic to stings, so I had to put up a fence, which cost more than the bees."
    ): [
        "user.hobby=beekeeping",
        "neighbour Mr Huang.allergy=stings",
    ],
    "From now on, log everything in UTC.": ["user.instruction=log everything in UTC"],
    "Please be advised that I no longer reside in Antwerp; my new address is 12 Kade, Ghent.": [
        "no longer user.home=Antwerp",
        "user.address=12 Kade, Ghent",
    ],
    "My wife and I intend to travel to Kyoto in April.": ["user.plan=travel to Kyoto in April"],
    "My office hours are Tuesdays from two to four.": ["office hours.schedule=Tuesdays from two to four"],
    "I was appointed treasurer of our choral society last month.": ["user.role=treasurer of our choral society"],
    "Kindly refrain from using exclamation marks in your replies.": [
        "user.instruction=refrain from using exclamation marks in your replies"
    ],
    "I drive a school bus, have done for twenty years.": ["user.work=drive a school bus"],
    "My mother's turning eighty in June and we're throwing her a party.": ["mother.age=eighty"],
    "My shoe size is 43 and I have wide feet.": ["user.shoe size=43"],
    "We go to Brittany every August.": ["user.schedule=go to Brittany every August"],
    "We're vegetarians at home, but my husband eats fish when we're out.": [
        "user.diet=vegetarians",
        "husband.eats=fish",
    ],
    "My daughter-in-law is Brazilian.": ["daughter-in-law.origin=Brazilian"],
    "My grandson Ollie is mad about trains.": ["grandson Ollie.likes=trains"],
    "My favourite tea is lapsang souchong.": ["user.favourite tea=lapsang souchong"],
    "I only drink decaf after lunch.": ["user.drinks=decaf"],
    "We've moved to a smaller flat in Aarhus now that the kids have gone.": ["user.home=Aarhus"],
    "I'm having my hip replaced on the 12th of March.": ["user.plan=having my hip replaced on the 12th of March"],
    "Je déteste les champignons mais j'adore les aubergines.": [
        "not user.likes=champignons",
        "user.likes=aubergines",
    ],
    "actually im 26 not 27, bday was wrong in ur notes": ["user.age=26"],
    "pls dont use the word moist lol hate it": ["user.instruction=dont use the word moist lol hate it"],
    "i only listen to drum n bass n techno": ["user.likes=drum", "user.likes=bass", "user.likes=techno"],
    "Our retro is every other Thursday at 15:00 CET.": ["retro.schedule=every other Thursday at 15:00 CET"],
    "Correction: the server is in Frankfurt, not Dublin.": ["server.location=Frankfurt"],
    "We hire two interns each summer.": ["user.schedule=hire two interns each summer"],
    "I kindly ask you to use the 24-hour clock in all replies.": [
        "user.instruction=use the 24-hour clock in all replies"
    ],
    "For the avoidance of doubt, my title is Professor, not Doctor.": ["user.title=Professor"],
    "I chair the parents' association of the Lycée Voltaire.": [
        "user.work=chair the parents' association of the Lycée Voltaire"
    ],
    "Our son Casimir begins his military service in October.": [
        "son Casimir.plan=begins his military service in October"
    ],
    "We're having a conservatory built in the spring.": ["user.plan=having a conservatory built in the spring"],
    "I make my own bread every Saturday.": ["user.schedule=make my own bread every Saturday"],
    "I've got two left feet but my wife dances tango.": ["wife.hobby=dances tango"],
    "I'm seventy-one and I've never owned a mobile.": ["user.age=seventy-one"],
    "My knees are bad so no hills please.": ["user.health=knees are bad", "user.instruction=no hills"],
    "My daughter Sunniva plays handball for Bergen under-16s.": ["daughter Sunniva.plays=handball"],
    "I'm colour blind, red and green.": ["user.health=colour blind"],
    "i use android so dont send me app store links": [
        "user.uses=android",
        "user.instruction=dont send me app store links",
    ],
    "Our main competitor is Bluefin, so don't quote their blog.": [
        "we.main competitor=Bluefin",
        "user.instruction=don't quote their blog",
    ],
    "Please quote sources with page numbers whenever you summarise a paper for me.": [
        "user.instruction=quote sources with page numbers whenever you summarise a paper for me"
    ],
    "Name: Rosalind Achebe": ["user.name=Rosalind Achebe"],
    "I decline all invitations on Saturdays for religious reasons.": [
        "user.schedule=decline all invitations on Saturdays for religious reasons"
    ],
    "I am originally from Tbilisi but have held a Dutch passport since 2011.": [
        "user.origin=Tbilisi",
        "user.owns=Dutch passport",
    ],
    "My daughter Maren is getting married on the 4th of July.": [
        "daughter Maren.plan=getting married on the 4th of July"
    ],
    "I'm a big fan of brass bands.": ["user.likes=brass bands"],
    "I hate cruises, I'd rather walk.": ["not user.likes=cruises"],
    "i collect vinyl n old ticket stubs": ["user.collects=vinyl", "user.collects=old ticket stubs"],
    "Please always add a changelog entry, and never bump the major version without asking me.": [
        "user.instruction=always add a changelog entry",
        "user.instruction=never bump the major version without asking me",
    ],
    "Our fiscal year ends on 30 June.": ["fiscal year.date=on 30 June"],
    "I should mention that I have been diagnosed with early-stage glaucoma.": ["user.health=early-stage glaucoma"],
    "I don't eat breakfast, never have.": ["not user.eats=breakfast"],
    "My grandson's allergic to penicillin and kiwi.": ["grandson.allergy=penicillin", "grandson.allergy=kiwi"],
    "We use pnpm, not npm, so please give me pnpm commands.": [
        "we.uses=pnpm",
        "user.instruction=give me pnpm commands",
    ],
    "I'm a data engineer at Voltaris, on the ingestion team.": [
        "user.role=data engineer",
        "user.employer=Voltaris",
    ],
    "We no longer use feature branches, everything goes to trunk.": ["no longer we.uses=feature branches"],
    "I retired from the civil service in 2019.": ["no longer user.employer=civil service"],
    "I quit smoking on New Year's Day.": ["no longer user.ended=smoking"],
    "I've been a widow since March.": ["user.family=widow"],
    "I am a retired judge and I live alone in Sintra with my books.": [
        "user.role=retired judge",
        "user.home=Sintra",
    ],
    "I studied law in Salamanca and am now a notary in Burgos.": [
        "was user.studies=law",
        "user.role=notary",
        "user.location=Burgos",
    ],
    "My wife's maiden name is Achterberg.": ["wife.maiden name=Achterberg"],
    "i was born in lagos but grew up in peckham 🇳🇬": ["user.birthplace=lagos", "user.grew up=peckham"],
    "we adopted a greyhound called biscuit, ex racer": ["user.pet=greyhound called biscuit"],
    "I have been blind since birth and use a screen reader, so please describe images in words.": [
        "user.health=blind",
        "user.uses=screen reader",
        "user.instruction=describe images in words",
    ],
    "My sister Philippa is the executor of my will.": ["sister Philippa.role=executor of my will"],
    "I can't stand the smell of lavender.": ["not user.likes=smell of lavender"],
    "My grandmother Ilse, a retired midwife, still swims every morning.": [
        "grandmother Ilse.role=retired midwife",
        "grandmother Ilse.schedule=swims every morning",
    ],
    "I argued with my partner James, who's 53 and works in finance.": [
        "partner James.age=53",
        "partner James.field=finance",
    ],
    "Piotr, our data lead, who's based in Wrocław, runs the migration.": [
        "Piotr.role=data lead",
        "Piotr.home=Wrocław",
        "Piotr.work=runs the migration",
    ],
    "Our captain, Emrys, is ninety-one.": ["Emrys.role=captain", "Emrys.age=ninety-one"],
    "My cousin who stays with us on weekends is coeliac.": [
        "cousin.schedule=stays with us on weekends",
        "cousin.health=coeliac",
    ],
    "We switched from Jenkins to Buildkite last sprint.": [
        "we.uses=Buildkite",
        "no longer we.uses=Jenkins",
    ],
    "We swapped the van for an e-bike.": ["we.uses=e-bike", "no longer we.uses=van"],
    "Svetlana, who runs release engineering, will find me.": ["Svetlana.work=runs release engineering"],
    "My husband Goran won't touch mushrooms or olives.": [
        "not husband Goran.likes=mushrooms",
        "not husband Goran.likes=olives",
    ],
    "From now on give me prices in rand, I've moved back to Durban for good.": [
        "user.instruction=give me prices in rand",
        "user.home=Durban",
    ],
    "Forget what I said about the house in Kilkenny.": ["no longer user.ended=house in Kilkenny"],
    "The API rate limit is 120 requests a minute per key.": ["we.api rate limit=120 requests a minute per key"],
    "Staging runs on Ubuntu 22.04, production is still on 20.04.": [
        "staging.version=Ubuntu 22.04",
        "production.version=20.04",
    ],
    "We decided to stay at home this year because the flights cost a fortune.": [
        "we.decision=to stay at home this year"
    ],
    "I'm trying to lose ten kilos before my sixtieth.": ["user.goal=lose ten kilos before my sixtieth"],
    "I'm not a paramedic any more.": ["no longer user.role=paramedic"],
    "its kofi btw, not kofie": ["user.name=kofi"],
    "You can call me Dee.": ["user.called=Dee"],
    "My dad has Parkinson's.": ["father.health=Parkinson's"],
    "I have a 2019 Intel Mac, so no ARM-only images please.": [
        "user.owns=2019 Intel Mac",
        "user.instruction=no ARM-only images",
    ],
    "Our customer ids are now UUIDs.": ["we.customer ids=UUIDs"],
    "I'm passionate about creating a safe, inviting place.": ["user.likes=creating a safe, inviting place"],
    "As the only tester on the team, I write the checklists.": ["user.role=tester"],
    "Name: Margarethe Olufsen\nDate of birth: 3 July 1968\nOccupation: veterinary surgeon": [
        "user.name=Margarethe Olufsen",
        "user.birthday=3 July 1968",
        "user.role=veterinary surgeon",
    ],
    "You may reach me at h.vandermeulen@fjordpost.example.": ["user.contact=h.vandermeulen@fjordpost.example"],
}

HEARD |= {
    "My friend Pilar gets seasick in a bathtub.": ["friend Pilar.note=gets seasick in a bathtub"],
    "Sanjay from procurement refuses anything without a PO number.": [
        "Sanjay.work=refuses anything without a PO number"
    ],
    "I usually ride on paved roads.": ["user.note=I usually ride on paved roads"],
    "I work at Siemens as a nurse.": ["user.employer=Siemens", "user.role=nurse"],
    "wool gives me a rash": ["user.allergy=wool"],
    "I'm off dairy now.": ["not user.eats=dairy"],
    "Henrik, my husband, works nights.": ["husband Henrik.schedule=works nights"],
    "My boy Emeka, six and fussy, hates sauces.": ["son Emeka.age=six", "not son Emeka.likes=sauces"],
    "About me: Born in Paramaribo, raised in Rotterdam. Physiotherapist with a practice of my own.": [
        "user.birthplace=Paramaribo",
        "user.grew up=Rotterdam",
        "user.role=Physiotherapist",
    ],
    "I would ask that all dates be written in the form 2024-03-01.": [
        "user.instruction=all dates be written in the form 2024-03-01"
    ],
    "dont drink coffee anymore, only matcha": ["no longer user.drinks=coffee", "user.drinks=matcha"],
    "My father was a lighthouse keeper.": ["was father.role=lighthouse keeper"],
    "I can't swim.": ["not user.skill=swim"],
    "We don't have a microwave.": ["not user.owns=microwave"],
    "I start at Shell on 1 February.": ["user.employer=Shell"],
    "no coffee for me anymore": ["not user.eats=coffee"],
}

UNHEARD = [
    "I like the idea of offering a bundle.",
    "I just got my record signed after the show.",
    "I got a silver necklace for my best friend.",
    "That makes sense.",
    "On Monday I'm in",
    "pls call me",
    "Safe travels!",
    "How can I manage stress and avoid burnout?",
    "I'm trying to improve the layout of my website.",
    "My parents are 74 and 79.",
    "I decided to make a wreath for my door.",
    "Mother's Day Market, $200",
    "The Northern Lights in Norway are on my list.",
    "If I were twenty again I would learn to sail and never come home.",
    'def greet():\n    name = "Marta"\n    print(name)\n\nwhy does this print nothing',
    "what's the best way to clean suede shoes",
    "should i dye my hair red or blue",
    "im sooo tired i could sleep for 100 years",
    "i wish i lived by the sea ngl",
    "my friend thinks im a robot lol",
    '"i am the walrus" is such a weird lyric',
    "at the dentist waiting, so bored",
    "remember when we had myspace",
    "if i won the lottery id buy a castle in wales",
    "I'm at my mum's until tomorrow. What can I cook with half a cabbage?",
    "My neighbour claims he was a spy in Vienna. Do you believe that?",
    "The film is about a man who lives in a lighthouse and hates people. What is it called?",
    "Can you write a short story where I am a detective called Mia who lives in Prague?",
    "I was so angry I nearly quit my job. I didn't, of course.",
    "The train is late again and my coffee is cold.",
    'In her letter she writes: "I have three children and a garden full of roses."',
    "The new intern asked if we use Kubernetes. How would you answer that politely?",
    "My code throws a null pointer in line 42. Why?",
    "Please summarise the following: we moved our office to Porto in 2020 and now have 40 employees.",
    "Thank you, that was very helpful.",
    "I am currently waiting at the embassy. How long does a visa take?",
    "Let us assume that my client owns two flats in Rome. Which law applies?",
    "My head hurts and I've run out of milk.",
    "I dreamt I was married to a penguin.",
    "My uncle always says he invented the internet. Any good comebacks?",
    "We might move to Spain one day, who knows.",
    "I could murder a curry.",
    "im literally obsessed w this song rn",
    "my phone hates me",
    "i could be vegan if cheese didnt exist",
    "wait is ur birthday in june too??",
    "imagine being 6ft4 and scared of moths lol",
    "not me crying at a dog food advert",
    "my ex thinks im in spain haha",
    "does anyone actually like licorice",
    "i have a headache, any tips",
    '"live laugh love" is on every wall in this airbnb',
    "so my sim lives in a mansion n has 3 kids, how do i get her promoted",
    "i feel like a potato today",
    "just landed in dubai, 2 hr layover ugh",
    "what if i just quit n became a shepherd",
    (
        "The man in front of me at the chemist said he had eleven children and a wooden leg. I only "
        "wanted plasters. What is the strangest thing a chemist hears?"
    ),
    (
        "Once, on holiday in Crete, a fisherman told me I was his long-lost daughter. I bought him a "
        "coffee. I still think about his hat."
    ),
    (
        "My grandmother used to say that people who live by the river never sleep well. I have no idea "
        "where she got it. Is there any truth in it?"
    ),
    (
        "I was reading that novel where the narrator is a lighthouse keeper who only speaks Portuguese. "
        "It rained all afternoon. The cat slept on my feet."
    ),
    "For a moment I thought I'd won the raffle, a whole ham! It was ticket 118, I had 181. Such is life.",
    (
        "Every time my neighbour mows the lawn it starts to rain. I suspect a pact. Could you write a "
        "limerick about him?"
    ),
    (
        "If I had stayed in Lisbon I'd be running a tile shop now, with a moustache. Instead I am stuck "
        "in a lift. Any advice for people stuck in lifts?"
    ),
    "Given a table users(id, name, city), how do I count users per city?",
    'Our CEO is quoted as saying "we never miss a deadline". Can you fact-check that tone?',
    "What is the difference between a mutex and a semaphore?",
    "I'd like to know whether Postgres or MySQL is better for geodata.",
    "Say a company has 40 people and uses Slack. What would a migration to Teams cost?",
    'Please review this bio: "Jana lives in Prague, loves climbing and works as a data scientist."',
    "It would be great if the API returned JSON, but it doesn't.",
    "I'm looking at a stack trace and I have no idea what it means.",
    "I trust this finds you well.",
    "In the letter, the author claims to be a baron who owns forty horses. How should I cite it?",
    "One reads that octogenarians prefer tea. Is there a study?",
    "I am at present in a waiting room and rather bored.",
    "Should I decide to learn Icelandic, where would I begin?",
    "My kettle has given up the ghost. How does one descale a new one?",
    "The bus driver was whistling and I nearly missed my stop.",
    "Is it true that carrots help you see in the dark? My gran always said so.",
    "I'm making soup and I've run out of stock cubes.",
    "My friend Carol reckons the moon landing was filmed in Wales.",
    "I wish my husband would stop snoring.",
    "I bet you don't know any good knock-knock jokes.",
    "Ich habe Hunger und der Bus kommt nicht. Was kann ich schnell kochen?",
    "Si j'étais riche, j'habiterais à Paris. Tu peux m'écrire un poème là-dessus?",
    "Hoy estoy cansada y me duele la cabeza. ¿Qué puedo tomar?",
]
