"""How much of a summary is copied: its longest n-grams that the input has (section 2.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.collection.ids import grouped, natural_order
from pyramidion.errors import InputError
from pyramidion.metrics._copying import fragments
from pyramidion.questions import option, question
from pyramidion.rendering.charts.rows import MarkedRow, marked_rows_picture
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart
from pyramidion.rendering.view import Column, View, columns, data
from pyramidion.studies._source import (
    SourceAndPeers,
    StudyResult,
    TopicTask,
    UnstemmedWords,
    sentences_of,
)
from pyramidion.text import split_sentences
from pyramidion.text.encoding import Reading, encode

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

_TITLE = "N-grams of the input that summaries are made of"
_NOTE = (
    "Each sentence is covered by as few n-grams of single sentences of the input as possible. "
    "Tile: their mean length in words. Absent: percent of words that the input lacks. Of one "
    "sentence, whole: percent of sentences all of whose words one sentence of the input has, and "
    "that are a sentence of the input. Banko and Vanderwende (2004), in section 2.5 of the thesis: "
    "tiles of 2.33 words in people's summaries of several documents, 4.47 of one; sentences of "
    "one 0% and 93%, whole 0% and 4% (61 of 1,667)."
)


@dataclass(frozen=True, slots=True)
class TiledWords(UnstemmedWords):
    """Which words are tiled: all of them."""

    all_words: bool = option(True, "Count stop words as well.", flags=("--all-words/--content",))


#: A sentence of a summary: the lengths of its tiles, how many words the input lacks, whether one
#: sentence of the input has all its words, and whether it is one.
_Tiled = tuple[tuple[int, ...], int, bool, bool]


@dataclass(frozen=True, slots=True)
class Tiling:
    """How the summaries of people, or of a machine, are made of n-grams of the input.

    Parameters
    ----------
    summarizer, kind
        Who; all references together are ``people``.
    sentences, words
        How many there are.
    tile
        The mean length of a tile.
    absent
        The share of words that no document has.
    one, whole
        The share of sentences whose words one sentence of the input has, and that are one.
    lengths
        How many tiles of 1, 2, ... words there are.
    """

    summarizer: str
    kind: str
    sentences: int
    words: int
    tile: float
    absent: float
    one: float
    whole: float
    lengths: tuple[int, ...]


_VIEW: View[Tiling] = View(
    "tiling",
    (
        *columns("summarizer", "kind", "sentences", "words", "tile"),
        Column("absent", "absent", show=lambda row: 100 * row.absent),
        Column("one", "of one sentence", show=lambda row: 100 * row.one),
        Column("whole", "whole", show=lambda row: 100 * row.whole),
        data("lengths"),
    ),
    digits=2,
)


@question
def tiling(source: SourceAndPeers, words: TiledWords) -> StudyResult[Tiling]:
    """Show how long the n-grams are that summaries share with their input (section 2.5).

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Old ice melts. It rains in Oslo."),))
    >>> person = Summary("T1", "A", "Ice melts in Oslo.", kind="human")
    >>> [people] = tiling(Collection("c", topics=(topic,), summaries=(person,)))
    >>> people.tile, people.lengths
    (2.0, (0, 2))
    """
    collection = source.read()
    places, left_out = source.places(collection)
    if not (found := grouped(own for place in places for own in _tiled(place, words.reading))):
        raise InputError("no summary has a word that counts", hint="count all words")
    order = sorted(found, key=lambda key: (key[0], natural_order(key[1])))
    rows = [_tiling(name, kind, found[kind, name]) for kind, name in order]
    tables = [_VIEW.table(rows, _TITLE, _NOTE)]
    charts = [Chart("tiling", partial(_figure, rows, len(places)))]
    return source.result(
        "tiling", collection, rows, _VIEW.record, tables, charts,
        about=words.name, details=[("tok", words.tokenizer)], left_out=left_out,
    )  # fmt: skip


def _tiled(place: TopicTask, reading: Reading) -> Iterator[tuple[tuple[str, str], _Tiled]]:
    split = partial(split_sentences, boilerplate="strip")
    documents = [sentence for text in place.documents for sentence in split(text)]
    encoded = encode([documents, *map(sentences_of, place.summaries)], **asdict(reading))
    sentences = [own.tolist() for own in encoded.sentences_of(0)]
    # A mark behind each sentence ends every run of words.
    source = np.array([word for own in sentences for word in (*own, -1)], dtype=np.int64)
    sets, whole = [*map(set, sentences)], {*map(tuple, sentences)}
    for number, summary in enumerate(place.summaries, start=1):
        machine = number > len(place.references)
        writer = ("machine", summary.system) if machine else ("human", "people")
        for sentence in filter(len, encoded.sentences_of(number)):
            tiles, words = fragments(sentence.astype(np.int64), source), sentence.tolist()
            one = any(own.issuperset(words) for own in sets)
            yield writer, (tiles, len(words) - sum(tiles), one, tuple(words) in whole)


def _tiling(summarizer: str, kind: str, sentences: Sequence[_Tiled]) -> Tiling:
    tiles, absent, one, whole = zip(*sentences, strict=True)
    lengths = np.array([length for own in tiles for length in own], dtype=np.int64)
    number, words = len(sentences), int(lengths.sum()) + sum(absent)
    tile = float(lengths.mean()) if len(lengths) else np.nan
    counts = tuple(np.bincount(lengths, minlength=2)[1:].tolist())
    shares = (sum(absent) / words, sum(one) / number, sum(whole) / number)
    return Tiling(summarizer, kind, number, words, tile, *shares, counts)


def _figure(rows: Sequence[Tiling], topics: int) -> "Picture":
    return marked_rows_picture(
        [MarkedRow(row.summarizer, row.kind, (row.tile,)) for row in rows],
        title=_TITLE,
        note=f"{counted(topics, 'topic')}; Banko and Vanderwende found 2.33 words in people's "
        "summaries of several documents, and 4.47 of one",
        label="mean length of a tile, in words",
    )
