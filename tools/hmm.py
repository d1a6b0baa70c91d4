"""Train the models of summary sentences that come with the package on GUM.

Run by ``make train MODEL=hmm`` where the treebank is at hand; see ``summarizers/data/hmm.md``.
"""

import argparse
import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyramidion
from pyramidion.collection import Document
from pyramidion.summarizers import Source
from pyramidion.summarizers._hmm import train_hmms
from pyramidion.text import tokenize
from pyramidion.text.encoding import Background, default_background

TARGET = Path(pyramidion.__file__).parent / "summarizers" / "data" / "hmm.json"
TREEBANKS = ("gum-open-train", "gum-open-dev")


def articles(path: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Return the id, the sentences and the summaries by people of each document."""
    id, sentences, summaries = "", [], []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            name, _, value = line.strip().partition(" = ")
            if name == "# newdoc id":
                if sentences:
                    yield id, sentences, summaries
                id, sentences, summaries = value, [], []
            elif name == "# text":
                sentences.append(value)
            elif name.startswith("# meta::summary") and value.startswith("(human"):
                summaries.append(value.partition(") ")[2])
    yield id, sentences, summaries


def background_without(source: Source) -> Background:
    """Take a document out of the background, which was counted on it, too."""
    whole = default_background()
    source_counts = Counter(word for sentence in source.texts for word in tokenize(sentence))
    counts = {word: number - source_counts[word] for word, number in whole.counts.items()}
    return Background(counts, whole.document_frequencies, whole.documents)


def main() -> None:
    """Read, label, train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path, help="the folder of GUM's files")
    parser.add_argument("--output", type=Path, default=TARGET)
    options = parser.parse_args()
    files = [options.treebanks / f"{name}.conllu.gz" for name in TREEBANKS]
    sources = [
        Source.of_documents([Document(id, "\n\n".join(sentences))], references=summaries)
        for file in files
        for id, sentences, summaries in articles(file)
    ]
    card = {
        "data": "UD English GUM, openly licensed genres (Zeldes 2017), with summaries by people",
        "license": "CC BY 4.0",
        "summaries": sum(len(source.references) for source in sources),
        "content": "probabilities and means of states; no text, no word of the data",
    }
    models = train_hmms(sources, background=background_without, card=card)
    models.save(options.output)
    print(f"{options.output}: {card}")


if __name__ == "__main__":
    main()
