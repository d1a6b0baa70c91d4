"""Predict who matters and who is known, and describe a person."""

from pyramidion.demo import load_demo
from pyramidion.rewriting import Articles, find_people, statuses_of, who_is_who
from pyramidion.studies import (
    affiliations_of,
    include_affiliation,
    postmodify,
    salience_list,
)
from pyramidion.text import load_parser

parser = load_parser("light")
documents = load_demo().documents("P05", "A")
people = find_people(
    Articles.of_texts({document.id: document.text for document in documents}, parser)
)
summary = Articles.of_texts({"mine": "Tessaly Bank has failed. Vorrin was arrested."}, parser)
salience = salience_list(summary.of("mine"), sentence=1, word=0, people=people)

for person, status in zip(people, statuses_of(people, documents=len(documents)), strict=True):
    if len(person.documents) > 3:
        print(person.name, {name: round(p, 2) for name, p in status.probabilities.items()})
        print("  affiliation:", affiliations_of(person))
        for rule in (1, 2):
            included = include_affiliation(person, salience, status, rule)
            print(f"  given in the second sentence by rule {rule}: {included}")
        print("  postmodified:", postmodify(person, status))
for answer in who_is_who(people):
    print(answer.text)
    for source in answer.sources:
        print(f"  {source.kind}, {source.document}, sentence {source.index}")
