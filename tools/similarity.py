"""Fit the model of `pyramid auto` that comes with the package, on sets with answers about units.

Run by ``make train MODEL=similarity`` where REALSumm and SummHay are at hand as files of judged
summaries; see ``pyramid/data/similarity.md``. All sets count the same, whatever their size. ``make
bench-pyramids`` measures models on sets that they were not fitted on.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyramidion
from pyramidion.collection import Collection
from pyramidion.pyramid import SimilarityModel, fit_similarity
from pyramidion.pyramid._auto.fit import SimilarityExample, similarity_examples

TARGET = Path(pyramidion.__file__).parent / "pyramid" / "data" / "similarity.json"
DATA = {
    "realsumm": "REALSumm (Bhandari et al., EMNLP 2020), CC BY 4.0",
    "summhay": "Summary of a Haystack (Laban et al., EMNLP 2024), Apache-2.0",
}


def fit_to_sets(sets: Sequence[Collection]) -> SimilarityModel:
    """Fit one model to several sets, each with the same weight."""
    examples_of_sets = [list(similarity_examples(collection)) for collection in sets]
    answers = [
        sum(len(example.answers) for _, example in set_examples)
        for set_examples in examples_of_sets
    ]
    each = sum(answers) / len(sets)
    examples: list[SimilarityExample] = [
        replace(example, weight=each / number)
        for set_examples, number in zip(examples_of_sets, answers, strict=True)
        for _, example in set_examples
    ]
    card = {
        "data": "; ".join(DATA.get(collection.name, collection.name) for collection in sets),
        "topics": sum(
            len({topic for topic, _ in set_examples}) for set_examples in examples_of_sets
        ),
        "summaries": len(examples),
        "answers": sum(answers),
        "content": "eight fitted numbers and three settings; no text, no word of the data",
    }
    return fit_similarity(examples, card=card)


def main() -> None:
    """Read, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+", help="judged summaries (JSONL)")
    parser.add_argument("--output", type=Path, default=TARGET)
    options = parser.parse_args()
    model = fit_to_sets([Collection.load(path) for path in options.sets])
    model.save(options.output)
    print(f"{options.output}: {model}")


if __name__ == "__main__":
    main()
