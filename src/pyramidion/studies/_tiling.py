"""How much of a summary is copied: the longest n-grams shared with the input (section 2.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.collection.ids import grouped, natural_order
from pyramidion.errors import InputError
from pyramidion.questions import option, question
from pyramidion.rendering.charts.rows import MarkedRow, marked_rows_picture
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart
from pyramidion.rendering.view import Column, View, columns, data
from pyramidion.studies._source import (
    SourceAndPeers,
    StudyResult,
    TopicTexts,
    UnstemmedWords,
    sentences_of,
)
from pyramidion.support import fragments
from pyramidion.text import split_sentences
from pyramidion.text.encoding import Reading, encode

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

_TITLE = "N-grams of the input that make up summaries"
_NOTE = (
    "Each sentence is covered by as few n-grams of single sentences of the input as possible. "
    "Tile: their mean length in words. Absent: percentage of words that the input lacks. Of one "
    "sentence, whole: percentage of sentences whose words are all in one sentence of the input, "
    "and that are a sentence of the input. Banko and Vanderwende (2004, thesis, section 2.5): "
    "tiles of 2.33 words in people's summaries of several documents, 4.47 of one; sentences of "
    "one 0% and 93%, whole 0% and 4% (61 of 1,667)."
)


@dataclass(frozen=True, slots=True)
class TiledWords(UnstemmedWords):
    """Which words are tiled; all of them by default."""

    all_words: bool = option(True, "Count stop words as well.", flags=("--all-words/--content",))


#: A sentence of a summary: the lengths of its tiles, the number of absent words, whether all words
#: are in one sentence of the input, and whether it is a sentence of the input.
_TiledSentence = tuple[tuple[int, ...], int, bool, bool]


@dataclass(frozen=True, slots=True)
class Tiling:
    """How the summaries of people, or of a machine, consist of n-grams of the input."""

    summarizer: str  # a machine, or ``people`` for all references
    kind: str
    sentences: int
    words: int
    tile: float  # mean length in words
    absent: float  # share of words that the input lacks
    one_sentence: float  # share of sentences whose words are all in one sentence of the input
    whole: float  # share of sentences that are a sentence of the input
    lengths: tuple[int, ...]  # number of tiles of 1, 2, ... words


_VIEW: View[Tiling] = View(
    "tiling",
    (
        *columns("summarizer", "kind", "sentences", "words", "tile"),
        Column("absent", "absent", show=lambda row: 100 * row.absent),
        Column(
            "one", "of one sentence", attrgetter("one_sentence"), lambda row: 100 * row.one_sentence
        ),
        Column("whole", "whole", show=lambda row: 100 * row.whole),
        data("lengths"),
    ),
    digits=2,
)


@question
def tiling(source: SourceAndPeers, words: TiledWords) -> StudyResult[Tiling]:
    """Show the lengths of the n-grams that summaries share with their input (section 2.5).

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
    topics, left_out = source.topics_of(collection)
    sentences_by_writer = grouped(
        row for topic in topics for row in _tile_topic(topic, words.reading)
    )
    if not sentences_by_writer:
        raise InputError("no summary has a word that counts", hint="count all words")
    writers = sorted(sentences_by_writer, key=lambda key: (key[0], natural_order(key[1])))
    rows = [_tiling_of(name, kind, sentences_by_writer[kind, name]) for kind, name in writers]
    tables = [_VIEW.table(rows, _TITLE, _NOTE)]
    charts = [Chart("tiling", partial(_figure, rows, len(topics)))]
    return source.result(
        "tiling", collection, rows, _VIEW.record, tables, charts,
        scope=words.name, details=[("tok", words.tokenizer)], left_out=left_out,
    )  # fmt: skip


def _tile_topic(
    topic: TopicTexts, reading: Reading
) -> Iterator[tuple[tuple[str, str], _TiledSentence]]:
    split_text = partial(split_sentences, boilerplate="strip")
    documents = [sentence for text in topic.documents for sentence in split_text(text)]
    encoded_texts = encode([documents, *map(sentences_of, topic.summaries)], **asdict(reading))
    sentences = [sentence.tolist() for sentence in encoded_texts.sentences_of(0)]
    # A separator after each sentence ends every run of words.
    source_words = np.array(
        [word for sentence in sentences for word in (*sentence, -1)], dtype=np.int64
    )
    word_sets, whole_sentences = [*map(set, sentences)], {*map(tuple, sentences)}
    for number, summary in enumerate(topic.summaries, start=1):
        is_machine = number > len(topic.references)
        writer = ("machine", summary.system) if is_machine else ("human", "people")
        for sentence in filter(len, encoded_texts.sentences_of(number)):
            tiles, words = fragments(sentence.astype(np.int64), source_words), sentence.tolist()
            is_from_one = any(sentence_words.issuperset(words) for sentence_words in word_sets)
            yield (
                writer,
                (tiles, len(words) - sum(tiles), is_from_one, tuple(words) in whole_sentences),
            )


def _tiling_of(summarizer: str, kind: str, sentences: Sequence[_TiledSentence]) -> Tiling:
    tiles, n_absent, is_from_one, whole_sentence = zip(*sentences, strict=True)
    lengths = np.array([*chain.from_iterable(tiles)], dtype=np.int64)
    n_sentences, n_words = len(sentences), int(lengths.sum()) + sum(n_absent)
    tile = float(lengths.mean()) if len(lengths) else np.nan
    counts = tuple(np.bincount(lengths, minlength=2)[1:].tolist())
    shares = (
        sum(n_absent) / n_words,
        sum(is_from_one) / n_sentences,
        sum(whole_sentence) / n_sentences,
    )
    return Tiling(summarizer, kind, n_sentences, n_words, tile, *shares, counts)


def _figure(rows: Sequence[Tiling], topics: int) -> "Picture":
    return marked_rows_picture(
        [MarkedRow(row.summarizer, row.kind, (row.tile,)) for row in rows],
        title=_TITLE,
        note=f"{counted(topics, 'topic')}; Banko and Vanderwende found 2.33 words in people's "
        "summaries of several documents, and 4.47 of one",
        label="mean length of a tile, in words",
    )
