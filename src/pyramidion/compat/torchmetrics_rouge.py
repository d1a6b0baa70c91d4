"""``rouge_score`` and ``ROUGEScore`` of torchmetrics, with its names and numbers."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np

from pyramidion.compat.evaluate_rouge import ROUGE_TYPES
from pyramidion.compat.rouge_scorer import RougeScorer, require_parallel_lists
from pyramidion.text import split_sentences
from pyramidion.text.tokens import lexicon

__all__ = ["ROUGEScore", "rouge_score"]

_PARTS = ("recall", "precision", "fmeasure")


class ROUGEScore:
    """ROUGE as torchmetrics computes it, over batches.

    Parameters
    ----------
    use_stemmer
        Stem words of more than three letters with NLTK's variant of Porter's stemmer.
    normalizer
        A function that replaces lowercasing and the removal of all but ``a-z0-9``.
    tokenizer
        A function that replaces splitting at blanks.
    accumulate
        ``best`` uses the reference with the greatest F for each key; ``avg`` averages.
    rouge_keys
        ``rouge1`` to ``rouge9``, ``rougeL`` and ``rougeLsum``.
    sentences
        A function from a text to its sentences, for ``rougeLsum``; torchmetrics uses
        ``nltk.sent_tokenize``.

    Examples
    --------
    >>> metric = ROUGEScore(rouge_keys="rouge1")
    >>> metric.update("My name is John", ["Is your name John", "John it is"])
    >>> round(metric.compute()["rouge1_fmeasure"], 4)
    0.75
    """

    def __init__(
        self,
        use_stemmer: bool = False,
        normalizer: Callable[[str], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        accumulate: Literal["best", "avg"] = "best",
        rouge_keys: str | Sequence[str] = ROUGE_TYPES,
        sentences: Callable[[str], Iterable[str]] = split_sentences,
    ) -> None:
        if accumulate not in ("best", "avg"):
            raise ValueError(f"accumulate is {accumulate!r}, not best or avg")
        self.rouge_keys = (rouge_keys,) if isinstance(rouge_keys, str) else tuple(rouge_keys)
        self.accumulate = accumulate
        words = (
            _FunctionTokenizer(use_stemmer, normalizer, tokenizer)
            if normalizer or tokenizer
            else None
        )
        self._scorer = RougeScorer(self.rouge_keys, use_stemmer, sentences, words)
        self.reset()

    def update(
        self, preds: str | Sequence[str], target: str | Sequence[str] | Sequence[Sequence[str]]
    ) -> None:
        """Add texts.

        Parameters
        ----------
        preds
            A text, or a list of texts.
        target
            One reference, or a list of references, for each text.
        """
        if isinstance(preds, str):
            preds, target = [preds], [target]  # type: ignore[list-item]
        elif isinstance(target, str):
            target = [target]
        require_parallel_lists(target, preds)
        # torchmetrics breaks ties in single precision.
        columns = self._scorer.columns(
            target, preds, mean=self.accumulate == "avg", in_single_precision=True
        )
        for key, score_columns in zip(self.rouge_keys, columns, strict=True):
            self._values[key].append(np.stack(score_columns, axis=1))

    def compute(self) -> dict[str, float]:
        """Return the mean of each key's precision, recall and F over all texts added."""
        scores: dict[str, float] = {}
        for key, blocks in self._values.items():
            means = np.concatenate(blocks).mean(axis=0) if blocks else np.zeros(3)
            means_by_part = dict(zip(_PARTS, means.tolist(), strict=True))
            scores |= {f"{key}_{part}": means_by_part[part] for part in sorted(_PARTS)}
        return scores

    def reset(self) -> None:
        """Remove all texts."""
        self._values: dict[str, list[Any]] = {key: [] for key in self.rouge_keys}

    def __call__(self, preds: Any, target: Any) -> dict[str, float]:
        """Add texts, and return the scores of these only."""
        old_values = self._values
        self.reset()
        self.update(preds, target)
        scores, new_values = self.compute(), self._values
        self._values = {key: old_values[key] + new_values[key] for key in old_values}
        return scores


def rouge_score(
    preds: str | Sequence[str],
    target: str | Sequence[str] | Sequence[Sequence[str]],
    accumulate: Literal["best", "avg"] = "best",
    use_stemmer: bool = False,
    normalizer: Callable[[str], str] | None = None,
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    rouge_keys: str | Sequence[str] = ROUGE_TYPES,
    sentences: Callable[[str], Iterable[str]] = split_sentences,
) -> dict[str, float]:
    """Compute ROUGE as torchmetrics' function does.

    Parameters
    ----------
    preds, target
        See `ROUGEScore.update`.
    accumulate, use_stemmer, normalizer, tokenizer, rouge_keys, sentences
        See `ROUGEScore`.

    Examples
    --------
    >>> scores = rouge_score(["rain fell"], [["rain fell today", "snow"]], accumulate="avg")
    >>> sorted(scores)[:3], scores["rouge1_recall"]
    (['rouge1_fmeasure', 'rouge1_precision', 'rouge1_recall'], 0.3333333333333333)
    """
    metric = ROUGEScore(use_stemmer, normalizer, tokenizer, accumulate, rouge_keys, sentences)
    metric.update(preds, target)
    return metric.compute()


class _FunctionTokenizer:
    """A tokenizer from the user's functions."""

    def __init__(
        self,
        stem: bool,
        normalizer: Callable[[str], str] | None,
        tokenizer: Callable[[str], Sequence[str]] | None,
    ) -> None:
        self._normalize = normalizer or (lambda text: re.sub("[^a-z0-9]+", " ", text.lower()))
        self._split = tokenizer or str.split
        self._stem = lexicon(nltk=True).stem if stem else None

    def tokenize(self, text: str) -> list[str]:
        words = [word for word in self._split(self._normalize(text)) if word]
        if self._stem is None:
            return words
        return [self._stem(word.lower()) if len(word) > 3 else word for word in words]
