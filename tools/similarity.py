"""Fit the model of similarity that comes with the package on REALSumm's SCU labels.

Run by ``make similarity`` where REALSumm is at hand as a file of judged summaries; see
``pyramid/data/similarity.md``. ``make bench-pyramids`` measures it on topics that it was
not fitted on.
"""

import argparse
from pathlib import Path

import pyramidion
from pyramidion.collection import Collection
from pyramidion.pyramid import fit_similarity
from pyramidion.pyramid._similar.fit import similarity_examples

TARGET = Path(pyramidion.__file__).parent / "pyramid" / "data" / "similarity.json"


def main() -> None:
    """Read, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("realsumm", type=Path, help="REALSumm as judged summaries (JSONL)")
    parser.add_argument("--output", type=Path, default=TARGET)
    options = parser.parse_args()
    examples = dict(enumerate(similarity_examples(Collection.load(options.realsumm))))
    topics = {topic for topic, _ in examples.values()}
    card = {
        "data": "REALSumm (Bhandari et al., EMNLP 2020): answers of crowd workers to SCUs",
        "licence": "CC BY 4.0",
        "topics": len(topics),
        "summaries": len(examples),
        "answers": sum(len(example.answers) for _, example in examples.values()),
        "content": "eight fitted numbers and two settings; no text, no word of the data",
    }
    model = fit_similarity((example for _, example in examples.values()), card=card)
    model.save(options.output)
    print(f"{options.output}: {model}")


if __name__ == "__main__":
    main()
