"""The scorer of the package rouge-score, with its names and numbers."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from pyramidion.compat.scoring import AggregateScore, BootstrapAggregator, Score
from pyramidion.rouge import Variant
from pyramidion.rouge.counting import (
    Counts,
    ItemScores,
    Pairs,
    RougeReading,
    count_all,
    group_means,
    item_counts,
    score_all,
    score_counts,
)
from pyramidion.rouge.items import cached_vocabularies
from pyramidion.text import split_sentences
from pyramidion.text.encoding import encode

__all__ = ["AggregateScore", "BootstrapAggregator", "RougeScorer", "Score"]

_NGRAM_TYPE_PATTERN = re.compile(r"rouge([1-9])")


class RougeScorer:
    r"""ROUGE as rouge-score computes it, to the last digit.

    Texts are lowercased and split into runs of ``a-z`` and ``0-9``. ``rougeL`` reads a text as one
    sequence of words, ``rougeLsum`` reads its lines as sentences.

    Parameters
    ----------
    rouge_types
        ``rouge1`` to ``rouge9``, ``rougeL`` and ``rougeLsum``.
    use_stemmer
        Stem words of more than three letters with NLTK's variant of Porter's stemmer.
    split_summaries
        For ``rougeLsum``, split texts into sentences instead of lines; may be a function from a
        text to its sentences (rouge-score uses ``nltk.sent_tokenize``).
    tokenizer
        An object whose method ``tokenize`` returns the words of a text, which are not stemmed.

    Examples
    --------
    >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("The quick brown fox", "A quick fox jumps")["rouge1"]
    Score(precision=0.5, recall=0.5, fmeasure=0.5)
    """

    def __init__(
        self,
        rouge_types: Iterable[str],
        use_stemmer: bool = False,
        split_summaries: bool | Callable[[str], Iterable[str]] = False,
        tokenizer: Any = None,
    ) -> None:
        self.rouge_types = list(rouge_types)
        self._stem = "nltk" if use_stemmer and not tokenizer else False
        self._split = split_sentences if split_summaries is True else split_summaries
        self._tokenizer = tokenizer or None

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against one reference.

        Examples
        --------
        >>> RougeScorer(["rouge2"]).score("rain fell today", "today rain fell")
        {'rouge2': Score(precision=0.5, recall=0.5, fmeasure=0.5)}
        """
        return self._score_pairs([target], [prediction])[0]

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """Score a prediction against the reference with the highest F, for each type.

        Examples
        --------
        >>> RougeScorer(["rouge1"]).score_multi(["rain", "snow fell"], "rain fell")["rouge1"].recall
        1.0
        """
        return self._score_pairs([targets], [prediction])[0]

    def score_batch(
        self,
        targets: Sequence[str | Sequence[str]],
        predictions: Sequence[str],
        *,
        threads: int = 1,
    ) -> list[dict[str, Score]]:
        """Score many predictions at once, hundreds of times faster than rouge-score.

        Parameters
        ----------
        targets
            One reference for each prediction, or a list (as in `score_multi`).
        predictions
            The texts to score.
        threads
            Number of threads; the scores do not depend on it.

        Examples
        --------
        >>> scores = RougeScorer(["rouge1"]).score_batch(["rain", ["snow", "ice"]], ["rain", "ice"])
        >>> [score["rouge1"].fmeasure for score in scores]
        [1.0, 1.0]
        """
        require_parallel_lists(targets, predictions)
        return self._score_pairs(targets, predictions, threads)

    def _score_pairs(
        self, targets: Sequence[str | Sequence[str]], predictions: Sequence[str], threads: int = 1
    ) -> list[dict[str, Score]]:
        columns_by_metric = self.columns(targets, predictions, threads=threads)
        columns = [map(Score, p.tolist(), r.tolist(), f.tolist()) for r, p, f in columns_by_metric]
        return [dict(zip(self.rouge_types, row, strict=True)) for row in zip(*columns, strict=True)]

    def columns(
        self,
        targets: Sequence[str | Sequence[str]],
        predictions: Sequence[str],
        *,
        mean: bool = False,
        in_single_precision: bool = False,
        threads: int = 1,
    ) -> Iterator[ItemScores]:
        """Return each type's recall, precision and F as arrays; see `score_batch`.

        `mean` averages over the references of a text instead of using the best;
        `in_single_precision` compares references in single precision, which can break ties
        differently.
        """
        variants = [_parse_type(name) for name in self.rouge_types]
        _require_texts("prediction", predictions)
        ids: dict[str, int] = {}
        pairs = Pairs.of(
            (ids.setdefault(prediction, len(ids)), ids.setdefault(target, len(ids)), index)
            for index, (prediction, references) in enumerate(zip(predictions, targets, strict=True))
            for target in _list_references(references, index)
        )
        has_multiple = len(pairs.items) > len(predictions)
        counts_by_type = self._counts(list(ids), pairs, variants, threads)
        if not has_multiple:
            yield from (
                ItemScores(*arrays) for arrays in score_all(dict(enumerate(counts_by_type)))
            )
            return
        for counts in counts_by_type:
            if not mean:
                f = score_counts(counts).f
                f = f.astype(np.float32).astype(np.float64) if in_single_precision else f
                yield score_counts(item_counts(counts, pairs, "best", recall=f))
            else:
                size = len(predictions)
                columns_by_metric = score_counts(counts)
                yield ItemScores(
                    *(group_means(pairs.items, column, size) for column in columns_by_metric)
                )

    def _counts(
        self,
        texts: Sequence[str],
        pairs: Pairs,
        variants: Sequence[tuple[Variant, bool]],
        threads: int,
    ) -> Iterator[Counts]:
        """Count the units of each type, with whole texts and sentences in one pass each."""
        whole_texts, lines = self._read(texts)
        counts = {}
        for is_by_line, reading in ((False, whole_texts), (True, lines)):
            needed_variants = dict.fromkeys(
                variant for variant, by_line in variants if by_line == is_by_line
            )
            if needed_variants:
                counts[is_by_line] = count_all(
                    reading, pairs, tuple(needed_variants), threads=threads
                )
        return (counts[is_by_line][variant] for variant, is_by_line in variants)

    def _read(self, texts: Sequence[str]) -> tuple[RougeReading, RougeReading]:
        """Read texts as a whole, and by sentences."""
        if self._tokenizer is None and not self._split:
            lines = self._reading(texts)
            return lines.as_one_sentence, lines
        split = self._split or (lambda text: text.split("\n"))
        whole_texts = self._reading([[text] for text in texts])
        return whole_texts, self._reading([list(filter(None, split(text))) for text in texts])

    def _reading(self, texts: Sequence[str] | Sequence[list[str]]) -> RougeReading:
        tokenizer = self._tokenizer
        if tokenizer is not None:
            encoded_texts = encode(texts, tokenizer=lambda text: map(str, tokenizer.tokenize(text)))
            return RougeReading.of(encoded_texts.ids, encoded_texts.sentences, encoded_texts.texts)
        (vocabulary,) = cached_vocabularies(self._stem)
        return RougeReading.of(*vocabulary.encode(list(map(_to_lowercase, texts))))


def require_parallel_lists(targets: Sequence[Any], predictions: Sequence[Any]) -> None:
    """Raise an error for lists of different lengths, or a text instead of a list."""
    for name, texts in (("references", targets), ("predictions", predictions)):
        if isinstance(texts, str | bytes):
            raise ValueError(f"{name} is a single text; give a list of texts")
    if len(targets) != len(predictions):
        counts = f"references ({len(targets)}) and predictions ({len(predictions)})"
        raise ValueError(f"the numbers differ: {counts}")


def _require_texts(name: str, texts: Iterable[Any], row_number: int | None = None) -> None:
    """Raise an error for values that are not text, such as None or NaN."""
    for index, text in enumerate(texts):
        if not isinstance(text, str | bytes):
            row = index if row_number is None else row_number
            raise TypeError(f"{name} {row} (from 0) is {text!r}, not a text; use '' or remove it")


def _list_references(targets: Any, row_number: int) -> Sequence[str]:
    """Return the references of a prediction as a list."""
    if isinstance(targets, str | bytes):
        return (targets,)  # type: ignore[return-value]
    if not hasattr(targets, "__len__"):
        targets = [targets]
    if len(targets) == 0:
        raise ValueError("a prediction has no target")
    _require_texts("reference", targets, row_number)
    return targets  # type: ignore[no-any-return]


def _parse_type(name: str) -> tuple[Variant, bool]:
    """Parse a type: the variant, and whether it uses sentences."""
    if name in ("rougeL", "rougeLsum"):
        return Variant("l"), name == "rougeLsum"
    match = _NGRAM_TYPE_PATTERN.fullmatch(name)
    if match is None:
        raise ValueError(f"Invalid rouge type: {name}")
    return Variant("n", match[1]), False


def _to_lowercase(text: str | list[str]) -> Any:
    if isinstance(text, list):
        return list(map(_to_lowercase, text))
    return text if text.isascii() else text.lower()
