"""Tokens matched with the most similar ones of other texts, by the vectors of a local model."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch, Texts
from pyramidion.metrics._encoders import TokenEncoder, load_encoder, require_encoder
from pyramidion.metrics._metric import Need
from pyramidion.metrics._models import ModelMetric, model_option

#: Summaries that are matched before vectors which nobody needs any more are forgotten.
_AT_ONCE = 256

#: A summary's text, and the texts whose tokens it is matched with, together.
Pair = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Match(ModelMetric):
    r"""Tokens matched with the most similar ones of references or documents, as BERTScore does.

    Each token has a vector that depends on its context. Precision is the mean, over the
    summary's tokens, of the greatest cosine with a token of the other text; recall the same over
    the other text's tokens; F their harmonic mean. ``match-references-r`` is the mean over
    references, ``match-input-p`` matches with the tokens of all documents.

    The model is a folder with an ONNX file and ``tokenizer.json``, or one that transformers load,
    such as those of sentence-transformers, or a name on the hub, from which they fetch it:
    ``match-references-r(model=FOLDER)``, or the environment variable ``PYRAMIDION_EMBED_MODEL``.
    Vectors are those of the last layer; texts are cut into windows, and tokens that a model adds
    to them are not matched.

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
    summary: ClassVar[str] = "how well tokens match the most similar ones of other texts"
    bounds: ClassVar[str] = "up to 1"
    confuses: ClassVar[str] = "length; a word and its opposite, names, numbers"
    citation: ClassVar[str] = "Zhang et al. 2020"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "model"})
    extra: ClassVar[str] = "embed"
    variable: ClassVar[str] = "PYRAMIDION_EMBED_MODEL"
    members: ClassVar[tuple[str, ...]] = tuple(
        f"match-{side}-{part}" for side in ("references", "input") for part in "prf"
    )

    side: str = option("references", "what it is matched with", choices=("references", "input"))
    part: str = option("f", "precision, recall or F", choices=("p", "r", "f"))
    model: str = model_option()
    vocabulary: str = option("", "folder with tokenizer.json, if the model's has none")
    window: int = option(256, "tokens that are read together", least=8)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read which side and which part."""
        found = re.fullmatch(r"match-(references|input)-([prf])", name)
        return {"side": found[1], "part": found[2]} if found else None

    def _call(self) -> str:
        return f"match-{self.side}-{self.part}"

    @property
    def requirements(self) -> frozenset[Need]:
        """What this very metric needs."""
        return frozenset({"documents" if self.side == "input" else "references", "model"})

    def require_installed(self) -> None:
        """Refuse to begin without the model, or the packages for it."""
        ModelMetric.require_installed(self)
        require_encoder(str(self), self.model_path)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Give precision, recall and F, averaged over references."""
        if self.side == "input":
            sets = cases.documents
            pairs = [
                (peer, tuple(sets[place].tolist()))
                for place, peer in enumerate(cases.peers.tolist())
            ]
            scores = self._matched(cases, pairs)
            scores[sets.sizes == 0] = np.nan
            return scores
        rows, references = cases.pairs
        pairs = [
            (peer, (other,))
            for peer, other in zip(cases.peers[rows].tolist(), references.tolist(), strict=True)
        ]
        columns = self._matched(cases, pairs).T
        return np.stack([cases.mean_over_references(column) for column in columns], axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Choose one of the three."""
        return statistics[..., "prf".index(self.part)]

    def _matched(self, cases: ScoringBatch, pairs: Sequence[Pair]) -> Floats:
        """Match pairs of texts, once for all parts and folds."""
        key = ("matched", self.model_path, self.vocabulary, self.window)
        known: dict[Pair, tuple[float, float, float]] = cases.texts.memo(key, dict)
        fresh = sorted({pair for pair in pairs if pair not in known}, key=lambda pair: pair[::-1])
        if fresh:
            encoder = load_encoder(self.model_path, self.vocabulary, cases.threads)
            known.update(_all_matched(encoder, self.window, cases.texts, fresh))
        return np.array([known[pair] for pair in pairs], dtype=np.float64).reshape(-1, 3)


def _all_matched(
    encoder: TokenEncoder, window: int, texts: Texts, pairs: Sequence[Pair]
) -> Iterable[tuple[Pair, tuple[float, float, float]]]:
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
            yield from ((pair, matched(vectors[pair[0]], joined)) for pair in own)
        vectors = {text: own for text, own in vectors.items() if last[text] >= start + _AT_ONCE}


def matched(own: Floats, other: Floats | None) -> tuple[float, float, float]:
    """Give precision, recall and F of two texts; 0 where either has no token."""
    if other is None or not len(own):
        return 0.0, 0.0, 0.0
    cosines = own @ other.T
    precision, recall = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both > 0 else 0.0
