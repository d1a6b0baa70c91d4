"""How well articles are grouped by story: ``make bench AREA=stories``.

Mixtures of 1 to 6 events of ECB+, half of them with two events of one kind (both of a seed topic),
a third of the rest with a lone stray article. Features and threshold were chosen on two thirds of
the seed topics; ``--kept`` prints the result on the others.
"""

import argparse
import random
import re
import sys
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pyramidion.summarizers import Source
from pyramidion.summarizers._stories import (
    cosines,
    link_documents,
    name_similarities,
    similarities,
    story_labels,
    story_note,
    word_similarities,
)
from summarizer_sets import Case, article_cases, cases

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BAR = 0.85
MIXTURES = 240
THRESHOLDS = np.arange(0.04, 1.0, 0.04)
Mixture = tuple[Source, Ints, str]


def mixtures(events: list[Case], number: int, seed: int) -> list[Mixture]:
    """Mix the articles of events; return the input, the event of each article, and the kind."""
    rng, by_topic = random.Random(seed), dict[str, list[Case]]()
    for event in events:
        by_topic.setdefault(re.sub("[ab]$", "", event.id), []).append(event)
    mixed = []
    for n in range(number):
        size, topics = 1 + n % 6, list(by_topic)
        rng.shuffle(topics)
        alike, stray = size > 1 and n // 6 % 2 == 0, size > 1 and n // 6 % 6 == 1
        chosen = [*by_topic[topics.pop()]] if alike else []
        chosen += [rng.choice(by_topic[topics.pop()]) for _ in range(size - len(chosen))]
        articles = []
        for event_number, event in enumerate(chosen):
            texts = [document.text for document in event.source.documents]
            taken = 1 if stray and event_number == size - 1 else rng.randint(2, 12)
            articles += [(t, event_number) for t in rng.sample(texts, min(taken, len(texts)))]
        rng.shuffle(articles)
        kind = "one" if size == 1 else "alike" if alike else "stray" if stray else "different"
        source = Source.of_texts(text for text, _ in articles)
        mixed.append((source, np.array([number for _, number in articles]), kind))
    return mixed


def b_cubed(gold: Ints, labels: Ints) -> tuple[float, float, float]:
    """Return precision, recall and F, averaged over articles."""
    same, grouped = np.equal.outer(gold, gold), np.equal.outer(labels, labels)
    both = (same & grouped).sum(axis=1)
    precision, recall = (both / grouped.sum(axis=1)).mean(), (both / same.sum(axis=1)).mean()
    return precision, recall, 2 * precision * recall / (precision + recall)


def report(mixed: list[Mixture], label: Callable[[Source], Ints], title: str) -> float:
    """Print a line for each kind of mixture; return the mean F."""
    rows = [(kind, gold, label(source)) for source, gold, kind in mixed]
    print(
        f"\n{title:22}{'inputs':>8}{'P':>8}{'R':>8}{'F':>8}{'right number':>14}{'stray alone':>13}"
    )
    for kind in ("one", "different", "alike", "stray", "all"):
        group = [row for row in rows if kind in (row[0], "all")]
        scores = np.mean([b_cubed(gold, labels) for _, gold, labels in group], axis=0)
        exact = sum(len(set(gold)) == len(set(labels)) for _, gold, labels in group)
        alone = sum(_is_alone(gold, labels) for _, gold, labels in group) if kind == "stray" else ""
        numbers = "".join(f"{score:8.3f}" for score in scores)
        print(f"{kind:22}{len(group):8}{numbers}{exact:14}{alone:>13}")
    return float(scores[2])


def _is_alone(gold: Ints, labels: Ints) -> bool:
    stray = int(np.flatnonzero(gold == gold.max())[0])
    return int((labels == labels[stray]).sum()) == 1


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kept", action="store_true", help="the seed topics kept for the end")
    arguments = parser.parse_args()
    read = article_cases("ecbplus", 100)
    mixed = mixtures([c for c in read if c.held_out == arguments.kept], MIXTURES, 4302)
    if not arguments.kept:
        choose_features(mixed)
    f = report(mixed, story_labels, "kept" if arguments.kept else "deciding")
    print(f"B-cubed F {f:.3f}, bar {BAR}: {'passed' if f >= BAR else 'MISSED'}")
    singles = [case for case in read if case.held_out == arguments.kept]
    noted = sum(bool(story_note(case.source)) for case in singles)
    print(f"whole events of ECB+ that would be split: {noted} of {len(singles)}")
    for name in () if arguments.kept else ("opinosis", "summeval_op", "scisumm"):
        inputs = cases("several", name, 100)
        noted = sum(bool(story_note(case.source)) for case in inputs)
        print(f"{name}: a note on {noted} of {len(inputs)} inputs")
    return int(f < BAR)


def choose_features(mixed: list[Mixture]) -> None:
    """Print the best threshold of each feature, and how F changes around the one of the sum."""
    features: dict[str, Callable[[Source], Floats]] = {
        "words": word_similarities,
        "names": _names,
        "words of first sentences": _first,
        "dates and numbers": _numbers,
        "words + names": similarities,
        "words + names + first sentences": lambda source: similarities(source) + _first(source),
        "words + names + numbers": lambda source: similarities(source) + _numbers(source),
    }
    print(f"{'feature':34}{'best F':>8}{'threshold':>11}{'single events split':>21}")
    for name, feature in features.items():
        matrices = [feature(source) for source, _, _ in mixed]
        lines = [_line(matrices, mixed, least) for least in THRESHOLDS.tolist()]
        f, least, split = max(lines)
        print(f"{name:34}{f:8.3f}{least:11.2f}{split:21}")
        if name == "words + names":
            around = [line for line in lines if abs(line[1] - least) < 0.13]
            print("  by threshold: " + ", ".join(f"{t:.2f} {f:.3f} ({n})" for f, t, n in around))


def _line(matrices: list[Floats], mixed: list[Mixture], least: float) -> tuple[float, float, int]:
    labels = [link_documents(matrix, least) for matrix in matrices]
    f = np.mean(
        [b_cubed(gold, grouping)[2] for (_, gold, _), grouping in zip(mixed, labels, strict=True)]
    )
    pairs = zip(mixed, labels, strict=True)
    return (
        float(f),
        least,
        sum(kind == "one" and grouping.any() for (_, _, kind), grouping in pairs),
    )


def _names(source: Source) -> Floats:
    names = name_similarities(source)
    return word_similarities(source) if names is None else names


def _first(source: Source) -> Floats:
    keep = (source.positions < 4)[source.wording.rows]
    homes, ids = source.homes[source.wording.rows][keep], source.wording.ids[keep]
    return cosines(homes, ids, len(source.documents), favors_rare=True)


def _numbers(source: Source) -> Floats:
    words = source.wording.words
    is_number = np.array([any(map(str.isdigit, word)) for word in words])
    keep = is_number[source.wording.ids]
    homes, ids = source.homes[source.wording.rows][keep], source.wording.ids[keep]
    return cosines(homes, ids, len(source.documents), favors_rare=True)


if __name__ == "__main__":
    sys.exit(main())
