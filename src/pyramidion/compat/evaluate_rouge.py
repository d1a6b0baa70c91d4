"""Hugging Face's ``evaluate.load("rouge")``, with its names and numbers."""

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from pyramidion.compat.rouge_scorer import RougeScorer, require_parallel_lists
from pyramidion.compat.scoring import bootstrap_bounds

__all__ = ["compute"]

#: The types of ROUGE that are computed by default.
ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def compute(
    *,
    predictions: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Callable[[str], Iterable[Any]] | None = None,
    seed: int | None = 0,
) -> dict[str, Any]:
    """Compute ROUGE as evaluate does: F of each type.

    With the aggregator, it is the median of 1,000 bootstrap means, not the mean over texts.

    Parameters
    ----------
    predictions
        The texts to score.
    references
        One reference for each prediction, or a list, of which the one with the greatest F counts.
    rouge_types
        ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``; by default 1, 2, L and Lsum.
    use_aggregator
        Return one number per type instead of a list with one per text.
    use_stemmer
        Stem words with NLTK's variant of Porter's stemmer.
    tokenizer
        A function from a text to its words, which are not stemmed.
    seed
        Seed of the bootstrap, as in ``evaluate.load("rouge", seed=seed)``; None uses NumPy's global
        generator.

    Examples
    --------
    >>> predictions, references = ["hello there", "general kenobi"], ["hello there", "kenobi"]
    >>> compute(predictions=predictions, references=references, use_aggregator=False)["rouge1"]
    [1.0, 0.6666666666666666]
    >>> round(compute(predictions=predictions, references=references)["rougeL"], 4)
    0.8333
    """
    require_parallel_lists(references, predictions)
    if not len(predictions):
        raise ValueError("there are no predictions to score")
    names = list(ROUGE_TYPES if rouge_types is None else rouge_types)
    word_splitter = SimpleNamespace(tokenize=tokenizer) if tokenizer else None
    scorer = RougeScorer(names, use_stemmer=use_stemmer, tokenizer=word_splitter)
    columns = dict(zip(names, scorer.columns(references, predictions), strict=True))
    if not use_aggregator:
        return {name: scores.f.tolist() for name, scores in columns.items()}
    legacy_generator = np.random if seed is None else np.random.RandomState(seed)
    return {
        # Precision and recall need no separate draws.
        name: bootstrap_bounds(scores.f[:, None], legacy_generator, [0.5])[0, 0].item()
        for name, scores in columns.items()
    }
