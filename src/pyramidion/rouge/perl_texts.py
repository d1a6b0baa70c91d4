"""The files of a run of ROUGE-1.5.5, each read once and shared by all peers."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pyramidion import kernels
from pyramidion._types import Ints
from pyramidion.collection.files import read_bytes
from pyramidion.collection.formats.rouge.config import InputFormat, RougeEvaluation
from pyramidion.collection.formats.rouge.files import parse_sentences
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.rouge.basic_elements import (
    BasicElement,
    count_basic_elements,
    parse_basic_elements,
    stemmed,
)
from pyramidion.rouge.counting import Counts, Pairs, Reading, count
from pyramidion.rouge.perl_options import PerlOptions
from pyramidion.rouge.variants import Variant
from pyramidion.text.stems import lexicon, words

__all__ = ["PerlTexts"]


@dataclass(frozen=True, slots=True)
class _File:
    """A file and how it is read: as a peer or a model, in which format."""

    path: Path
    is_model: bool
    format: InputFormat


def _wrong_format(variant: Variant, file: _File) -> InputError:
    return InputError(
        f"{variant.perl_name} does not read the format {file.format}",
        where=Where(file.path),
        hint="basic elements are SIMPLE and are read by -3 only",
    )


class PerlTexts:
    """The texts of all evaluations as numbers of words.

    Parameters
    ----------
    options
        The command line.
    evaluations
        What names the files.
    contents
        Texts that are no files, by the names the evaluations give them.
    """

    def __init__(
        self,
        options: PerlOptions,
        evaluations: Iterable[RougeEvaluation],
        contents: Mapping[Path, bytes],
    ) -> None:
        self._options = options
        self._contents = contents
        self._numbers: dict[_File, int] = {}
        self._elements: dict[int, list[BasicElement]] = {}
        for evaluation in evaluations:
            for is_model, files in ((False, evaluation.peers), (True, evaluation.models)):
                for file in files:
                    key = _File(file.path, is_model, evaluation.input_format)
                    self._numbers.setdefault(key, len(self._numbers))

    def pairs(self, evaluations: Sequence[RougeEvaluation], peer: str) -> Pairs:
        """Pair a peer's files with their models; a file that is missing is refused now.

        The script, too, finds out only when it gets there. Where an id stands for several
        files, it takes the last of them.
        """
        rows = []
        for item, evaluation in enumerate(evaluations):
            peers = {file.id: file.path for file in evaluation.peers}
            models = {file.id: file.path for file in evaluation.models}
            for model in evaluation.models:
                own = _File(peers[peer], False, evaluation.input_format)
                other = _File(models[model.id], True, evaluation.input_format)
                rows.append((self._there(own), self._there(other), item))
        return Pairs.of(rows, size=len(evaluations))

    def count(self, variant: Variant, pairs: Pairs) -> Counts:
        """Count a variant's units."""
        is_be = variant.family == "be"
        used = np.union1d(pairs.peers, pairs.models).tolist()
        for number in used:
            if (self._files[number].format == "SIMPLE") != is_be:
                raise _wrong_format(variant, self._files[number])
        if is_be:
            elements = {number: self._basic_elements(number) for number in used}
            return count_basic_elements(elements, pairs, variant.parameter)
        return count(self._reading(variant), pairs, variant, threads=os.cpu_count() or 1)

    def peer_words(self, pairs: Pairs) -> Ints:
        """Count the words of each pair's peer, read flat."""
        return self._plain.flat_lengths[pairs.peers]

    def _reading(self, variant: Variant) -> Reading:
        """Give the texts as a variant sees them.

        They differ only with ``-M``: n-grams ignore it, and ROUGE-W looks for subsequences in
        sentences that are not stemmed, then checks them against a stemmed model.
        """
        if not self._options.stem_models_only or variant.family == "n":
            return self._plain
        if variant.family == "w":
            flat, listed = self._models_stemmed.summaries, self._plain.summaries
            return Reading(
                kernels.Summaries(
                    flat.ids, flat.starts, listed.sentence_ids, listed.sentences, listed.texts
                )
            )
        return self._models_stemmed

    def _there(self, file: "_File") -> int:
        if file.path not in self._contents and not file.path.is_file():
            raise NotFoundError(
                "there is no such file", where=Where(file.path), hint="mend the configuration"
            )
        return self._numbers[file]

    @cached_property
    def _files(self) -> list["_File"]:
        return list(self._numbers)

    def _data(self, path: Path) -> bytes:
        if path in self._contents:
            return self._contents[path]
        return read_bytes(path) if path.is_file() else b""

    @cached_property
    def _sentences(self) -> list[list[bytes]]:
        return [
            [] if file.format == "SIMPLE" else parse_sentences(self._data(file.path), file.format)
            for file in self._files
        ]

    def _basic_elements(self, number: int) -> list[BasicElement]:
        if number not in self._elements:
            file, options = self._files[number], self._options
            found = parse_basic_elements(self._data(file.path), Where(file.path))
            if options.stem or (file.is_model and options.stem_models_only):
                found = [stemmed(element, exceptions=options.exceptions) for element in found]
            self._elements[number] = found
        return self._elements[number]

    @cached_property
    def _vocabulary(self) -> kernels.Vocabulary:
        known = lexicon(exceptions=self._options.exceptions)
        return kernels.Vocabulary(
            known, stem=self._options.stem, stop_words=self._options.stop_words
        )

    @cached_property
    def _plain(self) -> Reading:
        if self._options.stem_models_only:
            return self._read(lambda texts: self._encode_words(texts, stem_models=False))
        return self._read(self._vocabulary.encode)

    @cached_property
    def _models_stemmed(self) -> Reading:
        return self._read(lambda texts: self._encode_words(texts, stem_models=True))

    def _read(self, encode: Callable[[list[list[bytes]]], kernels.Encoding]) -> Reading:
        limit = self._options.limit
        if limit is None:
            return Reading.of(*encode(self._sentences))
        flat = encode([limit.flat(sentences) for sentences in self._sentences])
        if limit.unit == "words":
            return Reading.of(*flat)
        listed = encode([limit.listed(sentences) for sentences in self._sentences])
        ids, sentences, texts = flat
        return Reading(kernels.Summaries(ids, sentences[texts], *listed))

    def _encode_words(self, texts: list[list[bytes]], *, stem_models: bool) -> kernels.Encoding:
        """Encode texts word by word, for peers and models are treated differently."""
        ids, sentence_ends, text_ends = [np.empty(0, np.int32)], [0], [0]
        for file, sentences in zip(self._files, texts, strict=True):
            for sentence in sentences:
                found = words(
                    sentence,
                    stem=file.is_model and stem_models,
                    stop_words=self._options.stop_words,
                    exceptions=self._options.exceptions,
                )
                ids.append(self._given_words.encode_words(found))
                sentence_ends.append(sentence_ends[-1] + len(found))
            text_ends.append(len(sentence_ends) - 1)
        return np.concatenate(ids), np.array(sentence_ends), np.array(text_ends)

    @cached_property
    def _given_words(self) -> kernels.Vocabulary:
        """A vocabulary for words that are stemmed and sifted already."""
        return kernels.Vocabulary(lexicon())
