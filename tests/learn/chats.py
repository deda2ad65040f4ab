"""Messages as typed in chats, without capitals and half their words, with what is learned of each; see `heard`."""

CHATS: dict[str, list[str]] = {
    # days in short
    "gym tues thurs n sat": ["user.schedule=gym tues thurs n sat"],
    "wfh tues n thurs, office the rest": ["user.schedule=wfh tues n thurs"],
    "pilates every tues": ["user.schedule=pilates every tues"],
    "dentist on mon": [],
    "the sun was out so we sat outside": [],
    "they wed in june": [],
    # tastes in short
    "not into sushi tbh": ["not user.likes=sushi"],
    "really into bouldering atm": ["user.likes=bouldering"],
    "not into it": [],
    "into the woods we go": [],
    "more of a burger guy": ["user.likes=burger"],
    "more of a statement than a question": [],
    "tea > coffee always": ["user.prefers=tea"],
    "file > open > recent": [],
    "x > y": [],
    "lowkey terrified of dogs": ["not user.likes=dogs"],
    # verbs without a subject
    "drive a yaris": ["user.drives=yaris"],
    "drive a nail into the wall, then what?": [],
    "stopped vaping 3 wks ago": ["no longer user.ended=vaping"],
    "stopped raining 3 hrs ago": [],
    "building a little habit tracker app in flutter": ["user.works on=little habit tracker app in flutter"],
    "building an app is hard": [],
    "vegetarian since 2019, bacon never tempts me": ["user.diet=vegetarian"],
    "nan's in a care home now, visit her on sundays": ["grandmother.home=in a care home"],
    "update: got the nursing job at st marys, starting 3 feb": [
        "user.employer=st marys",
        "user.start date=3 feb",
    ],
    "update: the build is green": [],
    # names and origins
    "btw i go by max not maxine": ["user.called=max"],
    "im half greek half irish": ["user.origin=greek", "user.origin=irish"],
    "im celiac": ["user.health=celiac"],
}
