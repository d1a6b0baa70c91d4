"""Open collections with documents and summaries by people, as cases to summarize.

They are looked for in ``../shared/data`` next to the checkout; missing sets are skipped.
"""

import gzip
import json
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pyramidion.collection import Document
from pyramidion.summarizers import CandidateRules, Source
from pyramidion.text import count_words

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from hmm import TREEBANKS, articles, background_without

__all__ = [
    "ASKED",
    "SEVERAL",
    "SINGLE",
    "UPDATES",
    "Case",
    "article_cases",
    "background_without",
    "cases",
    "step_of",
]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

#: Several documents: file and words of a summary, about as many as references have.
SEVERAL = {"ecbplus": 100, "opinosis": 20, "summeval_op": 40, "scisumm": 120}
#: One document: texts of many genres, stories, meetings.
SINGLE = {"gum": 40, "squality": 225, "qmsum": 70}
#: Questions about one document.
ASKED = {"squality": 150, "qmsum": 70}
#: What is new: two people's texts are the input, a third's the reference, earlier steps known;
#: each of the three is the third in turn.
#: With ``background`` the texts begin with what these people recall of earlier steps.
UPDATES = {"timelines": 30, "timelines with background": 30}

ANNOTATORS = ("annotator1", "annotator2", "annotator3")
#: A short input has nothing to choose from.
LEAST_WORDS = 60


@dataclass(frozen=True)
class Case:
    """An input, what people wrote about it, and whether it is held out for the final test."""

    id: str
    source: Source
    references: tuple[str, ...]
    words: int
    held_out: bool

    @property
    def unknowing(self) -> "Case":
        """The same for a reader who knows nothing."""
        return replace(self, source=replace(self.source, known_texts=()))

    def under(self, rules: CandidateRules) -> Source:
        """Return the same input with other rules about what may be chosen."""
        source = self.source
        return Source.of_documents(
            source.documents, query=source.question, known=source.known_texts, rules=rules
        )


def article_cases(name: str, words: int) -> list[Case]:
    """Read clusters of news, or with ``articles`` in the name every article of them by itself."""
    cases_of = []
    set_, _, alone = name.partition(" ")
    try:
        for record in _records(f"{set_}_clusters"):
            texts = record["documents"]
            dates = record.get("dates") or [""] * len(texts)
            dated = [
                Document(str(k), text, date=date)
                for k, (text, date) in enumerate(zip(texts, dates, strict=True), start=1)
            ]
            inputs = [[document] for document in dated] if alone else [dated]
            for number, documents in enumerate(inputs):
                id = f"{record['topic']}-{number}" if alone else record["topic"]
                if alone or len(texts) > 1:
                    cases_of.append(
                        Case(id, Source.of_documents(documents), (), words, _kept(record["topic"]))
                    )
    except FileNotFoundError as error:
        print(f"{error.filename} is not there: left out", file=sys.stderr)
    return cases_of


def cases(kind: str, name: str, words: int) -> list[Case]:
    """Read the cases of a set, none where its file is missing."""
    make: dict[str, Callable[[str], Iterator[tuple[str, Source, list[str]]]]] = {
        "several": _topics,
        "single": _gum if name == "gum" else _topics,
        "asked": _questions,
        "updates": partial(_updates, background="background" in name),
    }
    try:
        rows = list(make[kind](name.partition(" ")[0]))
    except FileNotFoundError as error:
        print(f"{error.filename} is not there: left out", file=sys.stderr)
        return []
    return [
        Case(id, source, tuple(references), words, _kept(id)) for id, source, references in rows
    ]


def _kept(id: str) -> bool:
    """Keep a third of the topics for the end; events of one seed topic stay together."""
    return zlib.crc32(re.sub(r"(?<=\d)[ab]$", "", step_of(id)).encode()) % 3 == 0


def step_of(id: str) -> str:
    """Return the step of an event that a case is about, whoever wrote its reference."""
    return id.partition("/")[0]


def _records(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _topics(name: str) -> Iterator[tuple[str, Source, list[str]]]:
    for record in _records(f"{name}_topics"):
        yield record["topic"], Source.of_texts(record["documents"]), record["references"]


def _questions(name: str) -> Iterator[tuple[str, Source, list[str]]]:
    """Return the questions after the first, which asks for all, one in four."""
    for number, record in enumerate(_records(f"{name}_topics")):
        questions = record["questions"][1:]
        if questions:
            question = questions[number % len(questions)]
            source = Source.of_texts(record["documents"], query=question["question"])
            yield record["topic"], source, question["references"]


def _gum(name: str) -> Iterator[tuple[str, Source, list[str]]]:
    for treebank in TREEBANKS:
        for id, sentences, summaries in articles(DATA / "treebanks" / f"{treebank}.conllu.gz"):
            document = Document(id, "\n\n".join(sentences))
            yield id, Source.of_documents([document], references=summaries), summaries


def _updates(name: str, *, background: bool) -> Iterator[tuple[str, Source, list[str]]]:
    past: dict[str, list[dict[str, str]]] = {}
    for record in sorted(_records(f"background_{name}"), key=lambda record: record["step"]):
        earlier = past.setdefault(record["topic"], [])
        new, old = record["update_references"], record["background_references"]
        for judge in ANNOTATORS if earlier and all(new.get(who) for who in ANNOTATORS) else ():
            other_annotators = [who for who in ANNOTATORS if who != judge]
            texts = [_plain(new[who]) for who in other_annotators]
            if background:
                before = [_plain(old.get(who) or "") for who in other_annotators]
                texts = [f"{a}\n\n{b}" for a, b in zip(before, texts, strict=True) if a]
            earlier_updates = [
                _plain(step[who]) for step in earlier for who in other_annotators if step.get(who)
            ]
            if len(texts) == len(other_annotators) and sum(map(count_words, texts)) >= LEAST_WORDS:
                source = Source.of_texts(texts, known=earlier_updates)
                yield (
                    f"{record['topic']}-{record['step']}/{judge[-1]}",
                    source,
                    [_plain(new[judge])],
                )
        earlier.append(new)


def _plain(text: str) -> str:
    return text.replace("\\n", " ")
