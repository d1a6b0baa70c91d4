"""Tokens matched with the most similar ones of other texts, by the vectors of a local model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch, Texts
from pyramidion.metrics._encoders import TokenEncoder, load_encoder, require_encoder
from pyramidion.metrics._metric import share
from pyramidion.metrics._models import TokenMatchMetric

#: Summaries that are matched before vectors which nobody needs any more are forgotten.
_AT_ONCE = 256

#: Matched tokens of a summary and all of them, then the same of the other text.
Sums = tuple[float, int, float, int]

#: A summary's text, and the texts whose tokens it is matched with, together.
Pair = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Match(TokenMatchMetric):
    r"""Share of tokens that have a counterpart in references or documents, by their vectors.

    Each token has a vector that depends on its context. A token is matched where its cosine with a
    token of the other text is at least `min_cosine`. Precision is the share of the summary's tokens
    that are matched; recall that of the other text's, of all references together as in ROUGE; F
    their harmonic mean. ``match-input-p`` matches with the tokens of all documents. With
    ``min_cosine=0`` the greatest cosines are averaged instead, as BERTScore does.

    The model is a folder with an ONNX file and ``tokenizer.json``, or one that transformers load,
    such as those of sentence-transformers, or a name on the hub, from which they fetch it:
    ``match-references-r(model=FOLDER)``, or the environment variable ``PYRAMIDION_EMBED_MODEL``.
    Vectors are those of the last layer; texts are cut into windows, and tokens that a model adds
    to them are not matched. The default of `min_cosine` was chosen for MiniLM; cosines of other
    models may be higher throughout.

    References
    ----------
    Zhang, Kishore, Wu, Weinberger and Artzi (2020). BERTScore: evaluating text generation with
    BERT. ICLR.

    Examples
    --------
    >>> str(Match.read("match-input-p"))
    "{'side': 'input', 'part': 'p'}"
    """

    name: ClassVar[str] = "match"
    title: ClassVar[str] = "matched tokens"
    summary: ClassVar[str] = "share of tokens with a counterpart in other texts, by a model"
    extra: ClassVar[str] = "embed"
    variable: ClassVar[str] = "PYRAMIDION_EMBED_MODEL"
    members: ClassVar[tuple[str, ...]] = tuple(
        f"match-{side}-{part}" for side in ("references", "input") for part in "prf"
    )
    named: ClassVar[tuple[str, ...]] = ("side", "part")

    side: str = option("references", "what it is matched with", choices=("references", "input"))
    vocabulary: str = option("", "folder with tokenizer.json, if the model's has none")
    window: int = option(256, "tokens that are read together", min=8)
    min_cosine: float = option(
        0.78, "cosine of tokens that match; 0 averages cosines instead", min=0, max=1
    )

    def require_installed(self) -> None:
        """Refuse to begin without the model, or the packages for it."""
        TokenMatchMetric.require_installed(self)
        require_encoder(str(self), self.model_path)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return precision, recall and F of what is matched, all references together."""
        sets = cases.documents if self.side == "input" else cases.references
        if self.side == "input":
            others = [tuple(sets[place].tolist()) for place in range(len(cases))]
            sums = self._matched(cases, list(zip(cases.peers.tolist(), others, strict=True)))
        else:
            rows, references = cases.pairs
            peers = cases.peers[rows].tolist()
            pairs = [(peer, (own,)) for peer, own in zip(peers, references.tolist(), strict=True)]
            columns = self._matched(cases, pairs).T
            sums = np.stack([cases.sum_over_references(own) for own in columns], axis=1)
        found = shares(sums)
        found[sets.sizes == 0] = np.nan
        return found

    def _matched(self, cases: ScoringBatch, pairs: Sequence[Pair]) -> Floats:
        """Match pairs of texts, once for all parts and folds."""
        key = ("matched", self.model_path, self.vocabulary, self.window, self.min_cosine)
        known: dict[Pair, Sums] = cases.texts.memo(key, dict)
        fresh = sorted({pair for pair in pairs if pair not in known}, key=lambda pair: pair[::-1])
        if fresh:
            encoder = load_encoder(self.model_path, self.vocabulary, cases.threads)
            known.update(_all_matched(encoder, self.window, self.min_cosine, cases.texts, fresh))
        return np.array([known[pair] for pair in pairs], dtype=np.float64).reshape(-1, 4)


def _all_matched(
    encoder: TokenEncoder, window: int, least: float, texts: Texts, pairs: Sequence[Pair]
) -> Iterable[tuple[Pair, Sums]]:
    """Match pairs; each text is encoded once, and forgotten behind its last pair."""
    last = {text: place for place, (peer, others) in enumerate(pairs) for text in (peer, *others)}
    vectors: dict[int, Floats] = {}
    for start in range(0, len(pairs), _AT_ONCE):
        part = pairs[start : start + _AT_ONCE]
        wanted = dict.fromkeys(text for peer, others in part for text in (peer, *others))
        fresh = [text for text in wanted if text not in vectors]
        plain = [texts.plain(text) for text in fresh]
        vectors |= dict(zip(fresh, encoder.encode(plain, window=window), strict=True))
        for others, own in groupby(part, key=lambda pair: pair[1]):
            other = [vectors[text] for text in others if len(vectors[text])]
            joined = np.concatenate(other) if other else None
            yield from ((pair, matched(vectors[pair[0]], joined, least)) for pair in own)
        vectors = {text: own for text, own in vectors.items() if last[text] >= start + _AT_ONCE}


def matched(own: Floats, other: Floats | None, least: float) -> Sums:
    """Count the matched tokens of two texts, and all of them; or add up their cosines."""
    if other is None or not len(own):
        return 0.0, len(own), 0.0, 0 if other is None else len(other)
    cosines = own @ other.T
    best = [cosines.max(axis=1), cosines.max(axis=0)]
    if least > 0:
        best = [values >= least for values in best]
    return float(best[0].sum()), len(own), float(best[1].sum()), len(other)


def shares(sums: Floats) -> Floats:
    """Turn counts of matched and all tokens into precision, recall and F; 0 without tokens."""
    precision, recall = (np.nan_to_num(share(sums[:, k], sums[:, k + 1])) for k in (0, 2))
    both = np.where(precision + recall > 0, precision + recall, 1.0)
    return np.stack([precision, recall, 2 * precision * recall / both], axis=1)
