"""Metrics computed by a model that the user provides, and its description in signatures."""

import copy
import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, SingleMetric
from pyramidion.questions import option

#: Suffixes of the files that a model's output depends on.
_WEIGHT_SUFFIXES = (".bin", ".gguf", ".json", ".onnx", ".pt", ".safetensors", ".txt")


@dataclass(frozen=True, slots=True)
class ModelMetric(Metric):
    """A metric computed by a model, named by its field `model` or an environment variable."""

    #: The environment variable that names a model if no option does.
    variable: ClassVar[str]
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "model"})

    model: str = option("", "folder of a model, or its name on the Hugging Face Hub")

    @property
    def requirements(self) -> frozenset[Need]:
        """The model, and documents or references."""
        side: Need = "documents" if getattr(self, "side", "") == "input" else "references"
        return frozenset({side, "model"})

    @property
    def model_path(self) -> str:
        """The folder or name of the model; empty if there is none."""
        return self.model or os.environ.get(self.variable, "")

    @property
    def signed(self) -> str:
        """The text of a signature, with the model's name, version, license and hash."""
        return f"{self}[{model_card(self.model_path)}]"

    def require_installed(self) -> None:
        """Raise an error if the packages or the model are missing."""
        Metric.require_installed(self)
        path = self.model_path
        if not path:
            hint = f"write {self._call()}(model=FOLDER), or set {self.variable}"
            raise InputError(f"{self} needs a model", hint)
        # A name on a hub has one slash at most.
        is_local = path.count("/") > 1 or path.startswith((".", "/", "~"))
        if is_local and not Path(path).exists():
            raise InputError(f"{self}: there is no {path}", hint="check the path")


@cache
def model_card(model: str) -> str:
    """Describe a model: its name, version, license, and a hash of its files."""
    path = Path(model)
    if not (model and path.exists()):
        return model
    config, readme = path / "config.json", path / "README.md"
    saved_config = json.loads(config.read_text(encoding="utf-8")) if config.is_file() else {}
    name = str(saved_config.get("_name_or_path") or path.name).rstrip("/").rpartition("/")[2]
    text = readme.read_text(encoding="utf-8", errors="replace") if readme.is_file() else ""
    match = re.search(r"^license:\s*(\S+)", text.partition("\n#")[0], re.MULTILINE)
    parts = (name, *_package(path.resolve()), match and match[1], f"sha256:{_hash(path)}")
    return " ".join(dict.fromkeys(filter(None, parts)))


def _package(path: Path) -> tuple[str, ...]:
    """Return the version and license of the package that a folder belongs to, if any."""
    site_indices = [index for index, part in enumerate(path.parts) if part == "site-packages"]
    if not site_indices or len(path.parts) <= site_indices[-1] + 1:
        return ()
    try:
        (name, *_) = packages_distributions()[path.parts[site_indices[-1] + 1]]
        package = distribution(name)
    except (KeyError, PackageNotFoundError):
        return ()
    metadata = package.metadata.json
    license = str(metadata.get("license_expression") or metadata.get("license") or "")
    return f"{name}-{package.version}", license if len(license) < 40 else ""


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        if file.is_file() and file.suffix in _WEIGHT_SUFFIXES:
            digest.update(file.name.encode())
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class TokenMatchMetric(ModelMetric):
    """A metric of matched tokens, whose statistics are precision, recall and F."""

    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = (
        "affected by length; does not distinguish a word from its opposite, or one name or "
        "number from another"
    )
    citation: ClassVar[str] = "Zhang et al. 2020"

    part: str = option("f", "precision, recall or F", choices=("p", "r", "f"))

    def score(self, statistics: Floats) -> Floats:
        """Select one of the three."""
        return statistics[..., "prf".index(self.part)]


@dataclass(frozen=True, slots=True)
class BertScore(TokenMatchMetric):
    """BERTScore, computed by the package bert-score; with several references, the best one counts.

    The model is loaded by transformers: ``bert-score-f(model=FOLDER,layer=9)``, or the environment
    variable ``PYRAMIDION_BERT_MODEL``. `Match` is similar and runs ONNX models without torch, but
    compares with all references together and skips special tokens.

    Source: Zhang, Kishore, Wu, Weinberger and Artzi (2020). BERTScore: evaluating text generation
    with BERT. ICLR.
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

    layer: int | None = option(None, "layer; required for models unknown to bert-score", min=0)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return precision, recall and F."""
        rows = cases.peers.tobytes(), cases.references.of.tobytes()
        key = ("bert_score", self.model_path, self.layer, *rows, *cases.references.key)
        return cases.texts.memo(key, lambda: self._compute(cases))

    def _compute(self, cases: ScoringBatch) -> Floats:
        rows = np.flatnonzero(cases.references.sizes).tolist()
        table = np.full((len(cases), 3), np.nan)
        if rows:
            text_of = cases.texts.plain
            summaries = [text_of(int(cases.peers[row])) for row in rows]
            references = [[*map(text_of, cases.references[row].tolist())] for row in rows]
            columns = _bert_scorer(self.model_path, self.layer).score(summaries, references)
            table[rows] = np.stack([column.numpy() for column in columns], axis=1)
        return table


@cache
def _bert_scorer(model: str, layer: int | None) -> Any:
    from bert_score import BERTScorer

    return BERTScorer(model_type=model, num_layers=layer)


@dataclass(frozen=True, slots=True)
class Bleurt(ModelMetric, SingleMetric):
    """The output of a model trained to rate a summary given a reference, such as BLEURT.

    Any transformers model for text pairs with one output works: ``bleurt(model=FOLDER)``, or the
    environment variable ``PYRAMIDION_BLEURT_MODEL``. The score is the mean over references.

    Source: Sellam, Das and Parikh (2020). BLEURT: learning robust metrics for text generation. ACL.
    """

    name: ClassVar[str] = "bleurt"
    title: ClassVar[str] = "BLEURT"
    summary: ClassVar[str] = "a trained model's rating of the summary, given a reference"
    bounds: ClassVar[str] = "any number"
    confuses: ClassVar[str] = "affected by biases of its training data"
    citation: ClassVar[str] = "Sellam et al. 2020"
    extra: ClassVar[str] = "lm"
    packages: ClassVar[tuple[str, ...]] = ("torch", "transformers")
    variable: ClassVar[str] = "PYRAMIDION_BLEURT_MODEL"
    is_slow: ClassVar[bool] = True

    tokens: int = option(512, "maximum number of tokens of both texts", min=8)

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Average the model's output over references."""
        import torch

        tokenizer, network = _load_transformer(
            self.model_path, "AutoModelForSequenceClassification"
        )
        tokenizer_options = {"return_tensors": "pt", "truncation": True, "max_length": self.tokens}
        with torch.inference_mode():
            outputs = [
                network(**tokenizer(reference, summary, **tokenizer_options)).logits
                for reference in sides[0]
            ]
        if outputs[0].numel() != 1:
            message = f"{self.model_path} outputs {outputs[0].numel()} numbers per pair of texts"
            raise InputError(message, hint="use a model with a single output")
        return float(np.mean([float(output) for output in outputs]))


@dataclass(frozen=True, slots=True)
class SpacySimilarity(ModelMetric, SingleMetric):
    """The cosine of the mean word vectors of summary and reference, by spaCy.

    Needs a pipeline with word vectors: ``spacy-similarity(model=en_core_web_md)``, a folder, or the
    environment variable ``PYRAMIDION_SPACY_MODEL``. The score is the mean over references. Means of
    many words are all alike: expect values near 1.

    Source: Honnibal, Montani, Van Landeghem and Boyd (2020). spaCy: industrial-strength natural
    language processing in Python.
    """

    name: ClassVar[str] = "spacy-similarity"
    title: ClassVar[str] = "similarity by spaCy"
    summary: ClassVar[str] = "cosine of the mean word vectors of summary and references"
    bounds: ClassVar[str] = "up to 1"
    confuses: ClassVar[str] = "affected by length; does not distinguish texts on one subject"
    citation: ClassVar[str] = "Honnibal et al. 2020"
    extra: ClassVar[str] = "nlp"
    packages: ClassVar[tuple[str, ...]] = ("spacy",)
    variable: ClassVar[str] = "PYRAMIDION_SPACY_MODEL"

    model: str = option("", "a spaCy pipeline with word vectors, or its folder")

    def require_installed(self) -> None:
        """Raise an error if the pipeline cannot be loaded."""
        ModelMetric.require_installed(self)
        _load_vectorizer(self.model_path)

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Average the cosines with the references; 0 for a text without vectors."""
        vector = _load_vectorizer(self.model_path)
        peer, cosines = vector(summary), []
        for other_text in map(vector, sides[0]):
            norms = float(np.linalg.norm(peer) * np.linalg.norm(other_text))
            cosines.append(float(peer @ other_text) / norms if norms else 0.0)
        return float(np.mean(cosines))


@cache
def _load_vectorizer(model: str) -> Any:
    """Load a pipeline once; return a cached function from a text to its vector."""
    import spacy

    try:
        nlp = spacy.load(model)
    except OSError:
        hint = "run: python -m spacy download en_core_web_md"
        raise InputError(f"spaCy has no pipeline {model!r}", hint) from None
    if not nlp.vocab.vectors_length:
        hint = "use one that has them, such as en_core_web_md"
        raise InputError(f"{model} has no word vectors", hint)
    return cache(lambda text: np.asarray(nlp.make_doc(text).vector, dtype=np.float64))


_SIDE_NAMES = ("input", "references")


@dataclass(frozen=True, slots=True)
class _Likelihood(ModelMetric, SingleMetric):
    """Mean log-likelihood of one text's tokens, given another text."""

    bounds: ClassVar[str] = "up to 0"
    confuses: ClassVar[str] = "affected by copying and length; favors texts like the model's own"
    citation: ClassVar[str] = "Yuan et al. 2021"
    needs: ClassVar[frozenset[Need]] = frozenset({"model"})
    extra: ClassVar[str] = "lm"
    packages: ClassVar[tuple[str, ...]] = ("torch", "transformers")
    named: ClassVar[tuple[str, ...]] = ("side",)
    is_slow: ClassVar[bool] = True
    #: Options that scores depend on, always written even if they have their defaults.
    written: ClassVar[tuple[str, ...]] = ("tokens",)

    side: str = option("input", "the context", choices=_SIDE_NAMES)
    tokens: int = option(1024, "maximum number of tokens of the context", min=1)
    of: str = option("summary", "which text is predicted", choices=("summary", "other"))

    def _options(self, always_shown: Collection[str]) -> Iterator[str]:
        yield from ModelMetric._options(self, {*always_shown, *self.written})

    def order(self, cases: ScoringBatch) -> Sequence[int]:
        """Group summaries of the same texts, so that these are read once."""
        sets = cases.documents if self.side == "input" else cases.references
        return [int(row) for row in np.argsort(sets.of, kind="stable")]

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Average over references; join documents."""
        texts = ["\n\n".join(sides[0])] if self.side == "input" else sides[0]
        pairs = [(other_text, summary) for other_text in texts]
        if self.of == "other":
            pairs = [(summary, other_text) for other_text in texts]
        return float(np.mean([self.log_likelihood(*pair) for pair in pairs]))

    def log_likelihood(self, context: str, text: str) -> float:
        """Return the mean log-likelihood of a text's tokens."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class LanguageModel(_Likelihood):
    """The mean log-likelihood of a summary's tokens under a causal language model.

    ``lm-input`` gives the model the documents, then the prompt; ``lm-references`` does so with each
    reference and averages. ``of=other`` swaps the roles: how likely the documents or references are
    after the summary. Needs a transformers model: ``lm-input(model=FOLDER)``, or the environment
    variable ``PYRAMIDION_LM_MODEL``. With ``-o``, `score` saves each score as soon as it is
    computed.

    Scores are high for copied text, and for any text that reads like the model's own.

    Source: Yuan, Neubig and Liu (2021). BARTScore: evaluating generated text as text generation.
    NeurIPS.
    """

    name: ClassVar[str] = "lm"
    title: ClassVar[str] = "likelihood under a language model"
    summary: ClassVar[str] = "likelihood of the summary after other texts, by a causal model"
    variable: ClassVar[str] = "PYRAMIDION_LM_MODEL"
    members: ClassVar[tuple[str, ...]] = tuple(f"lm-{side}" for side in _SIDE_NAMES)
    written: ClassVar[tuple[str, ...]] = ("tokens", "prompt")

    prompt: str = option("Summary:", "text between the context and the predicted text", loads=False)

    def log_likelihood(self, context: str, text: str) -> float:
        """Return the mean log-likelihood of a text's tokens."""
        prompt = f"\n\n{self.prompt}"
        return _load_causal(self.model_path).log_likelihood(context, prompt, text, self.tokens)


class BartScore(_Likelihood):
    """BARTScore: the mean log-likelihood of a summary under an encoder-decoder such as BART or T5.

    ``bart-score-input`` is the likelihood of the summary given the documents (faithfulness),
    ``bart-score-references`` given each reference (precision); ``of=other`` swaps the roles
    (recall). Any encoder-decoder of transformers works: ``bart-score-input(model=FOLDER)``, or the
    environment variable ``PYRAMIDION_BART_MODEL``.

    Source: Yuan, Neubig and Liu (2021). BARTScore: evaluating generated text as text generation.
    NeurIPS.
    """

    name: ClassVar[str] = "bart-score"
    title: ClassVar[str] = "BARTScore"
    summary: ClassVar[str] = "likelihood of the summary given other texts, by an encoder-decoder"
    variable: ClassVar[str] = "PYRAMIDION_BART_MODEL"
    members: ClassVar[tuple[str, ...]] = tuple(f"bart-score-{side}" for side in _SIDE_NAMES)

    def log_likelihood(self, context: str, text: str) -> float:
        """Return the mean log-likelihood of a text's tokens, its end included."""
        import torch

        tokenizer, network = _load_transformer(self.model_path, "AutoModelForSeq2SeqLM")
        tokenizer_options = {"return_tensors": "pt", "truncation": True, "max_length": self.tokens}
        with torch.inference_mode():
            labels = tokenizer(text_target=text, **tokenizer_options).input_ids
            return -float(network(**tokenizer(context, **tokenizer_options), labels=labels).loss)


@cache
def _load_transformer(model: str, class_name: str) -> tuple[Any, Any]:
    """Load a tokenizer and a model of transformers once."""
    import transformers

    loaders = transformers.AutoTokenizer, getattr(transformers, class_name)
    # Never run a model's Python files, and do not ask.
    tokenizer, network = (
        loader.from_pretrained(model, trust_remote_code=False) for loader in loaders
    )
    return tokenizer, network.eval()


class _Causal:
    """A causal model that caches its last context, since many summaries follow one text."""

    def __init__(self, model: str) -> None:
        self._tokenizer, self._network = _load_transformer(model, "AutoModelForCausalLM")
        self._max_tokens = int(getattr(self._network.config, "max_position_embeddings", 0) or 2**20)
        self._context_state: tuple[list[int], Any] = ([], None)

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)

    def log_likelihood(self, context: str, prompt: str, text: str, max_tokens: int) -> float:
        """Return the mean log-likelihood of a text's tokens after a context and a prompt."""
        import torch

        target_ids = self._ids(f" {text.strip()}")
        if not target_ids:
            return float("nan")
        start_token = self._tokenizer.bos_token_id
        prompt_ids = self._ids(prompt)
        max_context = self._max_tokens - len(target_ids) - len(prompt_ids) - 1
        if max_context < 1:
            raise InputError(
                f"a text of {len(target_ids)} tokens does not fit the model's {self._max_tokens}",
                hint="use a model with a longer context",
            )
        cut_context_ids = self._ids(context)[: min(max_tokens, max_context)]
        context_ids = [
            *([] if start_token is None else [start_token]),
            *cut_context_ids,
            *prompt_ids,
        ]
        with torch.inference_mode():
            if self._context_state[0] != context_ids:
                output = self._network(torch.tensor([context_ids]), use_cache=True)
                self._context_state = context_ids, (output.logits[:, -1], output.past_key_values)
            logits, past_keys = self._context_state[1]
            if len(target_ids) > 1:
                tokens_before = torch.tensor([target_ids[:-1]])
                output = self._network(tokens_before, past_key_values=copy.deepcopy(past_keys))
                logits = torch.cat([logits, output.logits[0]])
            log_probabilities = torch.log_softmax(logits.float(), dim=-1)
            return float(
                log_probabilities[torch.arange(len(target_ids)), torch.tensor(target_ids)].mean()
            )


_load_causal = cache(_Causal)
