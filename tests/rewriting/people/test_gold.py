"""People in the sentences of ../shared/gold/people.json: names and what stands around them."""

import json

import pytest

from rewriting.people.parsed import PARSERS, people_in
from support import shared_file


@pytest.mark.parametrize("parser", PARSERS)
def test_people_of_the_gold_sentences(parser):
    """All eleven when this was written; issue 9 asks for nine names, and no name too many."""
    gold = json.loads(shared_file("gold/people.json").read_text(encoding="utf-8"))["news"]
    right = wanted = found = 0
    for number, item in enumerate(gold):
        people = people_in({f"d{number}": [item["text"]]}, parser)
        mentions = {own.name: own for person in people.values() for own in person.mentions}
        found += len(mentions)
        for person in item["persons"]:
            wanted += 1
            own = mentions.get(person["name"])
            right += own is not None and own.premodifier == (person["premodifier"] or "")
    assert wanted == 11
    assert right >= 10
    assert found <= 12
