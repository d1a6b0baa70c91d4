"""Hugging Face's ``evaluate.load("rouge")``, under its names and with its numbers."""

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from pyramidion.compat.rouge_scorer import RougeScorer, require_fit
from pyramidion.compat.scoring import bootstrap_bounds

__all__ = ["compute"]

#: What is computed if no types are named.
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

    With the aggregator a type's number is the median of 1,000 bootstrap means, not the mean of the
    texts; precision and recall are not given.

    Parameters
    ----------
    predictions
        The texts to score.
    references
        For each prediction its reference, or a list of references, of which the one with the
        greatest F counts, type by type.
    rouge_types
        ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``; by default 1, 2, L and Lsum.
    use_aggregator
        Give one number a type; otherwise a list with one of each text.
    use_stemmer
        Stem words with NLTK's variant of Porter's stemmer.
    tokenizer
        A function from a text to its words; then nothing is stemmed.
    seed
        Seed of the bootstrap, as in ``evaluate.load("rouge", seed=seed)``, which without one gives
        other numbers each time it is loaded; None draws from NumPy's global generator.

    Examples
    --------
    >>> predictions, references = ["hello there", "general kenobi"], ["hello there", "kenobi"]
    >>> compute(predictions=predictions, references=references, use_aggregator=False)["rouge1"]
    [1.0, 0.6666666666666666]
    >>> round(compute(predictions=predictions, references=references)["rougeL"], 4)
    0.8333
    """
    require_fit(references, predictions)
    if not len(predictions):
        raise ValueError("there are no predictions to score")
    names = list(ROUGE_TYPES if rouge_types is None else rouge_types)
    word_splitter = SimpleNamespace(tokenize=tokenizer) if tokenizer else None
    scorer = RougeScorer(names, use_stemmer=use_stemmer, tokenizer=word_splitter)
    columns = dict(zip(names, scorer.columns(references, predictions), strict=True))
    if not use_aggregator:
        return {name: scored.f.tolist() for name, scored in columns.items()}
    legacy = np.random if seed is None else np.random.RandomState(seed)
    return {
        # Precision and recall take part in no draw of their own.
        name: bootstrap_bounds(scored.f[:, None], legacy, [0.5])[0, 0].item()
        for name, scored in columns.items()
    }
