"""How useful people find sentences, and what extracts of them are worth: Table 2.7."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.collection import Collection, Document
from pyramidion.errors import InputError
from pyramidion.evaluation.study import ExtractScore, JudgedSentences, gather_utility
from pyramidion.evaluation.study._places import require_ids
from pyramidion.evaluation.study.extracts import (
    SentenceFinder,
    first_sentences,
    numbered_sentences,
)
from pyramidion.evaluation.study.utility import MARKS, UTILITY
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.signing import named
from pyramidion.report.study_answer import begin_study, study_answer
from pyramidion.report.study_source import Source, StudyRequest
from pyramidion.report.table import Cell, Table

__all__ = ["utility_answer"]

_MARKS_NOTE = (
    "A sentence's mark is the mean of its judges', rounded half up. Per cent: of all sentences, "
    "and the mean over topics."
)
_EXTRACTS_NOTE = (
    "Score S: what the sentences are worth, as a share of what the best so many are worth. Random "
    "R: the mean score of so many sentences. Judges J: what each judge's own best ones are worth "
    "to the others. Normalized: (S - R) / (J - R)."
)


@dataclass(frozen=True, slots=True)
class _Scored:
    """An extract of a topic, and what it is worth."""

    topic: JudgedSentences
    name: str
    kind: str
    score: ExtractScore


def utility_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    measure: str = UTILITY,
    extract: Sequence[str] = (),
    sentences: int = 5,
    figure: str | Path | None = None,
) -> Answer:
    """Tell how useful sentences of the input are, and what extracts are worth.

    Extracts are the machines' summaries that consist of judged sentences, the first sentences of
    the documents in turn, and one that is given.

    Parameters
    ----------
    source
        A table of scores, or a collection with judgments of sentences, or where it is.
    request
        Which topics and tasks, and where more summaries are.
    measure
        The judgments' measure.
    extract
        Sentences of an extract to score, ``document/number`` with the first as 1.
    sentences
        How many first sentences of documents to score.
    figure
        A file for a figure.

    Examples
    --------
    >>> from pyramidion.collection import Scores
    >>> table = Scores({"topic": ["T1"] * 3, "measure": ["relative-utility"] * 3, "system":
    ...                 ["input"] * 3, "unit": ["d/1", "d/2", "d/3"]}, [9, 3, 6])
    >>> found = utility_answer(Collection("mine", scores=table), extract=["d/1", "d/2"]).results
    >>> found[0]["counts"][9], found[1]["extract"], found[1]["score"]
    (1, 'as given', 0.8)
    """
    if sentences < 1:
        raise InputError(f"{sentences} first sentences", hint="give a number from 1 on")
    asked, collection = begin_study(source, request, figure)
    require_ids(collection, topics=asked.topics, tasks=asked.tasks)
    topics = gather_utility(
        collection.scores, measure=measure, topics=asked.topics, tasks=asked.tasks
    )
    scored, left_out = _scored(collection, topics, extract, sentences)
    if figure is not None:
        _draw(topics, figure)
    return study_answer(
        "utility",
        collection,
        asked,
        subject=measure,
        details=(("sentences", str(sentences)), *named("extract", extract)),
        results=[_marks_record(topics), *map(_extract_record, scored)],
        tables=(_marks_table(topics), *_extract_tables(scored)),
        left_out=left_out,
    )


def _scored(
    collection: Collection,
    topics: Sequence[JudgedSentences],
    extract: Sequence[str],
    sentences: int,
) -> tuple[list[_Scored], list[str]]:
    scored, left_out = [], []
    for topic in topics:
        own, lacking = _of_topic(collection, topic, sentences)
        scored += own
        left_out += lacking
    if extract:
        scored.insert(0, _given(topics, extract))
    return scored, left_out


def _given(topics: Sequence[JudgedSentences], extract: Sequence[str]) -> _Scored:
    """Score the given extract in the topic that has its first sentence."""
    for topic in topics:
        if extract[0] in topic.units:
            return _Scored(topic, "as given", "", topic.score(extract))
    raise InputError(
        f"no topic has a judged sentence {extract[0]!r}",
        hint=f"there are: {', '.join(topics[0].units[:3])}, ...",
    )


def _of_topic(
    collection: Collection, topic: JudgedSentences, sentences: int
) -> tuple[list[_Scored], list[str]]:
    documents = collection.documents(topic.topic, topic.task)
    if not documents:
        return [], [f"{topic.name}: it has no documents to find extracts in"]
    scored, left_out = [], _unknown(topic, documents)
    first = [u for u in first_sentences(documents, len(topic.units)) if u in topic.units]
    if first:
        taken = topic.score(first[:sentences])
        scored.append(_Scored(topic, "first sentences", "baseline", taken))
    finder = SentenceFinder(documents)
    for peer in collection.peers(topic.topic, topic.task):
        if peer.kind == "machine":
            found = finder.find(peer)
            judged = [unit for unit in found.units if unit in topic.units]
            lacking = found.foreign + len(found.units) - len(judged)
            if lacking or not judged:
                what = counted(lacking, "sentence is no judged one", "sentences are no judged ones")
                left_out.append(f"{topic.name}, {peer.system}: {what} of the input")
            else:
                scored.append(_Scored(topic, peer.system, "machine", topic.score(judged)))
    return scored, left_out


def _unknown(topic: JudgedSentences, documents: Sequence[Document]) -> list[str]:
    """Tell which judged sentences the documents do not have: somebody counted otherwise."""
    there = {unit for unit, _ in numbered_sentences(documents)}
    unknown = [unit for unit in topic.units if unit not in there]
    what = counted(len(unknown), "judged sentence is", "judged sentences are")
    why = "datelines, bylines and cues are no sentences here"
    return [f"{topic.name}: {what} not in the documents ({unknown[0]}); {why}"] if unknown else []


def _shares(topics: Sequence[JudgedSentences]) -> tuple[npt.NDArray[np.int64], Floats, Floats]:
    """Give how many sentences have each mark, their share, and the mean of topics' shares."""
    counts = np.array([topic.counts for topic in topics])
    total = counts.sum(axis=0)
    shares: Floats = total / total.sum()
    means: Floats = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    return total, shares, means


def _marks_table(topics: Sequence[JudgedSentences]) -> Table:
    total, shares, means = _shares(topics)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (mark, int(total[mark]), float(100 * shares[mark]), float(100 * means[mark]))
        for mark in range(MARKS - 1, -1, -1)
    )
    columns = ("mark", "sentences", "per cent", "mean over topics")
    title = f"Sentences by how useful they were judged: {_where(topics)}"
    return Table(columns, rows, title=title, note=_MARKS_NOTE, digits=2)


def _where(topics: Sequence[JudgedSentences]) -> str:
    judges = sorted({len(topic.judges) for topic in topics})
    number = f"{judges[0]}" if len(judges) == 1 else f"{judges[0]} to {judges[-1]}"
    word = "judge" if judges == [1] else "judges"
    return f"{counted(len(topics), 'topic')}, {number} {word}"


def _extract_tables(scored: Sequence[_Scored]) -> Iterator[Table]:
    if not scored:
        return
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            own.topic.name,
            own.name,
            own.score.sentences,
            own.score.score,
            own.score.random,
            own.score.judges,
            own.score.normalized,
        )
        for own in scored
    )
    columns = ("topic", "extract", "sentences", "score", "random", "judges", "normalized")
    title = "What extracts are worth"
    yield Table(columns, rows, title=title, note=_EXTRACTS_NOTE, digits=3)


def _marks_record(topics: Sequence[JudgedSentences]) -> dict[str, Any]:
    total, shares, means = _shares(topics)
    return {
        "study": "utility",
        "topics": len(topics),
        "sentences": int(total.sum()),
        "counts": total.tolist(),
        "shares": shares,
        "mean_shares": means,
    }


def _extract_record(own: _Scored) -> dict[str, Any]:
    return {
        "study": "utility",
        "task": own.topic.task,
        "topic": own.topic.topic,
        "extract": own.name,
        "kind": own.kind or None,
        "sentences": own.score.sentences,
        "score": own.score.score,
        "random": own.score.random,
        "judges": own.score.judges,
        "normalized": own.score.normalized,
    }


def _draw(topics: Sequence[JudgedSentences], file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_utility import utility_figure

    total, shares, _ = _shares(topics)
    where = f"{counted(int(total.sum()), 'sentence')} of {_where(topics)}"
    save(utility_figure(shares, note=f"mean mark of each sentence, rounded; {where}"), file)
