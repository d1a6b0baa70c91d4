"""Vectors for the tokens of texts, by a local model: ONNX, or anything transformers can load."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, MissingExtraError

#: Tokens of a batch, padding included: more is slower, and costs memory.
_BATCH = 512

#: Ids and mask of a batch to the states of its tokens.
States = Callable[[Ints, Ints], npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class TokenEncoder:
    """Gives each token of a text, but none that the model adds, a vector of length 1."""

    tokenizer: Any
    states: States

    def encode(self, texts: Sequence[str], *, window: int) -> list[Floats]:
        """Return the vectors of each text, tokens down; texts of like length go together."""
        before, after = self._added()
        most = max(1, window - len(before) - len(after))
        whole = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        cut = [
            (owner, before + one.ids[start : start + most] + after)
            for owner, one in enumerate(whole)
            for start in range(0, len(one.ids), most)
        ]
        found: dict[int, Floats] = {}
        for batch in _batches([len(ids) for _, ids in cut]):
            vectors = self._vectors([cut[place][1] for place in batch])
            for place, own in zip(batch, vectors, strict=True):
                found[place] = own[len(before) : len(own) - len(after)]
        parts: list[list[Floats]] = [[] for _ in texts]
        for place, (owner, _) in enumerate(cut):
            parts[owner].append(found[place])
        return [np.concatenate(own) if own else np.zeros((0, 1), np.float32) for own in parts]

    def _added(self) -> tuple[list[int], list[int]]:
        """Return what a model wants before and after a text."""
        one = self.tokenizer.encode("a")
        own = [place for place, added in enumerate(one.special_tokens_mask) if not added]
        return one.ids[: own[0]], one.ids[own[-1] + 1 :]

    def _vectors(self, lists: Sequence[Sequence[int]]) -> Iterator[Floats]:
        """Return the vectors of one batch."""
        width = max(map(len, lists))
        ids = np.zeros((len(lists), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, own in enumerate(lists):
            ids[row, : len(own)], mask[row, : len(own)] = own, 1
        states = self.states(ids, mask)
        norms = np.linalg.norm(states, axis=2, keepdims=True)
        states = states / np.maximum(norms, 1e-12)
        yield from (own[: len(ids)] for own, ids in zip(states, lists, strict=True))


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Put places of like length together."""
    batch: list[int] = []
    # From the longest, which decides how much is padded.
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > _BATCH:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def require_encoder(feature: str, model: str) -> None:
    """Refuse to begin where the packages for a model are missing."""
    onnx = _onnx_file(Path(model)) is not None
    packages, extra = ("onnxruntime", "embed") if onnx else ("torch", "lm")
    for package in (packages, "tokenizers" if onnx else "transformers"):
        if find_spec(package) is None:
            raise MissingExtraError(feature, extra=extra)


@cache
def load_encoder(model: str, vocabulary: str, threads: int) -> TokenEncoder:
    """Load a model once: a folder with an ONNX file, or one for transformers, or a name."""
    file = _onnx_file(Path(model))
    if file is None:
        return _transformer(model)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(_tokenizer_file(file, model, vocabulary)))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return TokenEncoder(tokenizer, _onnx_states(file, threads))


def _onnx_file(path: Path) -> Path | None:
    """Find the ONNX file of a folder, the plain one if there are several."""
    found = [path] if path.suffix == ".onnx" else sorted(path.rglob("*.onnx"))
    return min(found, key=lambda one: (one.name != "model.onnx", len(one.parts)), default=None)


def _tokenizer_file(file: Path, model: str, vocabulary: str) -> Path:
    for folder in (*([Path(vocabulary)] if vocabulary else []), file.parent, Path(model)):
        for one in (folder, folder / "tokenizer.json"):
            if one.is_file() and one.suffix == ".json":
                return one
    hint = "add the folder that has it: vocabulary=FOLDER"
    raise InputError(f"there is no tokenizer.json beside {file}", hint)


def _onnx_states(file: Path, threads: int) -> States:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # A thread that waits in a loop takes CPU time from others.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    wanted = {one.name for one in session.get_inputs()}

    def states(ids: Ints, mask: Ints) -> npt.NDArray[Any]:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        outputs = session.run(None, {name: feed[name] for name in feed.keys() & wanted})
        tokens = [own for own in outputs if own.ndim == 3]
        if not tokens:
            hint = "export it with its last hidden state"
            raise InputError(f"{file} gives no vector for each token", hint)
        return np.asarray(tokens[0], dtype=np.float32)

    return states


def _transformer(model: str) -> TokenEncoder:
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model, use_fast=True)
    backend = tokenizer.backend_tokenizer
    backend.no_padding()
    backend.no_truncation()
    network = AutoModel.from_pretrained(model).eval()

    def states(ids: Ints, mask: Ints) -> npt.NDArray[Any]:
        import torch

        with torch.inference_mode():
            given = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
            return np.asarray(network(**given).last_hidden_state.float().numpy())

    return TokenEncoder(backend, states)
