"""Sentences that a reviewer tried on the rules: nearly the words of one that tells a fact, and it is not so."""

INNOCENT = (
    # cut off in the middle
    "The train was late due to a\n- signal failure",
    "We moved it due to a...",
    "He put me on",
    # what a doctor denies, or says of others
    "My doctor never said I have diabetes.",
    "My doctor didn't say I have asthma.",
    "The doc says we use Postgres",
    "My doctor says he is vegan",
    # apostrophes that are not lost
    "my grandparents met in cork and were vegan",
    "they met in oslo and were married in 1990",
    "my sisters called anna yesterday",
    "my brothers called an ambulance",
    "my sisters from work are coming",
    # told to others, and a lie
    "I told them I have cancer to get out of it",
    "I told him that I live in Paris, which was a lie",
    "I had to move to Leeds for work once",
    # fragments of something else
    "60f in the shade",
    "20m from leeds station",
    "no doctor now",
    "london > paris 9am eurostar",
    "i got gate 12",
    "drive a point home",
    "Building a chat app with React: part 3",
    # remarks, no rules
    "Logs contain an error",
    "Tests end with an error",
    "Images get lost sometimes",
    "Prices start at $5",
    "Tickets get cheaper in May",
    "No log files in the folder",
    "no docker containers",
    # values that are none
    "I belong to nobody",
    "We belong to each other",
    "I spent my childhood in fear",
    "I was elected in 2019",
    "I'm the owner of this ticket",
    "I'm doing comics",
    "I'm moving to React Router",
    "The parents at my school are vegan.",
    "In my role as a parent, I worry a lot.",
)
