"""Sentences of letters, long and polite, with what is learned of each; see `heard`."""

LETTERS: dict[str, list[str]] = {
    # what begins on a day
    "As of the first of May I shall be working for the Mapping Authority as a cartographer.": [
        "user.start date=first of May",
        "user.employer=Mapping Authority",
        "user.role=cartographer",
    ],
    "With effect from 1 June, I shall be working for Nordea.": ["user.start date=1 June", "user.employer=Nordea"],
    "I shall be working for another hour.": [],
    "As of today the shop is closed.": [],
    # how long
    "I have lived in Utrecht for the better part of thirty years.": ["user.home=Utrecht"],
    "I have lived in Utrecht for well over a decade.": ["user.home=Utrecht"],
    "She has waited for the better part of an hour.": [],
    # small words between the parts of a verb
    "We have since moved to 22 Quay Street, Galway.": ["user.home=22 Quay Street, Galway"],
    "I have long been a vegetarian.": ["user.diet=vegetarian"],
    "I am at present writing a monograph on lighthouses.": ["user.works on=monograph on lighthouses"],
    "I am at present writing a letter to my bank.": [],
    "I have the honour to serve as chair of the Garden Society.": ["user.role=chair of the Garden Society"],
    "I have the pleasure of teaching music at Hollins Grove.": [
        "user.work=teaching music at Hollins Grove",
        "user.employer=Hollins Grove",
    ],
    "I have the pleasure to enclose the invoice.": [],
    "I happen to live in Turin.": ["user.home=Turin"],
    "Accidents happen to live wires.": [],
    # what is seldom done
    "I prefer Earl Grey to coffee and seldom drink wine.": ["user.prefers=Earl Grey to coffee"],
    # a word for what was just said is no second value
    "I am allergic to latex, a circumstance which my dentist overlooked.": ["user.allergy=latex"],
    "I have a new car, a silver Honda that I bought in May.": ["user.owns=silver Honda"],
    "I speak Dutch, a language that few here understand.": ["user.speaks=Dutch"],
    "I am allergic to latex, nuts and a mould that grows in cellars.": [
        "user.allergy=latex",
        "user.allergy=nuts",
        "user.allergy=mould",
    ],
    # posts
    "I have accepted the position of head gardener at Wexcombe Hall.": [
        "user.role=head gardener",
        "user.employer=Wexcombe Hall",
    ],
    "In May I took up a post as registrar with the city of Delft.": [
        "user.role=registrar",
        "user.employer=city of Delft",
    ],
    "I am currently employed as an archivist with the city of Delft.": [
        "user.role=archivist",
        "user.employer=city of Delft",
    ],
    "He took the position that taxes are theft.": [],
    "I was offered the post of dean but declined it.": [],
    "I work as a nurse with great care.": ["user.role=nurse"],
    "My colleague Ilse is an authority on Baltic amber.": ["colleague Ilse.field=Baltic amber"],
    "I am not an expert in planes.": [],
    "My late father was a watchmaker.": ["was late father.role=watchmaker"],
    "My father was a terrible listener.": [],
    # ages
    "My granddaughter Florence, aged seven, is fond of hedgehogs.": [
        "granddaughter Florence.age=seven",
        "granddaughter Florence.likes=hedgehogs",
    ],
    "The cheese, aged two years, was excellent.": [],
    # what is not so, but
    "My brother does not live in Ottawa but in Halifax.": ["not brother.home=Ottawa", "brother.home=Halifax"],
    "My brother does not live in Ottawa but in fear.": ["not brother.home=Ottawa"],
    # languages of one's own
    "Dutch is my native language.": ["user.native language=Dutch"],
    "English is not my mother tongue.": ["not user.native language=English"],
    "Dutch, which is my native language, is easy.": ["user.native language=Dutch"],
    "English is not my favourite subject.": [],
    # wishes
    "I should be glad if, in future, you would quote prices in euros.": [
        "user.instruction=quote prices in euros",
    ],
    "I should be glad if you would quote the price in euros.": [],
    "Kindly ensure that all of your summaries are limited to two hundred words.": [
        "user.instruction=ensure that all of your summaries are limited to two hundred words",
    ],
    "Please ensure that the summary is correct.": [],
    "Use a balm so you can ensure all of your makeup is removed.": [],
    # what is had or done no longer, or hardly
    "We no longer keep a car.": ["no longer user.owns=car"],
    "I no longer keep a diary of it.": [],
    "I have little patience with opera.": ["not user.likes=opera"],
    "I have little time today.": [],
    "I have been advised to abstain from caffeine.": ["not user.eats=caffeine"],
    "I have been advised to abstain from commenting.": [],
    "Owing to a heart condition, I no longer ski.": ["user.health=heart condition", "no longer user.hobby=ski"],
    "Owing to the weather, we stayed at home.": [],
    "My surname is spelt Thomsen, without a p.": ["user.name=Thomsen"],
    "My surname is spelt wrong on the form.": [],
    # what one had to do is done
    "I have had to give up the violin.": ["no longer user.ended=violin"],
    "I had to sell my car.": ["no longer user.owns=car"],
    "I moved to Leeds once.": ["was user.home=Leeds"],
    "We moved to Leeds at once.": ["user.home=Leeds"],
    "I had to laugh.": [],
    "She had to like it.": [],
    # likings
    "I am not a great lover of poetry.": ["not user.likes=poetry"],
    "I have always had a great fondness for Victorian novels.": ["user.likes=Victorian novels"],
    "I have a strong aversion to cold weather.": ["not user.likes=cold weather"],
    "I prefer to spend my weekends in the garden.": ["user.prefers=to spend my weekends in the garden"],
    # said between commas
    "I am, as you know, a widower.": ["user.family=widower"],
    "I am not, I fear, a vegetarian.": ["not user.diet=vegetarian"],
    "My brother, I am told, is a vegetarian.": [],
    # neither
    "Neither my wife nor I drink alcohol.": ["not user.drinks=alcohol"],
    "Neither of us has time today.": [],
    # what was, until when
    "Until last year I worked for Shell.": ["was user.employer=Shell"],
    "Until 2020 I lived in Oslo.": ["was user.home=Oslo"],
    "Until I lived in Oslo, I had never seen snow.": [],
    "Before noon I shall be working.": [],
    # posts and names
    "I was elected treasurer of the society in May.": ["user.role=treasurer of the society"],
    "I was elected to the board of the club.": ["user.member of=club"],
    "In my capacity as chair of the club, I write letters.": ["user.role=chair of the club"],
    "I'm moving to Buenos Aires.": ["user.plan=moving to Buenos Aires"],
    "I am by profession a surveyor.": ["user.role=surveyor"],
    "I was trained as a pharmacist.": ["user.role=pharmacist"],
    "I have changed my name to Eleanor Voss.": ["user.name=Eleanor Voss"],
    "I have completed my training as a midwife.": ["user.role=midwife"],
    "I come from a family of farmers.": [],
    # plans
    "My wife and I intend to settle in the Algarve.": ["user.plan=settle in the Algarve"],
    "My son intends to specialise in paediatrics.": ["son.plan=specialise in paediatrics"],
    "I intend to reply shortly.": [],
    "I shall be in Vienna from 3 to 9 June.": ["user.plan=in Vienna from 3 to 9 June"],
    "Our daughter has been admitted to the Royal College of Music.": [
        "daughter.studies=Royal College of Music",
    ],
    "My mother has been admitted to the hospital.": [],
    "My doctor has put me on a low-sodium diet.": ["user.diet=low-sodium diet"],
    "I am the grandmother of four, the youngest of whom was born in March.": ["user.family=grandmother of four"],
    # doctors are believed
    "My doctor says I have asthma.": ["user.health=asthma"],
    "My cousin says I have asthma.": [],
    # in future
    "In future please use metric.": ["user.instruction=use metric"],
    "In future cars will fly.": [],
    "We shall be using Django in future.": [],
    "My hobbies are chess and pottery.": ["user.hobby=chess", "user.hobby=pottery"],
    "My only hobby is complaining.": [],
    "Every Sunday we call my grandmother.": ["user.schedule=Every Sunday we call my grandmother"],
    # a leave ends, and no post begins
    "My assistant, Ms Ito, will be on leave until 4 August.": [
        "assistant.name=Ms Ito",
        "assistant Ms Ito.status=on leave until 4 August",
    ],
    "I am engaged in research.": [],
    # habits
    "I am in the habit of taking a nap after lunch.": ["user.habit=in the habit of taking a nap"],
    "I make a point of answering every letter by hand.": [
        "user.habit=make a point of answering every letter by hand",
    ],
    "You make a good point.": [],
    # what one was obliged to do is done
    "I was obliged to sell my horse.": ["no longer user.owns=horse"],
    "I was forced to give up dancing.": ["no longer user.ended=dancing"],
    "I am obliged to you.": [],
    # origins and fields
    "I am of Hungarian descent.": ["user.origin=Hungarian"],
    "I am of sound mind.": [],
    "I spent my childhood in Kenya.": ["user.grew up=Kenya"],
    "I have worked in publishing for twenty years.": ["user.field=publishing"],
    "I belong to a reading circle.": ["user.member of=reading circle"],
    "My dog belongs to my neighbour.": [],
    # health
    "I am troubled by insomnia.": ["user.health=insomnia"],
    "I am troubled by the news.": [],
    "I have difficulty walking.": ["user.health=have difficulty walking"],
    "I have difficulty understanding this.": [],
    "Shellfish do not agree with me.": ["not user.eats=Shellfish"],
    "My colleagues do not agree with me.": [],
    # what is not wished
    "I do not wish to be telephoned.": ["user.instruction=do not wish to be telephoned"],
    "I do not wish to be rude.": [],
    # a living, a capacity
    "I have earned my living as a piano tuner since 1999.": ["user.role=piano tuner"],
    "I earn my living by writing.": ["user.work=earn my living by writing"],
    "In my capacity as secretary of the rowing club, I write the newsletter.": [
        "user.role=secretary of the rowing club",
    ],
    "In my opinion, I was right.": [],
    "I have been a subscriber to the Economist for more than thirty years.": [],
    "I cannot bear loud music, least of all in restaurants.": ["not user.likes=loud music"],
    "My mother no longer drives.": ["no longer mother.habit=drives"],
    "It no longer drives.": [],
}
