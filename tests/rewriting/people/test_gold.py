"""People in the sentences of ../shared/gold/people.json: names and what stands around them."""

import json

import pytest

from rewriting.people.parsed import PARSERS, people_in
from support import shared_file


@pytest.mark.parametrize("parser", PARSERS)
def test_people_of_the_gold_sentences(parser):
    """All eleven when this was written; issue 9 asks for nine names, and no name too many."""
    gold = json.loads(shared_file("gold/people.json").read_text(encoding="utf-8"))["news"]
    right = expected = predicted = 0
    for number, item in enumerate(gold):
        people = people_in({f"d{number}": [item["text"]]}, parser)
        mentions = {
            mention.name: mention for person in people.values() for mention in person.mentions
        }
        predicted += len(mentions)
        for person in item["persons"]:
            expected += 1
            match = mentions.get(person["name"])
            right += match is not None and match.premodifier == (person["premodifier"] or "")
    assert expected == 11
    assert right >= 10
    assert predicted <= 12
