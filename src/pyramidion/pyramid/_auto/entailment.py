"""Entailment by a local transformers model, instead of similarity."""

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import FormatError, MissingExtraError, Where

_BATCH_SIZE = 32
_ENTAILMENT_PREFIX = "entail"
_HUB_NAME = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)?(?<!\.bin)(?<!\.safetensors)")


class Entailment:
    """The probability, by an entailment model, that a summary expresses a unit.

    Parameters
    ----------
    folder
        A folder with a sequence classifier and its tokenizer, as transformers saves them; one of
        its labels is called entailment.
    hub
        Whether it may also be a name on the hub of Hugging Face; otherwise nothing is downloaded.

    Examples
    --------
    >>> Entailment("nowhere").name
    Traceback (most recent call last):
    pyramidion.errors.FormatError: nowhere: there is no such folder; give a folder ...
    """

    def __init__(self, folder: str | Path, *, hub: bool = False) -> None:
        self.folder = Path(folder)
        is_missing, parent = not self.folder.exists(), self.folder.parent
        # A name that begins with a folder of this machine is a mistyped path.
        is_path = parent != Path() and parent.exists()
        self.on_hub = hub and is_missing and not is_path and bool(_HUB_NAME.fullmatch(str(folder)))
        if not (self.on_hub or (self.folder / "config.json").is_file()):
            message = "there is no such folder"
            if not is_missing:
                message = "there is no transformers model in this folder"
            hint = "give a folder that `save_pretrained` wrote"
            raise FormatError(message, hint, where=Where(self.folder))

    @cached_property
    def name(self) -> str:
        """The folder's name, and a hash of its weights and configuration; or the hub's name."""
        if self.on_hub:
            return str(self.folder)
        digest = hashlib.sha256()
        for file in sorted(self.folder.glob("*")):
            if file.suffix in (".json", ".safetensors", ".bin", ".txt"):
                digest.update(file.read_bytes())
        return f"{self.folder.name}@{digest.hexdigest()[:8]}"

    @cached_property
    def _load(self) -> tuple[Any, Any, int]:
        try:
            import torch  # noqa: F401  transformers alone loads no model
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError:
            raise MissingExtraError("an entailment model", extra="lm") from None
        try:
            # Python files of a model are never run.
            load_options = {"local_files_only": not self.on_hub, "trust_remote_code": False}
            tokenizer = AutoTokenizer.from_pretrained(self.folder.as_posix(), **load_options)
            model, report = AutoModelForSequenceClassification.from_pretrained(
                self.folder.as_posix(), output_loading_info=True, **load_options
            )
        except Exception as error:  # damaged files raise anything
            message = f"transformers cannot load the model ({type(error).__name__})"
            if self.on_hub:
                message = f"there is no such folder, and from the hub {message}"
            hint = "give a folder with a sequence classifier and its tokenizer"
            raise FormatError(message, hint, where=Where(self.folder)) from None
        label_indices = {name.lower(): index for name, index in model.config.label2id.items()}
        entailment_indices = [
            index for name, index in label_indices.items() if name.startswith(_ENTAILMENT_PREFIX)
        ]
        if report["missing_keys"] or not entailment_indices:
            message = f"the model's labels are {', '.join(label_indices)}"
            hint = f"one must begin with {_ENTAILMENT_PREFIX}"
            if report["missing_keys"]:
                message, hint = "the model has no trained classifier", "give an entailment model"
            raise FormatError(message, hint, where=Where(self.folder))
        return tokenizer, model.eval(), entailment_indices[0]

    def probabilities(self, text: str, statements: Sequence[str]) -> Floats:
        """Return the probability that a text entails each statement.

        The end of a text that is too long for the model is cut off.
        """
        return self.of_pairs([(text, statement) for statement in statements])

    def of_pairs(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return the probability that each text entails the corresponding statement."""
        tokenizer, model, entailment_index = self._load
        batches = []
        for start in range(0, len(pairs), _BATCH_SIZE):
            texts, statements = map(list, zip(*pairs[start : start + _BATCH_SIZE], strict=True))
            inputs = tokenizer(
                texts, statements, truncation="only_first", padding=True,
                return_tensors="pt", max_length=min(tokenizer.model_max_length, 512),
            )  # fmt: skip
            logits = model(**inputs).logits.detach()
            batches.append(logits.softmax(-1)[:, entailment_index].numpy())
        return np.concatenate([np.empty(0), *batches]).astype(np.float64)
