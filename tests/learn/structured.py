"""Sentences as letters and stories build them, with what is learned of each; written as in `heard`."""

STRUCTURED: dict[str, list[str]] = {
    # a subject shared over tenses
    "I have lived in Porto since 2011 and work as a translator for the court.": [
        "user.home=Porto",
        "user.role=translator",
    ],
    "I moved from Leeds to Cork in 2019 and work as a nurse at the Mercy.": [
        "user.home=Cork",
        "no longer user.home=Leeds",
        "user.role=nurse",
        "user.employer=Mercy",
    ],
    "I studied law but work as a baker.": ["was user.studies=law", "user.role=baker"],
    "I have been learning Finnish since January and hope to pass the B1 exam in May.": [
        "user.learns=Finnish",
        "user.goal=pass the B1 exam in May",
    ],
    "I intend to retire on 1 January 2028 and to settle in Madeira.": [
        "user.plan=retire on 1 January 2028",
        "user.plan=settle in Madeira",
    ],
    "I myself am a retired pharmacist and reside in Lund.": ["user.role=retired pharmacist", "user.home=Lund"],
    # who, whose, where
    "My neighbour Greta, whose husband died in March, comes for supper on Sundays.": [
        "neighbour Greta.schedule=comes for supper on Sundays"
    ],
    "my cousin leo whose birthday is 4 may is coeliac": ["cousin Leo.birthday=4 may", "cousin Leo.health=coeliac"],
    "I live with my aunt, whose eyes are failing.": [
        "user.family=live with my aunt",
        "aunt.health=eyes are failing",
    ],
    "My neighbour, who I can't stand, plays the drums.": ["neighbour.plays=drums"],
    "my mum who's 61 just started uni!! shes doing history at exeter": ["mother.age=61", "mother.studies=history"],
    "My daughter Ingrid rang from Rotterdam, where she's doing her master's in logistics.": [
        "daughter Ingrid.location=Rotterdam",
        "daughter Ingrid.studies=master's in logistics",
    ],
    "My son moved to Graz, where he works for Magna.": ["son.home=Graz", "son.employer=Magna"],
    # beside a name
    "My mother Ada, 81, a retired teacher, lives alone in Cork.": [
        "mother Ada.role=retired teacher",
        "mother Ada.age=81",
        "mother Ada.home=Cork",
    ],
    "My son, the eleven-year-old, sleeps on the floor.": [
        "son.age=eleven-year-old",
        "son.note=sleeps on the floor",
    ],
    "Our eldest son, Matthias, has moved to Bonn.": ["eldest son Matthias.home=Bonn"],
    "The chairman of our cooperative, Mr Sørensen, insists that minutes be circulated within three days.": [
        "Mr Sørensen.role=chairman of our cooperative"
    ],
    "My uncle Femi, a cardiologist at the Royal Infirmary, has offered to help.": [
        "uncle Femi.role=cardiologist",
        "uncle Femi.employer=Royal Infirmary",
    ],
    "It's for my husband Gethin, an ex-miner whose lungs have gone.": [
        "husband Gethin.role=ex-miner",
        "husband Gethin.health=lungs have gone",
    ],
    "My solicitor, a Ms Achterlonie, advises against the sale.": ["lawyer.name=Ms Achterlonie"],
    "Our lodger, a quiet Estonian called Taavi, moved out on Friday. He's a stonemason.": [
        "lodger Taavi.origin=Estonian",
        "lodger Taavi.role=stonemason",
    ],
    "Pickle, our ginger cat, has diabetes.": [
        "user.pet=Pickle, our ginger cat",
        "ginger cat Pickle.health=diabetes",
    ],
    "I'm a translator based in Leipzig.": ["user.role=translator", "user.home=Leipzig"],
    "I'm a mother of three working part-time as a nurse.": ["user.family=mother of three", "user.role=nurse"],
    # in brackets
    "my flatmate dua (nurse, nights only til april) cant stand the smell of fish": [
        "roommate Dua.role=nurse",
        "roommate Dua.schedule=nights only til april",
        "not roommate Dua.likes=smell of fish",
    ],
    "My son Leo (8, doesn't eat fish, loves chess) is coming too.": [
        "son Leo.age=8",
        "not son Leo.eats=fish",
        "son Leo.likes=chess",
    ],
    "My boss Ines (who is Danish) likes short mails.": ["boss Ines.likes=short mails", "boss Ines.origin=Danish"],
    # objects that are clauses
    "My brother Lamine hates being called on the phone.": ["not brother Lamine.likes=being called on the phone"],
    "I prefer to be written to in German and dislike being photographed.": [
        "user.prefers=to be written to in German",
        "not user.likes=being photographed",
    ],
    "My boss hates it when people are late to meetings, so I leave early.": [
        "not boss.likes=when people are late to meetings"
    ],
    "My wife can't fly because of her ears.": ["wife.health=can't fly because of her ears"],
    "My mother can no longer read because of her eyesight.": [
        "mother.health=can no longer read because of her eyesight"
    ],
    "I suffer from vertigo and am therefore unable to travel by sea.": [
        "user.health=vertigo",
        "user.health=unable to travel by sea",
    ],
    # lessons and studies
    "My daughter will commence her studies in dentistry at Leuven on 22 September.": [
        "daughter.studies=dentistry",
        "daughter.studies=Leuven",
        "daughter.start date=on 22 September",
    ],
    "Our daughter Clementine has accepted a place to read geology at Durham.": [
        "daughter Clementine.studies=geology",
        "daughter Clementine.studies=Durham",
    ],
    "My granddaughter Freya got her place at the nursing school in Aarhus.": [
        "granddaughter Freya.studies=nursing school in Aarhus"
    ],
    "I've begun taking sign language classes.": ["user.learns=sign language"],
    "My son has violin lessons every Friday.": [
        "son.learns=violin",
        "son.schedule=has violin lessons every Friday",
    ],
    "My daughter is doing an evening course in bookkeeping.": ["daughter.learns=bookkeeping"],
    # one in the place of another
    "I have engaged a new accountant, Mr Blaga, in place of Ms Finch.": [
        "Mr Blaga.role=accountant",
        "no longer Ms Finch.role=accountant",
    ],
    "We have engaged Baker & Finch as our accountants.": ["we.accountants=Baker & Finch"],
    "Ms Ito has replaced Mr Bell as head of sales.": [
        "Ms Ito.role=head of sales",
        "no longer Mr Bell.role=head of sales",
    ],
    "I am now Eleanor Whitcombe, formerly Eleanor Strand.": [
        "user.name=Eleanor Whitcombe",
        "was user.name=Eleanor Strand",
    ],
    "I'm a teacher, formerly a nurse.": ["user.role=teacher", "was user.role=nurse"],
    "Formerly a magistrate, I live in Hove now.": ["was user.role=magistrate", "user.home=Hove"],
    "I'm head of procurement now instead of senior buyer.": [
        "user.role=head of procurement",
        "no longer user.role=senior buyer",
    ],
    "I've handed back the allotment.": ["no longer user.owns=allotment"],
    # events with their day and place
    "Our wedding is on 5 July at the town hall in Ghent.": [
        "wedding.date=on 5 July",
        "wedding.location=town hall in Ghent",
    ],
    "The party is at the golf club on the 3rd of May.": [
        "party.location=golf club",
        "party.date=on the 3rd of May",
    ],
    "My wife's surgery is scheduled for 12 February at Karolinska.": [
        "surgery.date=12 February",
        "surgery.location=Karolinska",
    ],
    "We're going to Sarah's wedding. It's on 5 July in Bath.": ["wedding.date=on 5 July", "wedding.location=Bath"],
    "My mum's 80th is on the 3rd of May.": ["mother.birthday=3rd of May"],
    "My secretary, Mrs Pilar Echeverría, is in the office from Monday to Thursday only.": [
        "assistant.name=Mrs Pilar Echeverría",
        "assistant Mrs Pilar Echeverría.schedule=in the office from Monday to Thursday only",
    ],
    # turned inside out, stressed
    "What I really like is a good long walk.": ["user.likes=good long walk"],
    "The one thing I never eat is liver.": ["not user.eats=liver"],
    "I don't eat meat, but I do eat fish.": ["not user.eats=meat", "user.eats=fish"],
    "I'd rather have tea than coffee.": ["user.prefers=tea"],
    # in front of the sentence
    "Having sold my flat in Cologne, I now live in Bonn.": ["no longer user.owns=flat", "user.home=Bonn"],
    "Born in Aleppo and raised in Malmö, I now live in Glasgow.": [
        "user.birthplace=Aleppo",
        "user.grew up=Malmö",
        "user.home=Glasgow",
    ],
    "As someone with dyslexia, I prefer audio.": ["user.health=dyslexia", "user.prefers=audio"],
    "A vegetarian since 1990, I do miss bacon.": ["user.diet=vegetarian"],
    "I have been diagnosed, rather late in life, with dyslexia.": ["user.health=dyslexia"],
    # families
    "me n jess broke up last wk": ["no longer user.family=Jess"],
    "Yusuf and I got married in May.": ["user.family=Yusuf"],
    "My granddaughter was born on the 2nd of February. They've called her Saoirse.": [
        "granddaughter.birthday=2nd of February",
        "granddaughter.name=Saoirse",
    ],
    "Our Cerys lives in Barry.": ["Cerys.home=Barry"],
    "My aunt in Toronto, who is ninety-four, still drives.": [
        "aunt.location=Toronto",
        "aunt.age=ninety-four",
        "aunt.note=drives",
    ],
    "My parents are in their eighties.": ["parents.age=in their eighties"],
    "I took early retirement from the fire brigade in June.": ["no longer user.employer=fire brigade"],
    "Our firm, Okafor & Lindgren, deals in cargo, and I serve there as senior claims adjuster.": [
        "user.employer=Okafor & Lindgren",
        "user.role=senior claims adjuster",
    ],
    "I left Romania at nineteen.": ["no longer user.home=Romania"],
    "My husband has coeliac disease.": ["husband.health=coeliac disease"],
    # of others, moved and named
    "My gardener, Mr Flood, comes on Fridays and is deaf in one ear.": [
        "Mr Flood.role=gardener",
        "Mr Flood.schedule=comes on Fridays",
        "Mr Flood.health=deaf in one ear",
    ],
    "My flatmate Guy, now a judge in Nairobi, sent me a postcard.": [
        "roommate Guy.role=judge",
        "roommate Guy.location=Nairobi",
    ],
    "Our office has moved from Utrecht to Zwolle.": [
        "office.location=Zwolle",
        "no longer office.location=Utrecht",
    ],
    "The viva of our student will be held on 17 May in Leiden.": [
        "viva of our student.date=on 17 May",
        "viva of our student.location=Leiden",
    ],
    "My son has started fencing lessons.": ["son.learns=fencing"],
    "I have a Bachelor's degree in Business Administration from Berkeley.": [
        "user.studies=Bachelor's degree in Business Administration"
    ],
}

UNSTRUCTURED = [
    "My appetite moved to zero.",
    "I started watching a course on Coursera.",
    "I'd rather have a software that does it all.",
    "I have boring lessons today.",
    "I started taking classes again three months ago.",
    "Tom and I split the bill.",
    "Tom and I broke up the fight.",
    "Ana and I are not getting married.",
    "I called him Tuesday.",
    "What I meant is the second one.",
    "The thing I like is the idea.",
    "Having read your answer, I have a question.",
    "As a German speaker, I struggle.",
    "Being late, I took a taxi.",
    "I can't stand people who whistle.",
    "I met my aunt in Toronto.",
    "I'm neither Catholic nor Protestant.",
    "I'm a Londoner.",
    "I'd rather have it in a table.",
    "I bought bread and butter.",
    "I saw him dance and sing in the rain.",
    "I have seen people live in vans and work from cafés.",
    "if i were a vet id live in cornwall n have 9 dogs",
    "A man whose name I forget lives in Cork.",
    "The man who sold me the car lives in Leeds.",
    "my gf's mum, the one in sfax, doesnt speak english",
    "I met Ana (see below) at the station.",
    "I love it when it rains.",
    "I hate it when that happens.",
    "I hate being this tired.",
    "I can't fly because of the strike.",
    "I can't see the file because of permissions.",
    "I am unable to attend the meeting.",
    "I took piano lessons as a child.",
    "I have lessons to plan.",
    "I take my kids to swimming lessons.",
    "I have back-to-back classes today.",
    "We've swapped the beach for the mountains this year.",
    "My left foot has gone numb.",
    "My knees thank me every morning.",
    "The defence was on 9 May in Uppsala.",
    "I went to the wedding in my new car. It's in the garage.",
    "I'm back from Lisbon, where it rained.",
    "Should my daughter be accepted at Leuven, she would begin her studies in October.",
]
