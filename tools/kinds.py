"""Make the list of kinds and the things of each: `python -m tools.kinds FOLDER`, a folder with WordNet 3.0.

The folder holds `data.noun` (in one piece or several), `index.sense` and `LICENSE.txt`. A thing of a kind is what
stands anywhere below one of the kind's roots, in one word. Of a word with several meanings the share that lies
below the root is asked, by how often each was met in texts: "turkey" is a place and a bird, "nice" is no city.

What a kind is called, what one does with it, and its roots are chosen here by hand: WordNet alone knows that
speleology is a hobby and does not know that a dog is a pet.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from hermes_agent.text.stopwords import ENGLISH_STOP_WORDS
from tools.shape import ROOT

LIST = ROOT / "hermes_agent" / "text" / "kinds.txt"
_SHARE = 0.3
"""So much of what a word means must be of the kind."""
_UNSEEN = 0.5
"""What the first meaning of a word counts beside how often it was met; the second counts half of it, and so on."""
_WORD = re.compile(r"[a-z]{3,}")
_NOUN = "1"
_KIND_OF = ("@", "@i")


class Kind(NamedTuple):
    """What a kind is called, its roots in WordNet (word and number of the meaning), and more."""

    names: str
    roots: str
    further: str = ""
    """Things that WordNet leaves out or knows as something else."""
    verbs: str = ""
    """What one does with such a thing: "What did Ada cook?" asks for food."""


_PASTIMES = (
    "recreation.1 sport.1 exercise.1 dancing.1 game.1 game.3 art.2 handicraft.2 craft.1 cookery.1 photography.1"
    " music.3 walk.1 singing.1 acting.1 martial_art.1 writing.1"
)
_MORE_PASTIMES = (
    "baking biking blogging camping climbing cycling dancing drawing gaming gardening hiking jogging knitting"
    " meditation painting pottery reading running sailing sewing shopping skiing surfing swimming travel traveling"
    " volunteering woodworking writing yoga"
)
_MUSIC = "classical country folk jazz metal pop rap rock soul"

KINDS = (
    Kind(
        "place location destination spot area region",
        "city.1 country.2 state.1 island.1 region.3 park.1 building.1 establishment.4 natural_elevation.1 lake.1"
        " sea.1 facility.1",
        "beach forest trail",
        "visit travel trip vacation",
    ),
    Kind("country nation", "country.2 city.1 island.1"),
    Kind("city town", "city.1"),
    Kind("state province", "state.1 city.1"),
    Kind(
        "activity hobby interest pastime recreation passion leisure",
        _PASTIMES,
        _MORE_PASTIMES,
        "relax unwind destress",
    ),
    Kind(
        "sport exercise workout",
        "sport.1 exercise.1 athletic_game.1 martial_art.1 dancing.1",
        "biking climbing cycling gym hiking jogging running surfing swimming yoga",
    ),
    Kind("game", "game.1 game.3 sport.1 toy.1", "console gamepad nintendo playstation xbox", "play"),
    Kind("dance", "dancing.1"),
    Kind("class course lesson workshop", f"{_PASTIMES} discipline.1", _MORE_PASTIMES),
    Kind("skill talent", f"{_PASTIMES} skill.1", _MORE_PASTIMES),
    Kind("subject major degree field discipline study", "discipline.1 profession.2"),
    Kind(
        "animal pet wildlife", "domestic_animal.1 cat.1 dog.1 bird.1 reptile.1 mammal.1", "fish kitten pup puppy"
    ),
    Kind("dog breed", "dog.1", "pup puppy"),
    Kind("cat", "cat.1", "kitten"),
    Kind("bird", "bird.1"),
    Kind("fish", "fish.1"),
    Kind("insect bug", "insect.1"),
    Kind("snake reptile", "reptile.1"),
    Kind(
        "food dish cuisine meal recipe snack ingredient breakfast lunch dinner",
        "food.1 food.2 dish.2 beverage.1 meal.1",
        verbs="eat ate eaten cook bake prepare taste",
    ),
    Kind("dessert sweet pastry cookie treat cake pie", "dessert.1 baked_goods.1 sweet.3"),
    Kind("fruit", "fruit.1"),
    Kind("vegetable", "vegetable.1"),
    Kind("drink beverage cocktail", "beverage.1", verbs="drink drank drunk"),
    Kind("meat", "meat.1"),
    Kind("seafood", "seafood.1"),
    Kind("sauce condiment", "condiment.1"),
    Kind("pasta", "pasta.2"),
    Kind("bread", "bread.1"),
    Kind("cheese", "cheese.1"),
    Kind("soup", "soup.1"),
    Kind("candy", "candy.1"),
    Kind("nut", "nut.1"),
    Kind("spice herb seasoning flavor flavour", "flavorer.1 herb.2"),
    Kind("wine", "wine.1"),
    Kind("beer", "beer.1"),
    Kind("coffee", "coffee.1"),
    Kind("instrument", "musical_instrument.1", verbs="play"),
    Kind("music", "genre.3 musical_instrument.1", _MUSIC),
    Kind("genre", "genre.3 genre.2", f"{_MUSIC} action horror mystery romance thriller"),
    Kind("relative family sibling parent", "relative.1 spouse.1"),
    Kind("vehicle car transport transportation", "vehicle.1", verbs="drive drove driven"),
    Kind("boat ship", "boat.1 ship.1"),
    Kind(
        "illness disease condition injury ailment symptom disorder diagnosis",
        "illness.1 disorder.1 injury.1 pain.1 symptom.1",
        verbs="diagnose suffer",
    ),
    Kind("medicine medication drug treatment therapy remedy", "medicine.2 drug.1 therapy.1 treatment.1"),
    Kind(
        "job career occupation profession role position",
        "worker.1 professional.1 profession.2 occupation.1 entertainer.1 artist.1 educator.1",
    ),
    Kind(
        "color colour shade",
        "color.1",
        "black blue brown gray green grey orange pink purple red white yellow",
    ),
    Kind("clothes clothing outfit garment attire", "garment.1 footwear.2 headdress.1", verbs="wear wore worn"),
    Kind("shoe footwear", "footwear.2"),
    Kind("hat", "hat.1"),
    Kind("jewelry jewellery accessory", "jewelry.1 accessory.1"),
    Kind("gem gemstone stone", "gem.2"),
    Kind("flower plant", "flower.1 houseplant.1 tree.1 shrub.1", verbs="grow grew grown"),
    Kind("tree", "tree.1"),
    Kind("language", "natural_language.1 programming_language.1", verbs="speak spoke spoken"),
    Kind("holiday festival", "holiday.2 festival.2"),
    Kind("furniture", "furniture.1"),
    Kind("appliance", "home_appliance.1"),
    Kind("tool equipment", "tool.1 sports_equipment.1"),
    Kind("utensil", "kitchen_utensil.1"),
    Kind(
        "device gadget electronics",
        "computer.1 phone.1 camera.1 electronic_equipment.1 home_appliance.1 peripheral.1",
    ),
    Kind("emotion feeling mood", "emotion.1 feeling.1", verbs="feel felt"),
    Kind("event occasion celebration", "social_event.1 competition.2 party.4 ceremony.1 celebration.2"),
    Kind("building", "building.1"),
    Kind("room", "room.1"),
    Kind("shop store", "shop.1"),
    Kind("trait quality characteristic", "trait.1 virtue.4"),
    Kind("muscle", "muscle.1 body_part.1"),
    Kind("fabric material", "fabric.1 metal.1 wood.1"),
    Kind("religion faith", "religion.1"),
    Kind("nationality ethnicity", "inhabitant.1"),
    Kind("weather", "weather.1"),
    Kind("disaster accident mishap", "disaster.2 accident.1 misfortune.1"),
    Kind("award prize", "award.2"),
    Kind("toy", "toy.1"),
    Kind("weapon", "weapon.1"),
    Kind("currency", "monetary_unit.1"),
    Kind("crime", "crime.1"),
    Kind(
        "gift present item purchase",
        "garment.1 jewelry.1 toy.1 footwear.2 furniture.1 musical_instrument.1 electronic_equipment.1 computer.1",
    ),
    Kind("season month", "season.2 month.1"),
)


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a word: its set of synonyms, its number, and how often it was met in texts."""

    part_of_speech: str
    synset: str
    number: int
    times: int

    @property
    def weight(self) -> float:
        return self.times + _UNSEEN / self.number


@dataclass(frozen=True, slots=True)
class WordNet:
    """The nouns: the words of each set of synonyms, the sets below it, and the meanings of each word."""

    words: Mapping[str, Sequence[str]]
    below: Mapping[str, Sequence[str]]
    senses: Mapping[str, Sequence[Sense]]


def read(folder: Path) -> WordNet:
    """Read the files of WordNet."""
    words, below = {}, defaultdict(list)
    for path in sorted(folder.glob("data.noun*")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):  # the licence
                continue
            synset, synonyms, above = _synset(line)
            words[synset] = synonyms
            for each in above:
                below[each].append(synset)
    senses = defaultdict(list)
    for line in (folder / "index.sense").read_text(encoding="utf-8").splitlines():
        key, synset, number, times = line.split()
        word, _, rest = key.partition("%")
        senses[word].append(Sense(rest[0], synset, int(number), int(times)))
    return WordNet(words, below, senses)


def _synset(line: str) -> tuple[str, list[str], list[str]]:
    """Read a line: the set's number, its words, the sets above it."""
    parts = line.partition(" | ")[0].split()
    end = 4 + 2 * int(parts[3], 16)
    synonyms = [word.lower() for word in parts[4:end:2]]
    pointers = parts[end + 1 :]
    above = [synset for sign, synset in zip(pointers[::4], pointers[1::4], strict=False) if sign in _KIND_OF]
    return parts[0], synonyms, above


def things(kind: Kind, wordnet: WordNet) -> list[str]:
    """Return what is of a kind, sorted."""
    found = set(kind.further.split())
    for root in kind.roots.split():
        word, _, number = root.partition(".")
        (top,) = (one.synset for one in wordnet.senses[word] if _is_noun(one) and one.number == int(number))
        synsets = set(_all_below(top, wordnet))
        named = {word for synset in synsets for word in wordnet.words[synset] if _WORD.fullmatch(word)}
        found |= {word for word in named if _share(wordnet.senses[word], synsets) >= _SHARE}
    return sorted(found - set(kind.names.split()) - ENGLISH_STOP_WORDS)


def _share(senses: Sequence[Sense], synsets: set[str]) -> float:
    """Return how much of what a word means is one of these."""
    of_kind = sum(one.weight for one in senses if _is_noun(one) and one.synset in synsets)
    return of_kind / sum(one.weight for one in senses)


def _all_below(top: str, wordnet: WordNet) -> Iterator[str]:
    waiting, seen = [top], {top}
    while waiting:
        synset = waiting.pop()
        yield synset
        new = [one for one in wordnet.below.get(synset, ()) if one not in seen]
        seen.update(new)
        waiting += new


def _is_noun(sense: Sense) -> bool:
    return sense.part_of_speech == _NOUN


def written(kinds: Sequence[Kind], wordnet: WordNet, licence: str) -> str:
    """Write the list: the licence, then for each kind its names, its verbs, and indented its things."""
    lines = ["# Made by tools/kinds.py from:", "#", *(f"# {line}".rstrip() for line in licence.splitlines())]
    fill = partial(wrap, width=110, initial_indent=" ", subsequent_indent=" ")
    for kind in kinds:
        lines += [f"{kind.names}; {kind.verbs}".rstrip(), *fill(" ".join(things(kind, wordnet)))]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the list anew."""
    (folder,) = map(Path, arguments)
    licence = (folder / "LICENSE.txt").read_text(encoding="utf-8")
    LIST.write_text(written(KINDS, read(folder), licence), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
