"""Entailment by a local model of transformers, in place of similarity."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import FormatError, MissingExtraError, Where

_BATCH = 32
_WORD = "entail"


class Entailment:
    """The probability, by an entailment model, that a summary expresses a unit.

    Parameters
    ----------
    folder
        A folder with a sequence classifier and its tokenizer, as transformers saves them; one of
        its labels is called entailment. Nothing is downloaded.

    Examples
    --------
    >>> Entailment("nowhere").name
    Traceback (most recent call last):
    pyramidion.errors.FormatError: nowhere: there is no model of transformers in this folder; ...
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / "config.json").is_file():
            message = "there is no model of transformers in this folder"
            hint = "give a folder that `save_pretrained` wrote"
            raise FormatError(message, hint, where=Where(self.folder))

    @cached_property
    def name(self) -> str:
        """The folder's name, and a hash of its weights and configuration."""
        digest = hashlib.sha256()
        for file in sorted(self.folder.glob("*")):
            if file.suffix in (".json", ".safetensors", ".bin", ".txt"):
                digest.update(file.read_bytes())
        return f"{self.folder.name}@{digest.hexdigest()[:8]}"

    @cached_property
    def _loaded(self) -> tuple[Any, Any, int]:
        try:
            import torch  # noqa: F401  transformers alone loads no model
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError:
            raise MissingExtraError("--entailment", extra="lm") from None
        try:
            # Use neither the hub nor Python files of the model.
            loading_options = {"local_files_only": True, "trust_remote_code": False}
            tokenizer = AutoTokenizer.from_pretrained(self.folder, **loading_options)
            model = AutoModelForSequenceClassification.from_pretrained(
                self.folder, **loading_options
            )
        except Exception as error:  # damaged files raise anything
            message = f"transformers cannot load the model ({type(error).__name__})"
            hint = "give a folder with a sequence classifier and its tokenizer"
            raise FormatError(message, hint, where=Where(self.folder)) from None
        labels = {name.lower(): number for name, number in model.config.label2id.items()}
        entailment_labels = [number for name, number in labels.items() if name.startswith(_WORD)]
        if not entailment_labels:
            message = f"the model's labels are {', '.join(labels)}"
            raise FormatError(
                message, where=Where(self.folder), hint=f"one must begin with {_WORD}"
            )
        return tokenizer, model.eval(), entailment_labels[0]

    def probabilities(self, text: str, statements: Sequence[str]) -> Floats:
        """Return the probability that a text entails each statement.

        The end of a text that is too long for the model is cut off.
        """
        tokenizer, model, entailed = self._loaded
        batches = []
        for first in range(0, len(statements), _BATCH):
            batch = list(statements[first : first + _BATCH])
            encoded = tokenizer(
                [text] * len(batch), batch, truncation="only_first", padding=True,
                return_tensors="pt", max_length=min(tokenizer.model_max_length, 512),
            )  # fmt: skip
            logits = model(**encoded).logits.detach()
            batches.append(logits.softmax(-1)[:, entailed].numpy())
        return np.concatenate([np.empty(0), *batches]).astype(np.float64)
