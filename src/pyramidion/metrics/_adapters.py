"""Metrics that other packages or people's own models compute."""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._options import option
from pyramidion.errors import InputError
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._likelihood import loaded
from pyramidion.metrics._metric import Need, SingleMetric
from pyramidion.metrics._models import ModelMetric, TokenMatchMetric


@dataclass(frozen=True, slots=True)
class BertScore(TokenMatchMetric):
    """BERTScore by the package bert-score; of several references the best one counts.

    The model is one that transformers load: ``bert-score-f(model=FOLDER,layer=9)``, or the
    environment variable ``PYRAMIDION_BERT_MODEL``. `Match` does nearly the same with models in
    ONNX, without torch: it takes all references together, and no token matches one that was added.

    References
    ----------
    Zhang, Kishore, Wu, Weinberger and Artzi (2020). BERTScore: evaluating text generation with
    BERT. ICLR.

    Examples
    --------
    >>> str(BertScore.parse("bert-score-r(layer=9)"))
    'bert-score-r(layer=9)'
    """

    name: ClassVar[str] = "bert-score"
    title: ClassVar[str] = "BERTScore"
    summary: ClassVar[str] = "tokens matched with those of the best reference, by bert-score"
    bounds: ClassVar[str] = "up to 1"
    extra: ClassVar[str] = "bert-score"
    packages: ClassVar[tuple[str, ...]] = ("bert_score",)
    variable: ClassVar[str] = "PYRAMIDION_BERT_MODEL"
    members: ClassVar[tuple[str, ...]] = tuple(f"bert-score-{part}" for part in "prf")
    named: ClassVar[tuple[str, ...]] = ("part",)

    layer: int | None = option(None, "the layer; needed for models bert-score does not know", min=0)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return precision, recall and F."""
        rows = cases.peers.tobytes(), cases.references.of.tobytes()
        key = ("bert_score", self.model_path, self.layer, *rows, *cases.references.key)
        return cases.texts.memo(key, lambda: self._computed(cases))

    def _computed(self, cases: ScoringBatch) -> Floats:
        places = np.flatnonzero(cases.references.sizes).tolist()
        table = np.full((len(cases), 3), np.nan)
        if len(places):
            plain = cases.texts.plain
            summaries = [plain(int(cases.peers[place])) for place in places]
            others = [[*map(plain, cases.references[place].tolist())] for place in places]
            found = _bert_scorer(self.model_path, self.layer).score(summaries, others)
            table[places] = np.stack([column.numpy() for column in found], axis=1)
        return table


@cache
def _bert_scorer(model: str, layer: int | None) -> Any:
    from bert_score import BERTScorer

    return BERTScorer(model_type=model, num_layers=layer)


@dataclass(frozen=True, slots=True)
class Bleurt(ModelMetric, SingleMetric):
    """A number that a trained model gives a reference and a summary, as BLEURT does.

    Any model of transformers for pairs of texts with one output will do; the mean over references
    is taken: ``bleurt(model=FOLDER)``, or the environment variable ``PYRAMIDION_BLEURT_MODEL``.

    References
    ----------
    Sellam, Das and Parikh (2020). BLEURT: learning robust metrics for text generation. ACL.

    Examples
    --------
    >>> str(Bleurt(tokens=128))
    'bleurt(tokens=128)'
    """

    name: ClassVar[str] = "bleurt"
    title: ClassVar[str] = "BLEURT"
    summary: ClassVar[str] = "what a trained model says of a reference and the summary"
    bounds: ClassVar[str] = "any number"
    confuses: ClassVar[str] = "whatever its training data did"
    citation: ClassVar[str] = "Sellam et al. 2020"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "model"})
    extra: ClassVar[str] = "lm"
    packages: ClassVar[tuple[str, ...]] = ("torch", "transformers")
    variable: ClassVar[str] = "PYRAMIDION_BLEURT_MODEL"

    tokens: int = option(512, "tokens of both texts that are read", min=8)

    @property
    def is_slow(self) -> bool:
        """Whether each score is worth keeping as soon as it is there."""
        return True

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Ask the model about each reference."""
        import torch

        tokenizer, network = loaded(self.model_path, "AutoModelForSequenceClassification")
        cut = {"return_tensors": "pt", "truncation": True, "max_length": self.tokens}
        with torch.inference_mode():
            found = [network(**tokenizer(one, summary, **cut)).logits for one in sides[0]]
        if found[0].numel() != 1:
            what = f"{self.model_path} gives {found[0].numel()} numbers for a pair of texts"
            raise InputError(what, hint="take a model that was trained to give one")
        return float(np.mean([float(own) for own in found]))


@dataclass(frozen=True, slots=True)
class SpacySimilarity(ModelMetric, SingleMetric):
    """The cosine of the mean word vectors of summary and reference, by spaCy.

    Needs a pipeline with word vectors: ``spacy-similarity(model=en_core_web_md)``, a folder, or the
    environment variable ``PYRAMIDION_SPACY_MODEL``. The mean over references is taken. Means of
    many words are all alike: expect values near 1.

    References
    ----------
    Honnibal, Montani, Van Landeghem and Boyd (2020). spaCy: industrial-strength natural language
    processing in Python.

    Examples
    --------
    >>> str(SpacySimilarity(model="en_core_web_md"))
    'spacy-similarity(model=en_core_web_md)'
    """

    name: ClassVar[str] = "spacy-similarity"
    title: ClassVar[str] = "similarity by spaCy"
    summary: ClassVar[str] = "cosine of the mean word vectors of summary and references"
    bounds: ClassVar[str] = "up to 1"
    confuses: ClassVar[str] = "length; all texts on one subject"
    citation: ClassVar[str] = "Honnibal et al. 2020"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "model"})
    extra: ClassVar[str] = "nlp"
    packages: ClassVar[tuple[str, ...]] = ("spacy",)
    variable: ClassVar[str] = "PYRAMIDION_SPACY_MODEL"

    model: str = option("", "a pipeline of spaCy with word vectors, or its folder")

    def require_installed(self) -> None:
        """Refuse to begin without the pipeline."""
        ModelMetric.require_installed(self)
        _pipeline(self.model_path)

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Ask spaCy."""
        vector = _pipeline(self.model_path)
        own = vector(summary)
        return float(np.mean([_cosine(own, vector(other)) for other in sides[0]]))


def _cosine(own: Floats, other: Floats) -> float:
    norms = float(np.linalg.norm(own) * np.linalg.norm(other))
    return float(own @ other) / norms if norms else 0.0


@cache
def _pipeline(model: str) -> Any:
    """Load a pipeline once, and keep the vectors of texts."""
    import spacy

    try:
        nlp = spacy.load(model)
    except OSError:
        hint = "run: python -m spacy download en_core_web_md"
        raise InputError(f"spaCy has no pipeline {model!r}", hint) from None
    if not nlp.vocab.vectors_length:
        hint = "take one that has, as en_core_web_md"
        raise InputError(f"{model} has no word vectors", hint)
    return cache(lambda text: np.asarray(nlp.make_doc(text).vector, dtype=np.float64))
