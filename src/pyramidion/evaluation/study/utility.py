r"""Relative utility: how useful people find single sentences for a summary (Table 2.7).

Judges mark each sentence of the input from 0 (never) to 10 (by all means). A sentence's own mark
is the mean of the judges', rounded half up.

An *extract* of e sentences is scored by what its sentences are worth, as a share of what the e
most useful ones are worth; a judge who marks sentences that others do not is worth less to them:

.. math:: S = \frac{\sum_{j \in extract} \sum_i u_{ij}}{\sum_{j \in best} \sum_i u_{ij}}, \qquad
          D = \frac{S - R}{J - R}

R is the score that e sentences taken at random get on average, and J is what the judges get from
each other: each judge's own best e sentences, scored by the marks of each other judge. Where
marks tie for the last places, they share them.

References
----------
D. Radev, H. Jing, M. Budzikowska. Centroid-based summarization of multiple documents. 2000.
D. Radev, D. Tam. Summarization evaluation using relative utility. CIKM 2003.
"""

from collections.abc import Collection as Names
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Scores
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError, NotFoundError
from pyramidion.evaluation.study._places import top_weights

__all__ = ["MARKS", "UTILITY", "ExtractScore", "JudgedSentences", "gather_utility"]

#: The measure's name, and how many marks there are.
UTILITY, MARKS = "relative-utility", 11


@dataclass(frozen=True, slots=True)
class ExtractScore:
    """What an extract is worth.

    Parameters
    ----------
    sentences
        How many sentences it has.
    score
        S, the share of what the best so many sentences are worth.
    random
        R, the same for sentences taken at random.
    judges
        J, what judges get from each other; NaN with one judge, or where none marked all sentences.
    normalized
        D, 0 for random extracts and 1 for judges; NaN where J is.

    Examples
    --------
    >>> ExtractScore(5, 0.8, 0.6, 0.9, 2 / 3).score
    0.8
    """

    sentences: int
    score: float
    random: float
    judges: float
    normalized: float


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSentences:
    """The sentences of a topic's input, and the marks that judges gave them.

    Parameters
    ----------
    task, topic
        Their address.
    units
        The sentences, ``document/number`` with the first as 1.
    judges
        Who marked them.
    marks
        Sentences x judges, NaN where a judge gave none.

    Examples
    --------
    >>> marks = np.array([[9, 10], [3, 4], [6, 6]])
    >>> judged = JudgedSentences("", "T1", ("d/1", "d/2", "d/3"), ("K", "L"), marks)
    >>> judged.rounded.tolist(), judged.counts[10]
    ([10, 4, 6], np.int64(1))
    >>> round(judged.score(["d/2", "d/3"]).score, 3)
    0.613
    """

    task: str
    topic: str
    units: tuple[str, ...]
    judges: tuple[str, ...]
    marks: Floats

    @property
    def name(self) -> str:
        """The topic and task in words, for messages."""
        return address_name(self.task, self.topic)

    @property
    def means(self) -> Floats:
        """The mean mark of each sentence."""
        means: Floats = np.nanmean(self.marks, axis=1)
        return means

    @property
    def rounded(self) -> Ints:
        """The mean mark of each sentence, rounded half up."""
        # Means of whole marks that are halves are exact, or off by rounding noise.
        return np.floor(self.means + 0.5 + 1e-9).astype(np.int64)

    @property
    def counts(self) -> Ints:
        """How many sentences have each mark, 0 to 10."""
        return np.bincount(self.rounded, minlength=MARKS)

    def score(self, units: Sequence[str]) -> ExtractScore:
        """Score an extract.

        Parameters
        ----------
        units
            Its sentences, each once.
        """
        chosen = np.zeros(len(self.units))
        place = {unit: row for row, unit in enumerate(self.units)}
        for unit in units:
            if unit not in place:
                there = ", ".join(self.units[:3])
                raise NotFoundError(
                    f"{self.name} has no judged sentence {unit!r}", hint=f"there are: {there}, ..."
                )
            if chosen[place[unit]]:
                raise InputError(f"{unit} is in the extract twice", hint="name it once")
            chosen[place[unit]] = 1
        if not chosen.any():
            raise InputError("the extract has no sentence", hint="name one or more")
        return self.score_weighed(chosen)

    def score_weighed(self, chosen: Floats) -> ExtractScore:
        """Score an extract that may have sentences in parts, where it was drawn by lot.

        Parameters
        ----------
        chosen
            One number a sentence, from 0 to 1; they add up to a whole number.

        Examples
        --------
        >>> judged = JudgedSentences("", "T1", ("a", "b"), ("K",), np.array([[9.0], [3.0]]))
        >>> judged.score_weighed(np.array([0.5, 0.5])).random
        0.6666666666666666
        """
        number = round(float(chosen.sum()))
        means = self.means
        score = _share(means, chosen, number)
        random = _share(means, np.full(len(means), number / len(means)), number)
        judges = self.agreement(number)
        above = judges - random
        normalized = (score - random) / above if above > 1e-12 else float("nan")
        return ExtractScore(number, score, random, judges, normalized)

    def agreement(self, number: int) -> float:
        """Give J for extracts of so many sentences, the mean over ordered pairs of judges."""
        whole = self.marks[:, ~np.isnan(self.marks).any(axis=0)]
        judges = whole.shape[1]
        if judges < 2:
            return float("nan")
        # With 1 more each, sentences marked 0 can be among a judge's best as well.
        best = [top_weights(column + 1, number) for column in whole.T]
        pairs = [(a, b) for a in range(judges) for b in range(judges) if a != b]
        return float(np.mean([_share(whole[:, b], best[a], number) for a, b in pairs]))


def gather_utility(
    scores: Scores,
    *,
    measure: str = UTILITY,
    topics: Names[str] = (),
    tasks: Names[str] = (),
) -> list[JudgedSentences]:
    """Gather the marks of sentences, topic by topic.

    Parameters
    ----------
    scores
        A table of scores with judgments of single sentences (a `unit` is named).
    measure
        The judgments' measure.
    topics, tasks
        Take these only; all if none is named.

    Examples
    --------
    >>> table = Scores({"topic": ["T1"] * 3, "measure": ["relative-utility"] * 3,
    ...                 "unit": ["d/1", "d/1", "d/2"], "assessor": ["K", "L", "K"]}, [9, 10, 3])
    >>> [judged] = gather_utility(table)
    >>> judged.units, judged.rounded.tolist()
    (('d/1', 'd/2'), [10, 3])
    """
    judged = scores.select(measure=measure)
    several = len(judged.distinct("collection")) > 1
    groups: dict[tuple[str, str], dict[tuple[str, str], list[float]]] = {}
    names = ("collection", "task", "topic", "unit", "assessor")
    columns = (judged.columns[name] for name in names)
    for year, task, topic, unit, judge, value in zip(*columns, judged.value, strict=True):
        wanted = topic in (topics or (topic,)) and task in (tasks or (task,))
        if unit and wanted:
            address = task, f"{year}/{topic}" if several else topic
            groups.setdefault(address, {}).setdefault((unit, judge), []).append(value)
    if not groups:
        raise InputError(
            f"no sentence has a judgment of {measure}",
            hint="judge sentences of the input from 0 to 10, with `unit` as document/number",
        )
    return [_judged(*groups_of) for groups_of in sorted(groups.items(), key=_order)]


def _order(item: tuple[tuple[str, str], object]) -> tuple[object, ...]:
    (task, topic), _ = item
    return natural_order(topic), natural_order(task)


def _judged(address: tuple[str, str], found: dict[tuple[str, str], list[float]]) -> JudgedSentences:
    units = tuple(sorted({unit for unit, _ in found}, key=natural_order))
    judges = tuple(sorted({judge for _, judge in found}, key=natural_order))
    row = {unit: number for number, unit in enumerate(units)}
    column = {judge: number for number, judge in enumerate(judges)}
    marks = np.full((len(units), len(judges)), np.nan)
    for (unit, judge), values in found.items():
        if min(values) < 0 or max(values) > MARKS - 1:
            raise InputError(
                f"sentence {unit} of topic {address[1]} is marked {max(values, key=abs):g}",
                hint="marks go from 0 to 10",
            )
        # The same judge on several occasions is one judge.
        marks[row[unit], column[judge]] = float(np.mean(values))
    return JudgedSentences(*address, units, judges, marks)


def _share(utility: Floats, chosen: Floats, number: int) -> float:
    """Give what an extract is worth, as a share of the best one of so many sentences."""
    best = float(np.sort(utility)[::-1][:number].sum())
    return float(chosen @ utility) / best if best else float("nan")
