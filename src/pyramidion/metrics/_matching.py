"""Tokens matched with the most similar tokens of other texts, by vectors of a local model."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, MissingExtraError
from pyramidion.metrics._cases import ScoringBatch, Texts
from pyramidion.metrics._metric import share
from pyramidion.metrics._models import TokenMatchMetric
from pyramidion.questions import option

#: Number of pairs to match before vectors that are no longer needed are dropped.
_PAIRS_PER_BATCH = 256

#: The total weight of matched tokens and of all tokens of a summary, then of the other text.
Sums = tuple[float, float, float, float]

#: A function from the ids of tokens to their weights.
WeighTokens = Callable[[Sequence[int]], Floats]

#: A summary's text, and the texts it is matched with, taken together.
Pair = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Match(TokenMatchMetric):
    r"""Share of tokens that have a counterpart in references or documents, by their vectors.

    Each token has a vector that depends on its context. Against references, precision is the mean
    of the greatest cosine of each of the summary's tokens with a token of the references, as in
    BERTScore; recall that of the references' tokens, for all references together as in ROUGE; F is
    their harmonic mean. If `min_cosine` is not 0, tokens whose greatest cosine is at least as large
    are counted instead; ``match-input-p`` counts tokens that match a token of any document.

    Against references, a token counts with its rarity, :math:`\log((N + 1) / n)` if n of the N
    references of all summaries contain it, so these scores depend on what is scored together. With
    ``weights=equal`` all tokens count the same, as they always do against documents.

    The model is a folder with an ONNX file and ``tokenizer.json``, or a folder or name on the hub
    for transformers: ``match-references-r(model=FOLDER)``, or the environment variable
    ``PYRAMIDION_EMBED_MODEL``. Vectors come from the last layer; long texts are split into windows,
    and special tokens are not matched. A `min_cosine` for MiniLM may be too low for other models,
    whose cosines are higher throughout.

    Source: Zhang, Kishore, Wu, Weinberger and Artzi (2020). BERTScore: evaluating text generation
    with BERT. ICLR.
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

    side: str = option("references", "texts to match with", choices=("references", "input"))
    vocabulary: str = option("", "folder with tokenizer.json, if it is not with the model")
    window: int = option(256, "number of tokens that are encoded together", min=8)
    min_cosine: float | None = option(
        None, "minimum cosine of matching tokens; 0 averages cosines instead; by default 0 against "
        "references and 0.78 against documents", min=0, max=1,
    )  # fmt: skip

    weights: str = option(
        "idf", "weights of tokens against references: idf (rarity) or equal",
        choices=("idf", "equal"),
    )  # fmt: skip

    @property
    def per_case(self) -> bool:  # type: ignore[override]
        """Whether a score is independent of the other summaries."""
        return not self._uses_rarity

    @property
    def _min_cosine(self) -> float:
        if self.min_cosine is None:
            return 0.78 if self.side == "input" else 0.0
        return self.min_cosine

    @property
    def _uses_rarity(self) -> bool:
        return self.weights == "idf" and self.side == "references"

    def require_installed(self) -> None:
        """Raise an error if the model, or the packages it needs, are missing."""
        TokenMatchMetric.require_installed(self)
        packages, extra = ("torch", "transformers"), "lm"
        if _onnx_file(Path(self.model_path)) is not None:
            packages, extra = ("onnxruntime", "tokenizers"), "embed"
        if any(find_spec(package) is None for package in packages):
            raise MissingExtraError(str(self), extra=extra)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return precision, recall and F of matched tokens, all references together."""
        if self.side == "input":
            sets = cases.documents
            documents = [tuple(sets[row].tolist()) for row in range(len(cases))]
            sums = self._match(cases, list(zip(cases.peers.tolist(), documents, strict=True)))
        else:
            sets = cases.references
            rows, references = cases.pairs
            peers = cases.peers[rows].tolist()
            pairs = [
                (peer, (reference,))
                for peer, reference in zip(peers, references.tolist(), strict=True)
            ]
            columns = self._match(cases, pairs).T
            sums = np.stack([cases.sum_over_references(column) for column in columns], axis=1)
        precision, recall = (
            np.nan_to_num(share(sums[:, column_index], sums[:, column_index + 1]))
            for column_index in (0, 2)
        )
        sums_of_both = np.where(precision + recall > 0, precision + recall, 1.0)
        table = np.stack([precision, recall, 2 * precision * recall / sums_of_both], axis=1)
        table[sets.sizes == 0] = np.nan
        return table

    def _match(self, cases: ScoringBatch, pairs: Sequence[Pair]) -> Floats:
        """Match pairs of texts, once for all parts and folds."""
        references = np.unique(cases.references.members) if self._uses_rarity else np.zeros(0, int)
        options = (self.model_path, self.vocabulary, self.window, self._min_cosine)
        key = ("matched", *options, references.tobytes())
        sums: dict[Pair, Sums] = cases.texts.memo(key, dict)
        new_pairs = sorted(
            {pair for pair in pairs if pair not in sums}, key=lambda pair: pair[::-1]
        )
        if new_pairs:
            encoder = load_encoder(self.model_path, self.vocabulary, cases.threads)
            weigh = _rarity_weights(
                encoder.ids([cases.texts.plain(text) for text in references.tolist()])
            )
            matched_sums = _match_pairs(
                encoder, self.window, self._min_cosine, cases.texts, new_pairs, weigh
            )
            sums.update(matched_sums)
        return np.array([sums[pair] for pair in pairs], dtype=np.float64).reshape(-1, 4)


def _rarity_weights(references: Sequence[Sequence[int]]) -> WeighTokens:
    """Weigh tokens by their inverse document frequency in references; all equally without any."""
    if not references:
        return lambda ids: np.ones(len(ids))
    counts = Counter(token for ids in references for token in set(ids))
    # A token that no reference has is rarer than one that a single reference has.
    return lambda ids: np.log(
        (len(references) + 1) / np.array([counts[token] or 0.5 for token in ids])
    )


def _match_pairs(
    encoder: "TokenEncoder",
    window: int,
    min_cosine: float,
    texts: Texts,
    pairs: Sequence[Pair],
    weigh: WeighTokens,
) -> Iterable[tuple[Pair, Sums]]:
    """Match pairs; each text is encoded once, and dropped after its last pair."""
    last_pair_of = {
        text: index
        for index, (peer, other_texts) in enumerate(pairs)
        for text in (peer, *other_texts)
    }
    weighted_tokens: dict[int, _WeightedTokens] = {}
    for start in range(0, len(pairs), _PAIRS_PER_BATCH):
        batch = pairs[start : start + _PAIRS_PER_BATCH]
        needed_texts = dict.fromkeys(
            text for peer, other_texts in batch for text in (peer, *other_texts)
        )
        new_texts = [text for text in needed_texts if text not in weighted_tokens]
        plain_texts = [texts.plain(text) for text in new_texts]
        vectors, ids = encoder.encode(plain_texts, window=window), encoder.ids(plain_texts)
        weighted_tokens |= {
            text: (rows, weigh(tokens))
            for text, rows, tokens in zip(new_texts, vectors, ids, strict=True)
        }
        for other_texts, group in groupby(batch, key=lambda pair: pair[1]):
            texts_with_tokens = [
                weighted_tokens[text] for text in other_texts if len(weighted_tokens[text][0])
            ]
            rows, weights = zip(*texts_with_tokens, strict=True) if texts_with_tokens else ((), ())
            joined_tokens = (np.concatenate(rows), np.concatenate(weights)) if rows else None
            yield from (
                (pair, _sums(weighted_tokens[pair[0]], joined_tokens, min_cosine)) for pair in group
            )
        weighted_tokens = {
            text_number: tokens
            for text_number, tokens in weighted_tokens.items()
            if last_pair_of[text_number] >= start + _PAIRS_PER_BATCH
        }


#: The vectors of a text's tokens, and their weights.
_WeightedTokens = tuple[Floats, Floats]


def _sums(peer: _WeightedTokens, other: _WeightedTokens | None, min_cosine: float) -> Sums:
    """Add up the weights of matched tokens of two texts, or their cosines; and all weights."""
    total_weights = float(peer[1].sum()), 0.0 if other is None else float(other[1].sum())
    if other is None or not len(peer[0]):
        return 0.0, total_weights[0], 0.0, total_weights[1]
    cosines = peer[0] @ other[0].T
    best_cosines = [cosines.max(axis=1), cosines.max(axis=0)]
    if min_cosine > 0:
        best_cosines = [values >= min_cosine for values in best_cosines]
    return (
        float(best_cosines[0] @ peer[1]),
        total_weights[0],
        float(best_cosines[1] @ other[1]),
        total_weights[1],
    )


#: Tokens in a batch, including padding: larger batches are slower and need more memory.
_MAX_BATCH_TOKENS = 512

#: A function from the ids and the mask of a batch to the states of its tokens.
States = Callable[[Ints, Ints], npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class TokenEncoder:
    """Encodes each token of a text, except special ones, as a vector of length 1."""

    tokenizer: Any
    states: States

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of the tokens of each text."""
        encodings = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def encode(self, texts: Sequence[str], *, window: int) -> list[Floats]:
        """Return the vectors of each text, one row per token."""
        sample = self.tokenizer.encode("a")
        plain_indices = [
            index for index, is_special in enumerate(sample.special_tokens_mask) if not is_special
        ]
        special_before, special_after = (
            sample.ids[: plain_indices[0]],
            sample.ids[plain_indices[-1] + 1 :],
        )
        window_size = max(1, window - len(special_before) - len(special_after))
        windows = [
            (text_index, special_before + ids[start : start + window_size] + special_after)
            for text_index, ids in enumerate(self.ids(texts))
            for start in range(0, len(ids), window_size)
        ]
        vectors_of_window: dict[int, Floats] = {}
        for batch in _batches([len(ids) for _, ids in windows]):
            vectors = self._vectors([windows[index][1] for index in batch])
            for index, rows in zip(batch, vectors, strict=True):
                vectors_of_window[index] = rows[
                    len(special_before) : len(rows) - len(special_after)
                ]
        window_vectors: list[list[Floats]] = [[] for _ in texts]
        for index, (text_index, _) in enumerate(windows):
            window_vectors[text_index].append(vectors_of_window[index])
        no_vectors: Floats = np.zeros((0, 1))
        return [np.concatenate(arrays) if arrays else no_vectors for arrays in window_vectors]

    def _vectors(self, id_lists: Sequence[Sequence[int]]) -> Iterator[Floats]:
        """Return the vectors of one batch."""
        width = max(map(len, id_lists))
        ids = np.zeros((len(id_lists), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, token_ids in enumerate(id_lists):
            ids[row, : len(token_ids)], mask[row, : len(token_ids)] = token_ids, 1
        states = self.states(ids, mask)
        states = states / np.maximum(np.linalg.norm(states, axis=2, keepdims=True), 1e-12)
        yield from (state[: len(ids)] for state, ids in zip(states, id_lists, strict=True))


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group indices of similar lengths."""
    batch: list[int] = []
    # In descending order of length: the longest text of a batch determines the padding.
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > _MAX_BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@cache
def load_encoder(model: str, vocabulary: str, threads: int) -> TokenEncoder:
    """Load a model once: a folder with an ONNX file, or a folder or name for transformers."""
    file = _onnx_file(Path(model))
    if file is None:
        return _transformer_encoder(model)
    from tokenizers import Tokenizer

    folders = [*([Path(vocabulary)] if vocabulary else []), file.parent, Path(model)]
    paths = (path for folder in folders for path in (folder, folder / "tokenizer.json"))
    files = [path for path in paths if path.is_file() and path.suffix == ".json"]
    if not files:
        hint = "name its folder: vocabulary=FOLDER"
        raise InputError(f"there is no tokenizer.json next to {file}", hint)
    tokenizer = Tokenizer.from_file(str(files[0]))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return TokenEncoder(tokenizer, _onnx_states(file, threads))


def _onnx_file(path: Path) -> Path | None:
    """Find the ONNX file of a folder; of several, model.onnx and the least nested first."""
    candidates = [path] if path.suffix == ".onnx" else sorted(path.rglob("*.onnx"))
    return min(
        candidates, key=lambda file: (file.name != "model.onnx", len(file.parts)), default=None
    )


def _onnx_states(file: Path, threads: int) -> States:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Spinning threads take CPU time from others.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    inputs = {entry.name for entry in session.get_inputs()}

    def states(ids: Ints, mask: Ints) -> npt.NDArray[Any]:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        outputs = session.run(None, {name: feed[name] for name in feed.keys() & inputs})
        tokens = [output for output in outputs if output.ndim == 3]
        if not tokens:
            hint = "export it with its last hidden state"
            raise InputError(f"{file} does not output a vector per token", hint)
        return np.asarray(tokens[0], dtype=np.float32)

    return states


def _transformer_encoder(model: str) -> TokenEncoder:
    import torch
    from transformers import AutoModel, AutoTokenizer

    backend = AutoTokenizer.from_pretrained(
        model, use_fast=True, trust_remote_code=False
    ).backend_tokenizer
    backend.no_padding()
    backend.no_truncation()
    network = AutoModel.from_pretrained(model, trust_remote_code=False).eval()

    def states(ids: Ints, mask: Ints) -> npt.NDArray[Any]:
        with torch.inference_mode():
            inputs = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
            return np.asarray(network(**inputs).last_hidden_state.float().numpy())

    return TokenEncoder(backend, states)
