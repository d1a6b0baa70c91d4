"""Which articles are about the same story: names and words in common."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Document, Topic
from pyramidion.errors import InputError
from pyramidion.rendering.labels import counted
from pyramidion.summarizers._source import Source

#: Two groups of articles are merged if their mean similarity (`similarities`) is at least this.
_MIN_STORY_COSINE = 0.2
#: With more pseudo-articles, a name in all articles weighs almost as much as a rare one.
_N_PSEUDO_ARTICLES = 20
#: If the typical text has fewer words, they are reviews or passages, of which nothing is noted.
_MIN_ARTICLE_WORDS = 60
#: Minimum share of repeated sentences of a copy.
_MIN_COPY_SHARE = 0.5
#: Maximum number of articles in which stories are looked for without a request.
_MAX_NOTED_ARTICLES = 500
_MAX_HEADLINE_CHARACTERS, _MIN_HEADLINE_WORDS = 110, 4
#: Added to the length of a first sentence, so that very short ones are not preferred.
_LEAD_LENGTH_BONUS = 10

#: Capitalized words within sentences.
_NAME_PATTERN = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")
_WORDS_NOT_NAMES = frozenset(
    re.findall(
        r"\w+",
        "january february march april may june july august september october november december "
        "monday tuesday wednesday thursday friday saturday sunday mr mrs ms",
    )
)


@dataclass(frozen=True, slots=True)
class Story:
    """Articles about the same events, most typical first, and a headline for them."""

    topic: str
    number: int
    total: int
    headline: str
    documents: tuple[str, ...]

    @property
    def title(self) -> str:
        """Its number and headline."""
        return f"Story {self.number} of {self.total}: {self.headline}"

    @property
    def sources(self) -> str:
        """Its articles, in a line."""
        return f"Sources: {', '.join(self.documents)}"


def similarities(source: Source) -> Floats:
    """Return the similarity of all pairs of documents, from 0 to 2.

    It is the cosine of their words plus that of their names, which weigh more if they are rare.
    """
    words = word_similarities(source)
    names = name_similarities(source)
    return 2 * words if names is None else words + names


def word_similarities(source: Source) -> Floats:
    """Return the cosines of the documents' content words."""
    return cosines(*_document_words(source), len(source.documents))


def name_similarities(source: Source) -> Floats | None:
    """Return the cosines of the documents' capitalized words; None if there are none."""
    names = [
        (home, name)
        for home, document in enumerate(source.documents)
        for name in map(str.lower, _NAME_PATTERN.findall(document.text))
        if name not in _WORDS_NOT_NAMES
    ]
    if not names:
        return None
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for _, name in names))}
    homes, ids = np.array([(home, numbers[name]) for home, name in names]).T
    return cosines(homes, ids, len(source.documents), favors_rare=True)


def _document_words(source: Source) -> tuple[Ints, Ints]:
    """Return the document and number of each content word."""
    wording = source.wording
    homes, ids = source.homes[wording.rows], wording.ids.astype(np.int64)
    if source.uncounted is None or not source.uncounted.any():
        return homes, ids
    # Repeated sentences count in copies of articles; notices in two stories do not.
    shares = np.bincount(source.homes, source.uncounted) / np.bincount(source.homes)
    in_copies = source.uncounted & (shares >= _MIN_COPY_SHARE)[source.homes]
    uncounted_rows = np.flatnonzero(in_copies).tolist()
    if not uncounted_rows:
        return homes, ids
    repeats = {source.texts[number] for number in uncounted_rows}
    counted_rows = np.flatnonzero(~source.uncounted).tolist()
    row_by_text = {source.texts[row]: row for row in counted_rows if source.texts[row] in repeats}
    sentences = [wording.sentence(row_by_text[source.texts[number]]) for number in uncounted_rows]
    repeated_homes = np.repeat(source.homes[uncounted_rows], [*map(len, sentences)])
    return np.concatenate([homes, repeated_homes]), np.concatenate([ids, *sentences])


def cosines(homes: Ints, ids: Ints, n_documents: int, *, favors_rare: bool = False) -> Floats:
    """Return the cosines of documents, given the document and number of each word."""
    from scipy.sparse import csr_array

    size = int(ids.max(initial=0)) + 1
    codes, counts = np.unique(homes * size + ids, return_counts=True)
    rows, columns = np.divmod(codes, size)
    values = np.log1p(counts)
    if favors_rare:
        document_frequencies = np.bincount(columns, minlength=size)[columns]
        values *= np.log((n_documents + _N_PSEUDO_ARTICLES) / document_frequencies)
    norms = np.sqrt(np.bincount(rows, values**2, n_documents)).clip(1e-9)
    starts = np.searchsorted(rows, np.arange(n_documents + 1))
    table = csr_array((values / norms[rows], columns, starts), shape=(n_documents, size))
    cosines: Floats = (table @ table.T).toarray()
    return cosines


def story_labels(source: Source) -> Ints:
    """Return the number of the story of each document."""
    return link_documents(similarities(source), _MIN_STORY_COSINE)


def link_documents(similarity_matrix: Floats, least: float) -> Ints:
    """Group documents by average linkage while a mean similarity is at least this."""
    n_documents = len(similarity_matrix)
    labels, members, similarity_matrix = (
        np.arange(n_documents),
        np.ones(n_documents),
        similarity_matrix.copy(),
    )
    np.fill_diagonal(similarity_matrix, -np.inf)
    while True:
        first, other = divmod(int(similarity_matrix.argmax()), n_documents)
        if similarity_matrix[first, other] < least:
            return np.unique(labels, return_inverse=True)[1]
        total = members[first] + members[other]
        mean = (
            members[first] * similarity_matrix[first] + members[other] * similarity_matrix[other]
        ) / total
        similarity_matrix[first] = similarity_matrix[:, first] = mean
        similarity_matrix[first, first] = similarity_matrix[other] = similarity_matrix[
            :, other
        ] = -np.inf
        members[first], labels[labels == other] = total, first


def story_note(source: Source) -> tuple[str, ...]:
    """Note that the documents cover several stories, if they do."""
    sizes = np.bincount(source.homes, source.lengths)
    if not 2 <= len(sizes) <= _MAX_NOTED_ARTICLES or np.median(sizes) < _MIN_ARTICLE_WORDS:
        return ()
    n_stories = len(set(source.memo("stories", lambda: story_labels(source)).tolist()))
    if n_stories < 2:
        return ()
    return (f"these articles cover {n_stories} stories: --stories summarizes each of them",)


def by_story(
    collection: Collection, only: Iterable[str], language: str = "auto"
) -> tuple[Collection, dict[str, Story]]:
    """Split some topics into stories; return the collection with these, and the stories."""
    stories: dict[str, Story] = {}
    topics: list[Topic] = []
    split_ids, left_out = set(only), list(collection.left_out)
    names = {topic.id for topic in collection.topics}
    for topic in collection.topics:
        parts = list(_divide_topic(topic, language)) if topic.id in split_ids else []
        if len(parts) < 2:
            topics.append(topic)
            continue
        for story, documents in parts:
            id = f"{topic.id}-story{story.number}"
            if id in names:
                message = f"a story of {topic.id} would have the same name as another topic: {id}"
                raise InputError(message, hint="rename that topic")
            stories[id] = story
            topics.append(replace(topic, id=id, documents=documents))
        left_out += _count_undivided(collection, topic.id)
    divided_topics = {story.topic for story in stories.values()}
    return replace(
        collection,
        topics=tuple(topics),
        left_out=tuple(left_out),
        **_without_topics(collection, divided_topics),
    ), stories


def _count_undivided(collection: Collection, topic: str) -> Iterator[str]:
    """Count the entries about a topic as a whole, which none of its stories has."""
    counts = {
        ("summary", "summaries"): sum(s.topic == topic for s in collection.summaries),
        ("pyramid", "pyramids"): sum(id == topic for _, id in collection.pyramids),
        ("score", "scores"): int((collection.scores.columns["topic"] == topic).sum()),
    }
    parts = [counted(number, *name) for name, number in counts.items() if number]
    if parts:
        yield f"{topic}: {', '.join(parts)} of all its stories together"


def _without_topics(collection: Collection, topics: set[str]) -> dict[str, Any]:
    """Return the parts of a collection that are not about these topics."""
    rows = {
        name: table.rows(~np.isin(table.columns["topic"], [*topics]))
        for name, table in (("scores", collection.scores), ("preferences", collection.preferences))
    }
    filtered_mappings = {
        name: {k: value for k, value in getattr(collection, name).items() if k[1] not in topics}
        for name in ("pyramids", "peer_annotations", "versions")
    }
    summaries = tuple(s for s in collection.summaries if s.topic not in topics)
    return {"summaries": summaries, **rows, **filtered_mappings}


def _divide_topic(topic: Topic, language: str) -> Iterator[tuple[Story, tuple[Document, ...]]]:
    """Return the stories of a topic, the one with most articles first."""
    documents = [document for document in topic.documents if document.text.strip()]
    if len(documents) < 2:
        return
    source = Source.of_documents(documents, language=language)
    similarity_matrix = similarities(source)
    labels = link_documents(similarity_matrix, _MIN_STORY_COSINE)
    groups = sorted(map(np.flatnonzero, np.equal.outer(np.unique(labels), labels)), key=_size_key)
    for number, group in enumerate(groups, start=1):
        typical_order = group[
            np.argsort(-similarity_matrix[np.ix_(group, group)].sum(axis=1), kind="stable")
        ]
        ids = tuple(documents[home].id for home in typical_order.tolist())
        story = Story(topic.id, number, len(groups), _headline(source, typical_order.tolist()), ids)
        yield story, tuple(documents[home] for home in group.tolist())


def _size_key(group: Ints) -> tuple[int, int]:
    return -len(group), int(group[0])


def _headline(source: Source, homes: Sequence[int]) -> str:
    """Return a headline of the most typical article that has one, or a typical first sentence."""
    headline_lines = (line for home in homes for line in _lines_above(source, home))
    if headline := next(headline_lines, ""):
        return _shorten(headline)
    words = [
        set(source.wording.ids[source.homes[source.wording.rows] == home].tolist())
        for home in homes
    ]
    document_counts = Counter(word for article_words in words for word in article_words)

    def typicality(sentence: int) -> float:
        weight = sum(
            document_counts[word] - 1 for word in set(source.wording.sentence(sentence).tolist())
        )
        return weight / (int(source.lengths[sentence]) + _LEAD_LENGTH_BONUS)

    starts = [int(np.flatnonzero(source.homes == home)[0]) for home in homes]
    return _shorten(
        source.texts[max((home + source.headings(home) for home in starts), key=typicality)]
    )


def _lines_above(source: Source, home: int) -> Iterator[str]:
    yield from filter(None, [source.documents[home].headline])
    start = int(np.flatnonzero(source.homes == home)[0])
    for line in source.texts[start : start + source.headings(start)]:
        letters = Counter(map(str.isalpha, line.replace(" ", "")))
        if len(line.split()) >= _MIN_HEADLINE_WORDS and letters[True] > 4 * letters[False]:
            yield line


def _shorten(line: str) -> str:
    if len(line) <= _MAX_HEADLINE_CHARACTERS:
        return line
    return f"{line[:_MAX_HEADLINE_CHARACTERS].rpartition(' ')[0].rstrip(',;:')} …"
