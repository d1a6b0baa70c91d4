"""The files of a run of ROUGE-1.5.5, each read once and shared by all peers."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

import numpy as np

from pyramidion import kernels
from pyramidion.collection.files import read_bytes
from pyramidion.collection.formats.rouge_config import InputFormat, RougeEvaluation
from pyramidion.collection.formats.rouge_files import parse_sentences
from pyramidion.errors import NotFoundError, Where
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
        self._numbers: dict[tuple[Path, bool], int] = {}
        self._formats: list[InputFormat] = []
        for evaluation in evaluations:
            files = [(f.path, False) for f in evaluation.peers]
            files += [(f.path, True) for f in evaluation.models]
            for key in files:
                if key not in self._numbers:
                    self._numbers[key] = len(self._numbers)
                    self._formats.append(evaluation.input_format)

    def pairs(self, evaluations: Iterable[RougeEvaluation], peer: str) -> Pairs:
        """Pair a peer's files with their models; a file that is missing is refused now.

        The script, too, finds out only when it gets there.
        """
        peers, models, items = [], [], []
        for item, evaluation in enumerate(evaluations):
            own = next(file.path for file in evaluation.peers if file.id == peer)
            for model in evaluation.models:
                peers.append(self._there(own, is_model=False))
                models.append(self._there(model.path, is_model=True))
                items.append(item)
        return Pairs(*(np.array(column, dtype=np.int64) for column in (peers, models, items)))

    def count(self, variant: Variant, pairs: Pairs) -> Counts:
        """Count a variant's units."""
        if variant.family == "be":
            return count_basic_elements(self._basic_elements, pairs, variant.parameter)
        return count(self.reading(variant), pairs, variant)

    def reading(self, variant: Variant) -> Reading:
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

    def _there(self, path: Path, *, is_model: bool) -> int:
        if path not in self._contents and not path.is_file():
            raise NotFoundError(
                "there is no such file", where=Where(path), hint="mend the configuration"
            )
        return self._numbers[path, is_model]

    @cached_property
    def _data(self) -> list[bytes]:
        once = dict(self._contents)
        for path, _ in self._numbers:
            if path not in once:
                once[path] = read_bytes(path) if path.is_file() else b""
        return [once[path] for path, _ in self._numbers]

    @cached_property
    def _sentences(self) -> list[list[bytes]]:
        return [
            # Basic elements have no sentences; the script reads their lines.
            parse_sentences(data, "SPL" if form == "SIMPLE" else form)
            for data, form in zip(self._data, self._formats, strict=True)
        ]

    @cached_property
    def _basic_elements(self) -> list[list[BasicElement]]:
        found = []
        for (path, is_model), data in zip(self._numbers, self._data, strict=True):
            elements = parse_basic_elements(data, Where(path))
            if is_model if self._options.stem_models_only else self._options.stem:
                known = self._options.exceptions
                elements = [stemmed(element, exceptions=known) for element in elements]
            found.append(elements)
        return found

    @cached_property
    def _vocabulary(self) -> kernels.Vocabulary:
        known = lexicon(exceptions=self._options.exceptions)
        return kernels.Vocabulary(
            known, stem=self._options.stem, stop_words=self._options.stop_words
        )

    @cached_property
    def _plain(self) -> Reading:
        if self._options.stem_models_only:
            return self._read(lambda texts: self._encode_words(texts, self._options.stem, self._options.stem))
        return self._read(self._vocabulary.encode)

    @cached_property
    def _models_stemmed(self) -> Reading:
        return self._read(lambda texts: self._encode_words(texts, False, True))

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

    def _encode_words(self, texts: list[list[bytes]], stem_peers: bool, stem_models: bool) -> kernels.Encoding:
        """Encode texts word by word, for peers and models are treated differently."""
        ids, sentence_ends, text_ends = [np.empty(0, np.int32)], [0], [0]
        for (_, is_model), sentences in zip(self._numbers, texts, strict=True):
            for sentence in sentences:
                found = words(
                    sentence,
                    stem=stem_models if is_model else stem_peers,
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
