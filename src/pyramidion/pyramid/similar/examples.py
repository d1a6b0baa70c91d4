"""Annotated summaries of a collection, as what the model of similarity is fitted to."""

from collections.abc import Iterator

import numpy as np

from pyramidion.collection import Collection, PeerAnnotation
from pyramidion.pyramid._scores import content_of_peer
from pyramidion.pyramid._units import answered_units
from pyramidion.pyramid.similar.fit import SimilarityExample
from pyramidion.pyramid.similar.wordings import Floats, Wordings

__all__ = ["similarity_examples"]

# Task, topic.
_Address = tuple[str, str]


def similarity_examples(collection: Collection) -> Iterator[tuple[str, SimilarityExample]]:
    """Take a collection's answers to lists of units and its annotated peers.

    Parameters
    ----------
    collection
        The collection. Where several people answered, the share of them who found a unit is
        what counts.

    Yields
    ------
    tuple of str and SimilarityExample
        The topic, so that one can fit and test on different ones, and the example.

    Examples
    --------
    >>> from pyramidion.collection import Judgment, Scores, Summary, Topic
    >>> rows = [Judgment("T1", "7", "scu-answer", value, assessor=who, unit="0")
    ...         for who, value in (("worker1", 1), ("worker2", 0))]
    >>> mine = Collection("mine", topics=(Topic("T1", extra={"scus": [{"text": "Ice melts"}]}),),
    ...     summaries=(Summary("T1", "7", "Ice melted."),), scores=Scores.from_judgments(rows))
    >>> [(topic, example.answers) for topic, example in similarity_examples(mine)]
    [('T1', array([0.5]))]
    """
    yield from _of_answers(collection)
    for (_, topic, _), peer in collection.peer_annotations.items():
        yield topic, _of_peer(peer)


def _of_answers(collection: Collection) -> Iterator[tuple[str, SimilarityExample]]:
    texts = {(s.task, s.topic, s.system): s.plain for s in collection.summaries}
    found: dict[tuple[str, str, str], list[Floats]] = {}
    wordings: dict[_Address, Wordings] = {}
    for answered in answered_units(collection, workers="each"):
        address = answered.task, answered.topic
        if address not in wordings:
            references = collection.references(answered.topic, answered.task)
            wordings[address] = Wordings.of_list(answered.units, [r.plain for r in references])
        counts = answered.content.counts.astype(np.float64)
        found.setdefault((*address, answered.system), []).append(counts)
    for (task, topic, system), answers in found.items():
        if (task, topic, system) in texts:
            text = texts[task, topic, system]
            share = np.mean(answers, axis=0)
            yield topic, SimilarityExample(wordings[task, topic], text, share)


def _of_peer(peer: PeerAnnotation) -> SimilarityExample:
    expressed = content_of_peer(peer).expressed.astype(np.float64)
    return SimilarityExample(Wordings.of_pyramid(peer.pyramid), peer.text, expressed)
