"""How likely a language model finds a summary, given its documents or references."""

import copy
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from pyramidion.collection._options import option
from pyramidion.errors import InputError
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Need, SingleMetric
from pyramidion.metrics._models import ModelMetric

_SIDES = ("input", "references")


@dataclass(frozen=True, slots=True)
class _Likelihood(ModelMetric, SingleMetric):
    """Mean log-likelihood of the tokens of one text, given another one."""

    bounds: ClassVar[str] = "up to 0"
    extra: ClassVar[str] = "lm"
    packages: ClassVar[tuple[str, ...]] = ("torch", "transformers")
    named: ClassVar[tuple[str, ...]] = ("side",)

    side: str = option("input", "what is given", choices=_SIDES)
    tokens: int = option(1024, "tokens of the given text that are read", min=1)
    of: str = option("summary", "which text is predicted", choices=("summary", "other"))

    def _options(self, always: Collection[str]) -> Iterator[str]:
        # How texts are cut and asked decides the number: it is always said.
        yield from ModelMetric._options(self, {*always, *self._said})

    @property
    def _said(self) -> tuple[str, ...]:
        return ("tokens",)

    @property
    def is_slow(self) -> bool:
        """Whether each score is worth keeping as soon as it is there."""
        return True

    def order(self, cases: ScoringBatch) -> Sequence[int]:
        """Take summaries of the same texts together, which are then read once."""
        sets = cases.documents if self.side == "input" else cases.references
        return [int(place) for place in np.argsort(sets.of, kind="stable")]

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Average over references; take documents together."""
        others = ["\n\n".join(sides[0])] if self.side == "input" else sides[0]
        pairs = [(other, summary) for other in others]
        if self.of == "other":
            pairs = [(summary, other) for other in others]
        return float(np.mean([self.log_likelihood(*pair) for pair in pairs]))

    def log_likelihood(self, given: str, text: str) -> float:
        """Return the mean log-likelihood of a text's tokens."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class LanguageModel(_Likelihood):
    """The mean log-likelihood of a summary's tokens under a causal language model.

    ``lm-input`` gives the model the documents, then the prompt; ``lm-references`` does so with each
    reference and averages. ``of=other`` turns it round: how likely the documents or references are
    after the summary. How many tokens of the given text are read, and the prompt, are always part
    of the name. Needs a model for transformers: ``lm-input(model=FOLDER)``, or the environment
    variable ``PYRAMIDION_LM_MODEL``. With ``-o``, `score` keeps each number as soon as it is there.

    It is high for what is copied and for texts that read like the model's own, whoever wrote them.

    References
    ----------
    Yuan, Neubig and Liu (2021). BARTScore: evaluating generated text as text generation. NeurIPS.

    Examples
    --------
    >>> str(LanguageModel.parse("lm-input(tokens=512)"))
    'lm-input(tokens=512,prompt=Summary:)'
    """

    name: ClassVar[str] = "lm"
    title: ClassVar[str] = "likelihood under a language model"
    summary: ClassVar[str] = "how likely a causal model finds the summary after other texts"
    confuses: ClassVar[str] = "copying, length; texts of its own kind"
    citation: ClassVar[str] = "Yuan et al. 2021"
    needs: ClassVar[frozenset[Need]] = frozenset({"model"})
    variable: ClassVar[str] = "PYRAMIDION_LM_MODEL"
    members: ClassVar[tuple[str, ...]] = tuple(f"lm-{side}" for side in _SIDES)

    prompt: str = option("Summary:", "what stands between the given text and the predicted one")

    @property
    def _said(self) -> tuple[str, ...]:
        return ("tokens", "prompt")

    def log_likelihood(self, given: str, text: str) -> float:
        """Return the mean log-likelihood of a text's tokens."""
        prompt = f"\n\n{self.prompt}"
        return _causal(self.model_path).log_likelihood(given, prompt, text, self.tokens)


@dataclass(frozen=True, slots=True)
class BartScore(_Likelihood):
    """BARTScore: the mean log-likelihood of a summary under a model that reads, then writes.

    ``bart-score-input`` is the likelihood of the summary given the documents (faithfulness),
    ``bart-score-references`` given each reference (precision), with ``of=other`` the other way
    round (recall). Any encoder-decoder of transformers will do, such as BART or T5:
    ``bart-score-input(model=FOLDER)``, or the environment variable ``PYRAMIDION_BART_MODEL``.

    References
    ----------
    Yuan, Neubig and Liu (2021). BARTScore: evaluating generated text as text generation. NeurIPS.

    Examples
    --------
    >>> str(BartScore.parse("bart-score-references(of=other)"))
    'bart-score-references(tokens=1024,of=other)'
    """

    name: ClassVar[str] = "bart-score"
    title: ClassVar[str] = "BARTScore"
    summary: ClassVar[str] = "how likely an encoder-decoder finds the summary, given other texts"
    confuses: ClassVar[str] = "copying, length; texts of its own kind"
    citation: ClassVar[str] = "Yuan et al. 2021"
    needs: ClassVar[frozenset[Need]] = frozenset({"model"})
    variable: ClassVar[str] = "PYRAMIDION_BART_MODEL"
    members: ClassVar[tuple[str, ...]] = tuple(f"bart-score-{side}" for side in _SIDES)

    def log_likelihood(self, given: str, text: str) -> float:
        """Return the mean log-likelihood of a text's tokens, its end included."""
        import torch

        tokenizer, network = loaded(self.model_path, "AutoModelForSeq2SeqLM")
        cut = {"return_tensors": "pt", "truncation": True, "max_length": self.tokens}
        with torch.inference_mode():
            labels = tokenizer(text_target=text, **cut).input_ids
            return -float(network(**tokenizer(given, **cut), labels=labels).loss)


@cache
def loaded(model: str, kind: str) -> tuple[Any, Any]:
    """Load a tokenizer and a model of transformers once."""
    import transformers

    network = getattr(transformers, kind).from_pretrained(model).eval()
    return transformers.AutoTokenizer.from_pretrained(model), network


class _Causal:
    """A causal model that keeps what it read last, since many summaries follow one text."""

    def __init__(self, model: str) -> None:
        self._tokenizer, self._network = loaded(model, "AutoModelForCausalLM")
        self._most = int(getattr(self._network.config, "max_position_embeddings", 0) or 2**20)
        self._read: tuple[tuple[int, ...], Any] = ((), None)

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)

    def log_likelihood(self, given: str, prompt: str, text: str, tokens: int) -> float:
        """Return the mean log-likelihood of a text's tokens behind another text and a prompt."""
        import torch

        target = self._ids(f" {text.strip()}")
        if not target:
            return float("nan")
        start = self._tokenizer.bos_token_id
        asked = self._ids(prompt)
        room = self._most - len(target) - len(asked) - 1
        if room < 1:
            raise InputError(
                f"a text of {len(target)} tokens does not fit the model, which reads {self._most}",
                hint="take a model that reads more",
            )
        read = self._ids(given)[: min(tokens, room)]
        before = [*([] if start is None else [start]), *read, *asked]
        with torch.inference_mode():
            first, kept = self._after(tuple(before))
            logits = first
            if len(target) > 1:
                rest = self._network(torch.tensor([target[:-1]]), past_key_values=kept).logits[0]
                logits = torch.cat([first, rest])
            found = torch.log_softmax(logits.float(), dim=-1)
            return float(found[torch.arange(len(target)), torch.tensor(target)].mean())

    def _after(self, before: tuple[int, ...]) -> tuple[Any, Any]:
        """Return what the model says after some tokens, and what it keeps of them."""
        import torch

        if self._read[0] != before:
            found = self._network(torch.tensor([list(before)]), use_cache=True)
            self._read = before, (found.logits[:, -1], found.past_key_values)
        first, kept = self._read[1]
        return first, copy.deepcopy(kept)


@cache
def _causal(model: str) -> _Causal:
    return _Causal(model)
