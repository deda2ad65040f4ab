"""Likes and dislikes, told of the things themselves or in half a sentence."""

import pytest

from tests.learn.test_hearing import learned, written

TASTES: dict[str, list[str]] = {
    "Golf bores me to tears.": ["not user.likes=Golf"],
    "Opera leaves me cold.": ["not user.likes=Opera"],
    "I knit, but crochet does nothing for me.": ["user.hobby=knit", "not user.likes=crochet"],
    "Jazz isn't really my thing.": ["not user.likes=Jazz"],
    "Camping is not for me.": ["not user.likes=Camping"],
    "Gardening is my passion.": ["user.likes=Gardening"],
    "phone calls make me anxious": ["not user.likes=phone calls"],
    "Spiders freak me out.": ["not user.likes=Spiders"],
    "The smell of fish turns my stomach.": ["not user.likes=smell of fish"],
    "Coriander tastes like soap to me.": ["not user.likes=Coriander"],
    "Chamber music is what I love.": ["user.likes=Chamber music"],
    "nah not a cat person": ["not user.likes=cat"],
    "huge fan of ramen": ["user.likes=ramen"],
    "Massive Arsenal fan here.": ["user.likes=Arsenal"],
    "horror films? no thx never": ["not user.likes=horror films"],
    "olives? love them": ["user.likes=olives"],
    "lowkey obsessed w sour candy": ["user.likes=sour candy"],
    "Jigsaws keep me sane.": ["user.likes=Jigsaws"],
    "I like my eggs runny.": ["user.likes=eggs runny"],
    "My preference is for window seats.": ["user.prefers=window seats"],
    "I could live on cheese.": ["user.likes=cheese"],
    "I'd put capers in everything.": ["user.likes=capers"],
    "I'd take tea over coffee any day.": ["user.prefers=tea over coffee"],
    "I'd sooner have a cat than a dog any day.": ["user.prefers=have a cat than a dog"],
    "not really a cat person": ["not user.likes=cat"],
    "cant be doing with podcasts, too slow": ["not user.likes=podcasts"],
    "I can do without small talk.": ["not user.likes=small talk"],
    "Anything in wool, never acrylic.": ["user.likes=wool", "not user.likes=acrylic"],
    "I hate it when people are late.": ["not user.likes=when people are late"],
    "I've always hated the phone.": ["not user.likes=phone"],
    "I've never liked beer.": ["not user.likes=beer"],
    "My brother hates being called on the phone.": ["not brother.likes=being called on the phone"],
    "Dad is nuts about trains.": ["father.likes=trains"],
    "fave film is paddington 2": ["user.favourite film=paddington 2"],
    "I only buy second-hand clothes.": ["user.note=I only buy second-hand clothes"],
    "My kids never eat fish.": ["not child.eats=fish"],
}

NO_TASTES = [
    "The film bored me.",
    "The meeting bores me.",
    "That leaves me cold.",
    "Work makes me anxious today.",
    "Would golf bore me?",
    "If opera leaves me cold, what should I hear?",
    "Tom annoys me.",
    "The Spanish person drinks coffee.",
    "What is my thing?",
    "Dessert? No thanks.",
    "Is jazz my thing?",
    "I could eat now.",
    "I only have an hour.",
    "I like my boss.",
    "Mad about that, honestly.",
    "I like it when you explain it like that.",
]


@pytest.mark.parametrize(("said", "facts"), TASTES.items(), ids=list(TASTES))
def test_a_taste_is_learned(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts


@pytest.mark.parametrize("said", NO_TASTES)
def test_what_is_no_taste_tells_nothing(said: str) -> None:
    assert [written(one) for one in learned(said)] == []
