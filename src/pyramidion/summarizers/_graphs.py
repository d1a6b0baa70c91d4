"""Methods that compare sentences with each other: LexRank, clusters, MMR and others."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.questions import option
from pyramidion.summarizers._selection import Choice, Limit, Terms, choose_greedily, choose_ranked
from pyramidion.summarizers._source import Source, heaviest
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text.encoding import default_background

#: Rows of cosines that are computed at a time, to limit memory.
_BLOCK_ROWS = 1024
#: Maximum number of pairs to compare: 30,000 sentences with each other take some 20 seconds.
_MAX_PAIRS = 30_000**2


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    r"""Sentences, query and known sentences as vectors of length 1.

    A word counts as often as it occurs, times its inverse frequency among the n sentences of
    the input, :math:`\log(1 + n / n_w)`. A sentence without words is 0.
    """

    sentences: Any
    known_sentences: Any
    profile: Floats
    query: Floats

    def focus(self, share: float) -> Floats:
        """Mix the input's vector with the query's, which gets this share."""
        if not self.query.any():
            return self.profile
        return _scale_to_unit((1 - share) * self.profile + share * self.query)


def sentence_vectors(source: Source) -> Vectors:
    """Make vectors of the sentences of an input."""
    return source.memo("vectors", lambda: _make_vectors(source))


def _make_vectors(source: Source) -> Vectors:
    wording = source.wording
    document_frequency = np.bincount(wording.pairs[1], minlength=len(wording.words))
    rarity = np.log1p(len(source) / np.maximum(document_frequency, 1))
    return Vectors(
        _scale_rows_to_unit(wording.table, rarity),
        _scale_rows_to_unit(wording.known_table, rarity),
        _scale_to_unit(wording.counts * rarity),
        _scale_to_unit(np.where(document_frequency > 0, wording.query, 0.0) * rarity),
    )


class Nearness:
    """The cosine of each sentence with the closest chosen or known sentence."""

    def __init__(self, vectors: Vectors) -> None:
        self._sentences = vectors.sentences
        self.values: Floats = np.zeros(vectors.sentences.shape[0])
        if vectors.known_sentences.shape[0]:
            cosines = cosine_blocks(vectors.sentences, vectors.known_sentences)
            largest_cosines = (rows.max(axis=1) for rows in cosines)
            self.values = np.concatenate(
                [np.asarray(column.todense()).ravel() for column in largest_cosines]
            )

    def say(self, number: int) -> None:
        """Add a chosen sentence."""
        vector = self._sentences[[number]].toarray().ravel()
        self.values = np.maximum(self.values, self._sentences @ vector)


def choose_diverse(source: Source, limit: Limit, scores: Floats, max_cosine: float) -> Choice:
    """Go down a ranking and skip sentences too similar to a chosen or known one."""
    if max_cosine >= 1:
        return choose_ranked(source, limit, scores)
    nearness = Nearness(sentence_vectors(source))

    def acceptable(number: int, taken: list[int]) -> bool:
        if nearness.values[number] > max_cosine:
            return False
        nearness.say(number)
        return True

    return choose_ranked(source, limit, scores, acceptable)


def cosine_blocks(rows: Any, columns: Any) -> Iterator[Any]:
    """Return the cosines of rows with all others, some rows at a time."""
    if rows.shape[0] * columns.shape[0] > _MAX_PAIRS:
        raise InputError(
            f"{rows.shape[0]:,} sentences are too many to compare each of them with "
            f"{columns.shape[0]:,}",
            hint="summarize less text at once, or use sum-avr or lexrank(continuous)",
        )
    transposed = columns.T.tocsr()
    if rows.shape[0] <= _BLOCK_ROWS:
        return iter([rows @ transposed])
    return (
        rows[start : start + _BLOCK_ROWS] @ transposed
        for start in range(0, rows.shape[0], _BLOCK_ROWS)
    )


def neighbor_table(rows: Any, threshold: float) -> Any:
    """Return which rows have a cosine above a threshold, as a sparse table of ones."""
    neighbor_rows = []
    for cosines in cosine_blocks(rows, rows):
        cosines.data = (cosines.data > threshold).astype(np.float64)
        cosines.eliminate_zeros()
        neighbor_rows.append(cosines)
    return _stack_rows(neighbor_rows)


def _stack_rows(parts: Iterable[Any]) -> Any:
    from scipy.sparse import vstack

    first_part, *other_parts = parts
    return vstack([first_part, *other_parts], format="csr") if other_parts else first_part


def _scale_rows_to_unit(table: Any, rarity: Floats) -> Any:
    from scipy.sparse import csr_array

    data = table.data * rarity[table.indices]
    sizes = np.diff(table.indptr)
    squares = np.zeros(len(sizes))
    nonempty_rows = np.flatnonzero(sizes)
    squares[nonempty_rows] = np.add.reduceat(data * data, table.indptr[nonempty_rows])
    scale = np.repeat(1 / np.where(squares > 0, np.sqrt(squares), 1.0), sizes)
    return csr_array((data * scale, table.indices, table.indptr), shape=table.shape)


def _scale_to_unit(vector: Floats) -> Floats:
    length = float(np.sqrt(vector @ vector))
    return vector / length if length > 0 else vector


#: The walk has converged when the sum of all changes is smaller than this.
_MAX_CHANGE = 1e-8
_MAX_STEPS = 500


@dataclass(frozen=True, slots=True)
class LexRank(Summarizer):
    r"""LexRank: PageRank on the graph of similar sentences.

    Two sentences are neighbors if the cosine of their words, weighed by rarity (`Vectors`),
    exceeds ``threshold``; each is its own neighbor. Importance goes from a sentence to its
    neighbors in equal parts,

    .. math:: p_i = \frac{1 - d}{n} + d \sum_{j \sim i} \frac{p_j}{|\{k : k \sim j\}|},

    until convergence. With ``continuous`` it is passed on in proportion to cosines. Sentences are
    taken in the order of importance, except those too similar to a better one.

    With a query, the share ``query`` of all importance goes to sentences in proportion to their
    cosine with the query; it is taken from the even part first, then from that of neighbors. In an
    update, sentences too similar to known ones are skipped.

    Source: Erkan and Radev (2004). LexRank: graph-based lexical centrality as salience in text
    summarization. JAIR 22. Otterbacher, Erkan and Radev (2005). Using random walks for
    question-focused sentence retrieval. HLT/EMNLP.
    """

    name: ClassVar[str] = "lexrank"
    title: ClassVar[str] = "LexRank"
    summary: ClassVar[str] = "sentences that are similar to many other sentences"
    citation: ClassVar[str] = "Erkan and Radev 2004"
    uses: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    threshold: float = option(0.1, "minimum cosine of neighbors", min=0, max=1)
    continuous: bool = option(False, "weight neighbors by their cosines, without a threshold")
    damping: float = option(0.85, "share of importance that comes from neighbors", min=0, max=0.999)
    similar: float = option(0.5, "sentences with a higher cosine are redundant", min=0, max=1)
    query: float = option(0.2, "weight of the query in importance, from 0 to 1", min=0, max=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        ranks = _mask_scores(source, self.ranks(source))
        return choose_diverse(source, limit, ranks, self.similar)

    def ranks(self, source: Source) -> Floats:
        """Return each sentence's importance; the sum is 1."""
        return self._graph(source)[0]

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return a sentence's importance, and its number of neighbors or sum of cosines."""
        ranks, degrees = self._graph(source)
        name = "cosines" if self.continuous else "neighbors"
        return ("rank", float(ranks[number])), (name, max(float(degrees[number]) - 1, 0.0))

    def _graph(self, source: Source) -> tuple[Floats, Floats]:
        """Return each sentence's importance, and its number of neighbors including itself."""
        return source.memo(self, lambda: self._random_walk(sentence_vectors(source)))

    def _random_walk(self, vectors: Vectors) -> tuple[Floats, Floats]:
        rows, n_sentences = vectors.sentences, vectors.sentences.shape[0]
        if self.continuous:
            # Importance is passed on in proportion to cosines, without computing them.
            transposed = rows.T.tocsr()
            degrees = np.asarray(rows @ (transposed @ np.ones(n_sentences)))
            degrees = np.where(degrees > 0, degrees, 1.0)
        else:
            rows, transposed = neighbor_table(rows, self.threshold), None
            degrees = np.maximum(np.diff(rows.indptr), 1).astype(np.float64)
        # The importance that comes from no neighbor.
        base, damping = np.full(n_sentences, (1 - self.damping) / n_sentences), self.damping
        cosines = np.asarray(vectors.sentences @ vectors.query)
        if self.query > 0 and cosines.any():
            damping = min(self.damping, 1 - self.query)
            uniform_share = max(1 - damping - self.query, 0.0)
            base = uniform_share / n_sentences + self.query * cosines / cosines.sum()
        ranks = np.full(n_sentences, 1 / n_sentences)
        for _ in range(_MAX_STEPS):
            passed_ranks = ranks / degrees
            previous_ranks = ranks
            ranks = base + damping * np.asarray(
                rows @ (passed_ranks if transposed is None else transposed @ passed_ranks)
            )
            ranks /= ranks.sum()
            if np.abs(ranks - previous_ranks).sum() < _MAX_CHANGE:
                break
        return ranks, degrees


def _mask_scores(source: Source, scores: Floats) -> Floats:
    """Return scores with minus infinity for sentences without content words."""
    return np.where(np.diff(source.table.indptr) > 0, scores, -np.inf)


@dataclass(frozen=True, slots=True)
class SentenceClusters(Summarizer):
    """One sentence from each of the largest clusters of similar sentences.

    Sentences whose cosine (`Vectors`) exceeds ``threshold`` are neighbors. The sentence with the
    most neighbors forms a cluster with those that are in no cluster yet, and so on (star
    clustering). The score of a cluster is its number of sentences (``weight=size``), which the
    thesis found to select content badly, or the sum of their cosines with the whole input
    (``weight=words``). From each cluster the sentence closest to its center that fits is taken.

    Source: Nenkova (2006), section 4.5. Aslam, Pelekhov and Rus (2004). The star clustering
    algorithm for static and dynamic information organization. Journal of Graph Algorithms 8.
    """

    name: ClassVar[str] = "clusters"
    title: ClassVar[str] = "sentence clusters"
    summary: ClassVar[str] = "one sentence from each of the largest clusters of similar sentences"
    citation: ClassVar[str] = "Nenkova 2006"

    threshold: float = option(0.2, "minimum cosine of similar sentences", min=0, max=1)
    weight: str = option("words", "score of a cluster", choices=("words", "size"))

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        vectors, clusters = sentence_vectors(source), self.clusters(source)
        rows = vectors.sentences
        centralities = np.asarray(rows @ vectors.profile) if self.weight == "words" else None
        cluster_scores = np.bincount(clusters, weights=centralities)
        sentence_scores = np.unique(cluster_scores, return_inverse=True)[1][
            clusters
        ] + 0.5 * _closeness(rows, clusters)
        chosen_clusters: set[int] = set()

        def from_another_cluster(number: int, taken: list[int]) -> bool:
            is_new = int(clusters[number]) not in chosen_clusters
            chosen_clusters.add(int(clusters[number]))
            return is_new

        choice = choose_ranked(
            source, limit, _mask_scores(source, sentence_scores), from_another_cluster
        )
        return Choice(
            choice.numbers, tuple(cluster_scores[clusters[list(choice.numbers)]].tolist())
        )

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return a sentence's cluster, the cluster's size, and its closeness to the center."""
        clusters = self.clusters(source)
        closeness = _closeness(sentence_vectors(source).sentences, clusters)
        return (
            ("cluster", float(clusters[number]) + 1),
            ("size", float(np.count_nonzero(clusters == clusters[number]))),
            ("closeness", float(closeness[number])),
        )

    def clusters(self, source: Source) -> Ints:
        """Return the number of each sentence's cluster, in order of creation."""
        return source.memo(("clusters", self.threshold), lambda: self._star_clusters(source))

    def _star_clusters(self, source: Source) -> Ints:
        neighborhoods = neighbor_table(sentence_vectors(source).sentences, self.threshold)
        degrees = np.diff(neighborhoods.indptr).tolist()
        keys = list(
            zip((-d for d in degrees), source.positions.tolist(), source.texts, strict=True)
        )
        clusters = np.full(len(source), -1, dtype=np.int64)
        n_clusters = 0
        for center in sorted(range(len(source)), key=keys.__getitem__):
            if clusters[center] < 0:
                members = neighborhoods.indices[
                    neighborhoods.indptr[center] : neighborhoods.indptr[center + 1]
                ]
                clusters[members[clusters[members] < 0]] = n_clusters
                clusters[center] = n_clusters
                n_clusters += 1
        return clusters


def _closeness(rows: Any, clusters: Ints) -> Floats:
    """Return the cosine of each sentence with the sum of its cluster's."""
    from scipy.sparse import csr_array

    n_clusters = int(clusters.max()) + 1
    members = csr_array(
        (np.ones(len(clusters)), (clusters, np.arange(len(clusters)))),
        shape=(n_clusters, len(clusters)),
    )
    sums = (members @ rows).tocsr()
    lengths = np.sqrt(np.asarray(sums.multiply(sums).sum(axis=1)))
    dot_products = np.asarray(rows.multiply(sums[clusters]).sum(axis=1), dtype=np.float64)
    return dot_products / np.where(lengths > 0, lengths, 1.0)[clusters]


@dataclass(frozen=True, slots=True)
class Centroid(Summarizer):
    r"""The centroid method of MEAD.

    A word w of the input weighs :math:`n_w \cdot \mathrm{idf}_w`, with the inverse document
    frequency of general English. The centroid has the words whose weight exceeds ``threshold``
    times the maximum. The score of a sentence is the sum over its words in the centroid, as a share
    of the maximum sum, plus ``position`` times :math:`1/\sqrt{i}` for the i-th sentence of a
    document. A sentence too similar to a better one is skipped.

    Source: Radev, Jing, Styś and Tam (2004). Centroid-based summarization of multiple documents.
    Information Processing and Management 40(6).
    """

    name: ClassVar[str] = "centroid"
    title: ClassVar[str] = "centroid"
    summary: ClassVar[str] = "sentences with the most characteristic words of the input"
    citation: ClassVar[str] = "Radev et al. 2004"
    uses: ClassVar[frozenset[str]] = frozenset({"known"})

    threshold: float = option(0.1, "minimum weight, as a share of the maximum", min=0, max=1)
    position: float = option(0.0, "bonus for early positions in a document", min=0)
    similar: float = option(0.5, "sentences with a higher cosine are redundant", min=0, max=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        scores = np.asarray(source.table @ self.word_weights(source))
        scores = np.where(scores > 0, scores / max(float(scores.max()), 1e-300), -np.inf)
        scores = scores + self.position / np.sqrt(source.positions + 1)
        return choose_diverse(source, limit, scores, self.similar)

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return what a sentence's words in the centroid add to its score."""
        weights = self.word_weights(source)
        max_value = max(float(np.asarray(source.table @ weights).max()), 1e-300)
        shares = source.table[[number]].toarray().ravel() * weights / max_value
        position_bonus = self.position / float(np.sqrt(source.positions[number] + 1))
        position = (("position", position_bonus),) if position_bonus else ()
        return (*heaviest(source.words, shares), *position)

    def word_weights(self, source: Source, taken: Sequence[int] = ()) -> Floats:
        """Return the centroid."""
        reading = source.reading
        background = default_background(stem=reading.stem and reading.language == "en")
        weights = source.counts * background.idf(list(source.words))
        return np.where(weights > self.threshold * weights.max(initial=0.0), weights, 0.0)


@dataclass(frozen=True, slots=True)
class MaximalMarginalRelevance(Summarizer):
    r"""Maximal marginal relevance: sentences that are relevant and say something new.

    The next sentence is the one with the maximum

    .. math:: \lambda \cos(s, q) - (1 - \lambda) \max_{t \in S} \cos(s, t),

    where S has the sentences taken so far and, in an update, the known ones; q is the whole input,
    or with a query a mixture in which the query has the share ``query``. Words are weighed by
    rarity (`Vectors`).

    Source: Carbonell and Goldstein (1998). The use of MMR, diversity-based reranking for reordering
    documents and producing summaries. SIGIR.
    """

    name: ClassVar[str] = "mmr"
    title: ClassVar[str] = "MMR"
    summary: ClassVar[str] = "sentences similar to the input or the query but not to each other"
    citation: ClassVar[str] = "Carbonell and Goldstein 1998"
    uses: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    relevance: float = option(0.7, "lambda: the weight of relevance against novelty", min=0, max=1)
    query: float = option(0.2, "weight of the query in relevance, from 0 to 1", min=0, max=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        vectors = sentence_vectors(source)
        relevance, nearness = _mask_scores(source, self._relevance(vectors)), Nearness(vectors)
        return choose_greedily(
            source, limit, lambda: relevance - (1 - self.relevance) * nearness.values, nearness.say
        )

    def _relevance(self, vectors: Vectors) -> Floats:
        # If only novelty counts, relevance still breaks ties.
        share = max(self.relevance, 1e-12)
        return share * np.asarray(vectors.sentences @ vectors.focus(self.query))

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return both terms: relevance, and similarity to chosen sentences."""
        vectors = sentence_vectors(source)
        nearness = Nearness(vectors)
        for earlier_number in taken:
            nearness.say(earlier_number)
        penalty = -(1 - self.relevance) * float(nearness.values[number])
        return ("relevance", float(self._relevance(vectors)[number])), ("nearness", penalty)


@dataclass(frozen=True, slots=True)
class Submodular(Summarizer):
    r"""A monotone submodular function of coverage and diversity, maximized greedily.

    With the cosines :math:`w_{ij}` of sentences (`Vectors`), stars of similar sentences
    :math:`P_k` (as for ``clusters``) and :math:`r_j = \sum_i w_{ij} / n`, an extract is worth

    .. math:: \sum_i \min(c_i, a \sum_j w_{ij} / n) / L + \lambda \sum_k \sqrt{d_k} / R,

    where :math:`c_i` sums :math:`w_{ij}` over the extract's sentences j and :math:`d_k` sums
    :math:`r_j` over those of them in :math:`P_k`; L and R are the maxima of both sums. The sentence
    that adds most, divided by its length to the power ``power``, is taken repeatedly; if a single
    sentence is worth more, it is taken instead: with ``power=1`` this guarantees 39% of the
    optimum.

    Source: Lin and Bilmes (2011). A class of submodular functions for document summarization. ACL.
    """

    name: ClassVar[str] = "submodular"
    title: ClassVar[str] = "submodular function"
    summary: ClassVar[str] = "sentences similar to many others, from different clusters"
    citation: ClassVar[str] = "Lin and Bilmes 2011"

    saturation: float = option(10.0, "a: number of sentences that cover a similar one", min=0.01)
    diversity: float = option(1.0, "lambda: the weight of different clusters", min=0)
    power: float = option(0.0, "gains are divided by lengths to this power", min=0)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        state = _SubmodularState(self, source)
        initial_gains = state.gains().sum(axis=0)
        costs = np.maximum(source.lengths, 1.0) ** self.power

        def weigh() -> Floats:
            return _mask_scores(source, state.gains().sum(axis=0) / costs)

        choice = choose_greedily(source, limit, weigh, state.take)
        single_choice = choose_ranked(source, limit, _mask_scores(source, initial_gains))
        if sum(single_choice.scores[:1]) <= state.worth:
            return choice
        return Choice(single_choice.numbers[:1], single_choice.scores[:1])

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return what a sentence adds to coverage and to diversity."""
        state = _SubmodularState(self, source)
        for earlier_number in taken:
            state.take(earlier_number)
        coverage, diversity = state.gains()[:, number].tolist()
        return ("coverage", coverage), ("diversity", diversity)


class _SubmodularState:
    """The value of the sentences taken so far, and what each other would add."""

    def __init__(self, method: Submodular, source: Source) -> None:
        rows = sentence_vectors(source).sentences
        self._cosines = source.memo("cosines", lambda: _stack_rows(cosine_blocks(rows, rows)))
        self._clusters = SentenceClusters().clusters(source)
        self._rows = np.repeat(np.arange(len(source)), np.diff(self._cosines.indptr))
        sums = np.asarray(self._cosines.sum(axis=1))
        self._coverage_caps = np.minimum(method.saturation / len(source), 1.0) * sums
        self._rewards = sums / len(source)
        self._covered = np.zeros(len(source))
        self._cluster_rewards = np.zeros(int(self._clusters.max()) + 1)
        max_reward = (
            self._coverage_caps.sum(),
            np.sqrt(np.bincount(self._clusters, self._rewards)).sum(),
        )
        shares = np.array([1, method.diversity]) / np.maximum(max_reward, 1e-300)
        self._shares = shares[:, None]
        self.worth = 0.0

    def gains(self) -> Floats:
        """Return what each sentence would add to coverage and to diversity."""
        columns, covered_before = (
            self._cosines.indices,
            np.minimum(self._covered, self._coverage_caps),
        )
        covered_after = np.minimum(
            self._covered[columns] + self._cosines.data, self._coverage_caps[columns]
        )
        coverage = np.bincount(
            self._rows, covered_after - covered_before[columns], len(self._coverage_caps)
        )
        cluster_rewards = self._cluster_rewards[self._clusters]
        diversity = np.sqrt(cluster_rewards + self._rewards) - np.sqrt(cluster_rewards)
        gains: Floats = self._shares * np.array([coverage, diversity])
        return gains

    def take(self, number: int) -> None:
        """Take a sentence."""
        self.worth += float(self.gains()[:, number].sum())
        span = slice(self._cosines.indptr[number], self._cosines.indptr[number + 1])
        self._covered[self._cosines.indices[span]] += self._cosines.data[span]
        self._cluster_rewards[self._clusters[number]] += self._rewards[number]


@dataclass(frozen=True, slots=True)
class DeterminantalPointProcess(Summarizer):
    r"""A determinantal point process: sentences that are relevant and diverse.

    A set S of sentences has the probability :math:`\det K_S` up to a factor, where
    :math:`K_{ij} = q_i w_{ij} q_j` with the cosines w (`Vectors`) and
    :math:`q_i = \exp(\theta \cos(s_i, q))`: similarity to the whole input, or to a query. The
    sentence that maximizes the determinant is taken repeatedly (a greedy search for the most
    probable set).

    Source: Kulesza and Taskar (2012). Determinantal point processes for machine learning.
    Foundations and Trends in Machine Learning 5. Chen, Zhang and Zhou (2018). Fast greedy MAP
    inference for determinantal point process to improve recommendation diversity. NeurIPS.
    """

    name: ClassVar[str] = "dpp"
    title: ClassVar[str] = "determinantal point process"
    summary: ClassVar[str] = "relevant sentences that are as different from each other as possible"
    citation: ClassVar[str] = "Kulesza and Taskar 2012"
    uses: ClassVar[frozenset[str]] = frozenset({"query"})

    quality: float = option(4.0, "theta: the weight of quality against diversity", min=0)
    query: float = option(0.5, "weight of the query in quality, from 0 to 1", min=0, max=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        state = _DeterminantState(self, source)
        return choose_greedily(source, limit, state.gains, state.take)

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return both terms of the increase of the log-determinant."""
        state = _DeterminantState(self, source)
        for earlier_number in taken:
            state.take(earlier_number)
        quality_value = float(state.quality[number])
        return ("quality", quality_value), (
            "diversity",
            float(state.gains()[number]) - quality_value,
        )


class _DeterminantState:
    """The gain in the logarithm of the determinant by each sentence."""

    def __init__(self, method: DeterminantalPointProcess, source: Source) -> None:
        vectors = sentence_vectors(source)
        self._rows, self._taken_columns = vectors.sentences, [np.zeros(len(source))]
        self.quality = 2 * method.quality * np.asarray(self._rows @ vectors.focus(method.query))
        # Squared norm of each sentence's component outside the span of those taken.
        self._remaining_norms = (np.diff(self._rows.indptr) > 0).astype(np.float64)

    def gains(self) -> Floats:
        """Return the gains; sentences in the span of others may still fill room."""
        gains = self.quality + np.log(np.maximum(self._remaining_norms, _MIN_NORM))
        return np.where(np.diff(self._rows.indptr) > 0, gains, -np.inf)

    def take(self, number: int) -> None:
        """Take a sentence: one step of a Cholesky decomposition."""
        column = self._rows @ self._rows[[number]].toarray().ravel()
        for earlier_column in self._taken_columns:
            column = column - earlier_column[number] * earlier_column
        column = column / np.sqrt(max(self._remaining_norms[number], _MIN_NORM))
        self._remaining_norms = np.maximum(self._remaining_norms - column**2, 0.0)
        self._taken_columns.append(column)


#: A sentence with a smaller remaining norm is in the span of the others.
_MIN_NORM = 1e-9
