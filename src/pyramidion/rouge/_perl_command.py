"""ROUGE-1.5.5.pl's command line: options, files, output."""

import math
import os
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from getopt import GetoptError, getopt
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from pyramidion import kernels
from pyramidion._types import Ints
from pyramidion.collection.formats._rouge import (
    INPUT_FORMATS,
    SENTENCE_FORMATS,
    InputFormat,
    RougeEvaluation,
    input_format,
    parse_sentences,
    read_rouge_config,
    read_rouge_list,
)
from pyramidion.collection.formats.stream import read_stream
from pyramidion.collection.formats.table_files import table_beginning
from pyramidion.collection.stream import StreamItem
from pyramidion.engine.engines import EngineOptions, require_ready
from pyramidion.engine.parts import absolute, address_of, in_parts, join_path, part_names
from pyramidion.engine.pieces import Piece, Unread, cut_for_workers
from pyramidion.errors import FormatError, InputError, NotFoundError, Where
from pyramidion.files.inputs import is_readable
from pyramidion.files.reading import read_bytes
from pyramidion.questions.options import option_specs
from pyramidion.rouge._basic_elements import (
    BasicElement,
    count_basic_elements,
    parse_basic_elements,
    stem_element,
)
from pyramidion.rouge._perl import (
    bootstrap_means,
    combine_exactly,
    corpus_means,
    count_exactly,
    interval,
    score_exactly,
    sort_by_evaluation,
)
from pyramidion.rouge._perl_numbers import PerlNumber, decimals, leading_number, running_total
from pyramidion.rouge._rouge import LengthLimit
from pyramidion.rouge.counting import (
    BE_MODES,
    Counts,
    ItemScores,
    ModelRule,
    Pairs,
    RougeReading,
    Variant,
)
from pyramidion.rouge.items import TextInput, as_bytes, read_limited
from pyramidion.text.encoding import OTHER_SCRIPT_SHARE, letter_counts, tokenizer_for
from pyramidion.text.tokens import lexicon

# The largest n of ROUGE-N.
_MAX_NGRAM_SIZE = 1000
# Option letters in the notation of Getopt::Std: those with a value are followed by a colon.
_FLAG_LETTERS = "ac:de:f:hHl:b:mMn:p:sr:t:2:3:uUvw:xz:"

_COUNTING_CODES: Mapping[float, Literal[1, 2]] = {1.0: 1, 2.0: 2}


@dataclass(frozen=True, slots=True)
class PerlOptions:
    """The parsed command line."""

    config: Path
    variants: tuple[Variant, ...]
    peer: str | None
    all_peers: bool
    details: bool
    stem: bool
    stem_models_only: bool
    stop_words: bool
    exceptions: bool
    data: str | None
    limit: LengthLimit | None
    rule: ModelRule
    alpha: float
    counting: Literal[0, 1, 2]
    resamples: int
    confidence: str
    list_format: InputFormat | None
    engine: EngineOptions = field(default_factory=EngineOptions)


def parse_perl_options(arguments: list[str]) -> PerlOptions:
    """Parse ROUGE-1.5.5.pl's command line, ``--exceptions on|off`` and the engine's options."""
    engine_options = {option.label: option.name for option in option_specs(EngineOptions)}
    try:
        long_options = ["exceptions=", "help", *(f"{label}=" for label in engine_options)]
        pairs, free_arguments = getopt(arguments, _FLAG_LETTERS, long_options)
    except GetoptError as error:
        raise InputError(error.msg, hint="the options are those of ROUGE-1.5.5.pl") from None
    flags = {name.lstrip("-"): value for name, value in pairs}
    if "m" in flags and "M" in flags:
        hint = "keep one: ROUGE-1.5.5 forgets -m after the first peer"
        raise InputError("-m and -M together", hint)
    if not free_arguments:
        raise InputError("no configuration is named", hint="add the XML file (or the list for -z)")
    for late_argument in free_arguments[1:]:
        if late_argument.startswith("--"):
            raise InputError(
                f"{late_argument} has no effect here", hint="put options before the configuration"
            )
    if len(free_arguments) < 2 and "a" not in flags and "z" not in flags:
        raise InputError("no peer is named", hint="add its id after the configuration, or -a")
    _read_share(flags, "c", 95, 100)
    variants = tuple(_requested_variants(flags))
    words, size = _read_whole(flags, "l", 0), _read_whole(flags, "b", 0)
    if "l" in flags and "b" in flags:
        raise InputError("-l and -b cannot be combined", hint="keep one")
    exceptions, list_flag = flags.get("exceptions", "on"), flags.get("z")
    if exceptions not in ("on", "off"):
        raise InputError(f"--exceptions {exceptions}", hint="use on or off")
    list_format = None if list_flag is None else input_format(list_flag)
    if list_flag is not None and list_format is None:
        raise InputError(f"-z {list_flag}", hint=f"use one of {', '.join(INPUT_FORMATS)}")
    return PerlOptions(
        config=Path(free_arguments[0]),
        variants=variants,
        peer=free_arguments[1] if len(free_arguments) > 1 else None,
        all_peers="a" in flags and "z" not in flags,
        details="d" in flags,
        stem="m" in flags,
        stem_models_only="M" in flags,
        stop_words="s" in flags,
        exceptions=exceptions == "on",
        data=flags.get("e"),
        limit=LengthLimit(words, "words")
        if words
        else LengthLimit(size, "bytes")
        if size
        else None,
        # The script treats everything but B as A.
        rule="best" if flags.get("f") == "B" else "average",
        alpha=_read_share(flags, "p", 0.5, 1),
        # The script treats everything that does not begin with the number 1 or 2 as 0.
        counting=_COUNTING_CODES.get(leading_number(flags.get("t", ""))[0], 0),
        resamples=_read_whole(flags, "r", 1000, min=1),
        confidence=flags.get("c", "95"),
        list_format=list_format,
        engine=EngineOptions.of(
            {engine_options[name]: flags[name] for name in engine_options if name in flags}
        ),
    )


def _requested_variants(flags: dict[str, str]) -> list[Variant]:
    max_n = _read_whole(flags, "n", 0)
    if max_n > _MAX_NGRAM_SIZE:
        raise InputError(f"-n {max_n}", hint=f"n-grams can have at most {_MAX_NGRAM_SIZE} words")
    variants = [Variant("n", str(n)) for n in range(1, max_n + 1)]
    if "x" not in flags and "3" not in flags:
        variants.append(Variant("l"))
    if "w" in flags:
        if _read_number(flags, "w", 1.0) <= 0:
            raise InputError(f"-w {flags['w']}: expected a number above 0")
        variants.append(Variant("w", flags["w"]))
    if "2" in flags:
        _read_number(flags, "2", 0)
        if "u" not in flags:
            variants.append(Variant("s", flags["2"]))
        if "u" in flags or "U" in flags:
            variants.append(Variant("su", flags["2"]))
    if "3" in flags:
        variants.append(Variant("be", flags["3"]))
    return variants


def _read_share(flags: dict[str, str], name: str, default: float, max: int) -> float:
    number = _read_number(flags, name, default)
    if not 0 <= number <= max:
        raise InputError(f"-{name} {flags[name]}: expected a number from 0 to {max}")
    return number


def _read_number(flags: dict[str, str], name: str, default: float) -> float:
    number, is_all = leading_number(flags.get(name, str(default)))
    if not is_all or math.isinf(number):
        raise InputError(f"-{name} {flags[name]}: expected a number")
    return number


def _read_whole(flags: dict[str, str], name: str, default: int, *, min: int = 0) -> int:
    number = _read_number(flags, name, default)
    if number < min or not number.is_integer():
        raise InputError(f"-{name} {flags[name]}: expected a whole number of at least {min}")
    return int(number)


STOP_LIST_FILE, EXCEPTIONS_FILE = "smart_common_words.txt", "WordNet-2.0.exc.db"

_HASH_MAGIC = 0x061561
_DATA_PAGES = (2, 13)
_PAGE_HEADER_BYTES = 26
_IN_PAGE_TYPE = 1


def perl_lexicon(
    folder: str | None, *, exceptions: bool, stems: bool, warn: Callable[[str], None]
) -> kernels.Lexicon:
    """Read the lexicon of the script's data folder (``-e``, or from the environment).

    If neither file exists, the package's copies are used; if only one exists, that is an error, as
    in the script.
    """
    folder_name = folder or os.environ.get("ROUGE_EVAL_HOME") or os.environ.get("RED_EVAL_HOME")
    data_folder = Path(folder_name or ".")
    missing_files = [
        name for name in (STOP_LIST_FILE, EXCEPTIONS_FILE) if not (data_folder / name).is_file()
    ]
    if len(missing_files) == 2:
        if folder_name is not None:
            warn(
                f"no data of ROUGE-1.5.5 in {data_folder}: the package's identical copies are used"
            )
        return lexicon(exceptions=exceptions)
    for name in missing_files:
        hint = "copy it from the release, or remove the other to use the package's copies"
        raise NotFoundError("there is no such file", where=Where(data_folder / name), hint=hint)
    forms = dict(read_hash_file(data_folder / EXCEPTIONS_FILE)) if exceptions else {}
    if stems and exceptions and not forms:
        warn(f"{data_folder / EXCEPTIONS_FILE} is empty: irregular forms are not looked up")
    words = read_bytes(data_folder / STOP_LIST_FILE).decode("latin-1").split("\n")
    return kernels.Lexicon(forms, words)


def read_hash_file(path: Path) -> Iterator[tuple[str, str]]:
    """Read a Berkeley DB hash file with small keys and values, such as the script's table."""
    data, where = read_bytes(path), Where(path)
    order = next(
        (
            candidate_order
            for candidate_order in "<>"
            if data[12:16] == struct.pack(f"{candidate_order}I", _HASH_MAGIC)
        ),
        None,
    )
    if order is None:
        raise where.error("this is not a Berkeley DB hash file", "copy it from the release again")
    (size,) = struct.unpack_from(f"{order}I", data, 20)
    if size < 512 or len(data) % size:
        raise where.error("its pages are cut off", "copy it from the release again")
    try:
        for start in range(0, len(data), size):
            items = _page_items(data[start : start + size], order)
            yield from zip(items[::2], items[1::2], strict=True)
    except (struct.error, ValueError):
        raise where.error("its pages are damaged", "copy it from the release again") from None


def _page_items(page: bytes, order: str) -> list[str]:
    if page[25] not in _DATA_PAGES:
        return []
    (n_items,) = struct.unpack_from(f"{order}H", page, 20)
    starts = struct.unpack_from(f"{order}{n_items}H", page, _PAGE_HEADER_BYTES)
    parts = [page[start:end] for end, start in pairwise((len(page), *starts))]
    if any(part[:1] != bytes([_IN_PAGE_TYPE]) for part in parts):
        raise ValueError("an item is stored elsewhere")
    return [part[1:].decode("latin-1") for part in parts]


class _Text(NamedTuple):
    """A text, whether it is a model, and its format."""

    #: A file, or the text itself.
    source: Path | str
    is_model: bool
    format: InputFormat


class _Comparison(NamedTuple):
    """A peer in an evaluation: the indices of its text and of its models' texts."""

    evaluation: str
    text: int
    models: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Comparisons:
    """The ids of all evaluations, the distinct texts, and the comparisons of each peer."""

    evaluations: list[str] = field(default_factory=list)
    text_indices: dict[_Text, int] = field(default_factory=dict)
    by_peer: dict[str, list[_Comparison]] = field(default_factory=dict)

    def text_index(self, source: Path | str, is_model: bool, format: InputFormat = "SPL") -> int:
        """Return the index of a text; a repeated text, such as a reference, is read once."""
        return self.text_indices.setdefault(_Text(source, is_model, format), len(self.text_indices))

    def add(self, peer: str, comparison: _Comparison) -> None:
        """Add a comparison to those of a peer."""
        self.by_peer.setdefault(peer, []).append(comparison)


def _pairs(comparisons: Sequence[_Comparison]) -> Pairs:
    """Pair texts of a peer with their models; each comparison is an item."""
    sizes = np.array([len(models) for _, _, models in comparisons], dtype=np.int64)
    items = np.repeat(np.arange(len(sizes)), sizes)
    texts = np.array([text for _, text, _ in comparisons], dtype=np.int64)
    models = [number for _, _, numbers in comparisons for number in numbers]
    return Pairs(texts[items], np.array(models, dtype=np.int64), items, len(sizes))


class PerlTexts:
    """The texts of all evaluations, encoded as word ids."""

    def __init__(
        self, options: PerlOptions, texts: Iterable[_Text], words: kernels.Lexicon
    ) -> None:
        self._options = options
        self._texts = list(texts)
        self._formats = {text.format for text in self._texts}
        self._are_files = any(isinstance(text.source, Path) for text in self._texts[:1])
        self._lexicon = words
        self._elements: dict[int, list[BasicElement]] = {}
        # This vocabulary is for words that are already stemmed and filtered.
        self._token_vocabulary = kernels.Vocabulary(lexicon())

    def letters(self) -> tuple[int, int]:
        """Count the non-ASCII letters, and all letters."""
        return letter_counts(
            text if isinstance(text, str) else b"\n".join(text).decode("utf-8", "replace")
            for text in self._contents
        )

    def count_words(self, pairs: Pairs) -> dict[Variant, Counts]:
        """Count the units of all word-based variants."""
        variants = [variant for variant in self._options.variants if variant.family != "be"]
        threads = os.cpu_count() or 1
        if not self._options.stem_models_only:
            return count_exactly(self._plain, pairs, variants, threads=threads)
        counts: dict[Variant, Counts] = {}
        for variant in variants:
            counts |= count_exactly(self._reading(variant), pairs, (variant,), threads=threads)
        return counts

    def count_elements(self, variant: Variant, pairs: Pairs) -> Counts:
        """Count basic elements."""
        text_indices = np.union1d(pairs.peers, pairs.models).tolist()
        elements = {number: self._basic_elements(number) for number in text_indices}
        return count_basic_elements(elements, pairs, variant.parameter)

    def peer_words(self, pairs: Pairs) -> Ints:
        """Count the words of each pair's peer, ignoring sentences."""
        starts = self._plain.summaries.starts
        lengths: Ints = starts[pairs.peers + 1] - starts[pairs.peers]
        return lengths

    def require_files(self, pairs: Pairs) -> None:
        """Refuse a missing file."""
        interleaved_texts = np.stack([pairs.peers, pairs.models], axis=1).ravel()
        for number in dict.fromkeys(interleaved_texts.tolist()) if self._are_files else ():
            source = self._texts[number].source
            if isinstance(source, Path) and not source.exists():
                hint = "fix the configuration"
                raise NotFoundError("there is no such file", hint, where=Where(source))

    def require_format(self, variant: Variant, pairs: Pairs) -> None:
        """Refuse texts in a format that a variant does not read."""
        # In ISI files, the script finds no basic elements and continues.
        readable_formats = ("SIMPLE", "ISI") if variant.family == "be" else SENTENCE_FORMATS
        if self._formats.issubset(readable_formats):
            return
        for number in np.union1d(pairs.peers, pairs.models).tolist():
            source, _, format = self._texts[number]
            if format not in readable_formats:
                message = f"{variant.perl_name} does not read the format {format}"
                hint = "basic elements are SIMPLE and are read by -3 only"
                where = Where(source if isinstance(source, Path) else self._options.config)
                raise InputError(message, where=where, hint=hint)

    def _reading(self, variant: Variant) -> RougeReading:
        """Return the texts as a variant reads them; variants differ only with ``-M``."""
        if variant.family == "n":
            return self._plain
        if variant.family != "w":
            return self._models_stemmed
        # Subsequences are searched in unstemmed sentences, then checked against a stemmed model.
        flat_summaries, plain_summaries = self._models_stemmed.summaries, self._plain.summaries
        arrays = plain_summaries.sentence_ids, plain_summaries.sentences, plain_summaries.texts
        return RougeReading(kernels.Summaries(flat_summaries.ids, flat_summaries.starts, *arrays))

    @cached_property
    def _contents(self) -> list[str | list[bytes]]:
        return [_text_content(text) for text in self._texts]

    def _basic_elements(self, number: int) -> list[BasicElement]:
        if number not in self._elements:
            text, options = self._texts[number], self._options
            assert isinstance(text.source, Path)
            data = b"" if text.format == "ISI" else _read_data(text.source)
            elements = parse_basic_elements(data, Where(text.source))
            if options.stem or (text.is_model and options.stem_models_only):
                elements = [stem_element(element, self._lexicon) for element in elements]
            self._elements[number] = elements
        return self._elements[number]

    @cached_property
    def _plain(self) -> RougeReading:
        return self._read(stem_models=False)

    @cached_property
    def _models_stemmed(self) -> RougeReading:
        return self._read(stem_models=True)

    def _read(self, *, stem_models: bool) -> RougeReading:
        options = self._options
        if options.limit is None and not options.stem_models_only:
            return RougeReading.of(*self._vocabulary().encode(self._contents))
        encode: Callable[[list[list[bytes]]], kernels.Encoding] = self._vocabulary().encode
        if options.stem_models_only:
            encode = partial(self._encode_words, stem_models=stem_models)
        sentences = [
            parse_sentences(as_bytes(text), "SPL") if isinstance(text, str) else text
            for text in self._contents
        ]
        return read_limited(encode, sentences, options.limit)

    def _vocabulary(self) -> kernels.Vocabulary:
        stem, stop_words = self._options.stem, self._options.stop_words
        return kernels.Vocabulary(self._lexicon, stem=stem, stop_words=stop_words)

    def _encode_words(self, texts: list[list[bytes]], *, stem_models: bool) -> kernels.Encoding:
        """Encode texts word by word, since peers and models are treated differently."""
        vocabulary = self._token_vocabulary
        ids, sentence_ends, text_ends = [np.empty(0, np.int32)], [0], [0]
        for text, sentences in zip(self._texts, texts, strict=True):
            for sentence in sentences:
                tokens = kernels.rouge_tokens(sentence)
                if self._options.stop_words:
                    tokens = [word for word in tokens if not self._lexicon.is_stop_word(word)]
                if text.is_model and stem_models:
                    tokens = [self._lexicon.stem(word) for word in tokens]
                ids.append(vocabulary.encode_words(tokens))
                sentence_ends.append(sentence_ends[-1] + len(tokens))
            text_ends.append(len(sentence_ends) - 1)
        return np.concatenate(ids), np.array(sentence_ends), np.array(text_ends)


def _text_content(text: _Text) -> str | list[bytes]:
    """Return a text from a stream unchanged, and a text from a file as its sentences."""
    if isinstance(text.source, str):
        return text.source
    return [] if text.format == "SIMPLE" else parse_sentences(_read_data(text.source), text.format)


def _read_data(path: Path) -> bytes:
    return read_bytes(path) if is_readable(path) else b""


def _require_script(path: Path, n_other_letters: int, n_letters: int) -> None:
    """Refuse texts in a script that ROUGE-1.5.5 ignores; warn about accents."""
    share = n_other_letters / max(n_letters, 1)
    if share >= OTHER_SCRIPT_SHARE:
        raise InputError(
            f"{share:.0%} of the letters of the texts are not ASCII, and ROUGE-1.5.5 ignores them",
            where=Where(path),
            hint="use `pyramidion score -m rouge-2 --tokenizer unicode`",
        )
    tokenizer_for(share, None, fixed=True)


_RULE_LINE = "-" * 45
_DOTTED_LINE = "." * 45
_DEFAULT_PEER = "X"


def _ignore(message: str) -> None:
    """Ignore a message."""


def run_perl(options: PerlOptions, *, warn: Callable[[str], None] = _ignore) -> Iterator[str]:
    """Score the files of a configuration and yield the script's output, line by line."""
    is_distributed = options.engine.engine != "in-process" and options.list_format is None
    if in_parts(address_of(str(options.config))) or (is_distributed and _is_stream(options.config)):
        yield from _run_parts(options, warn)
        return
    for line in options.engine.ineffective:
        warn(line)
    comparisons, texts = _read_comparisons_and_texts(
        options, warn, partial(_read_comparisons, options)
    )
    _require_script(options.config, *texts.letters())
    evaluations = dict.fromkeys(comparisons.evaluations)
    comparisons_by_peer = {
        peer: _sort_comparisons(comparisons, peer) for peer in _scored_peers(options, comparisons)
    }
    for peer, variant_counts in _count_variants(options, texts, comparisons_by_peer):
        ids = dict.fromkeys(row.evaluation for row in comparisons.by_peer.get(peer, ()))
        for id in evaluations if len(ids) < len(evaluations) else ():
            if id not in ids:
                warn(f"peer {peer} is missing from evaluation {id}: skipped")
        if ids or options.list_format is not None:
            yield from _peer_lines(options, list(ids), variant_counts, peer)
    yield from _warn_unknown_modes(options, warn)


def _sort_comparisons(comparisons: _Comparisons, peer: str) -> list[_Comparison]:
    """Return a peer's comparisons, sorted by name as text: 1.X, 10.X, 2.X."""
    return sorted(comparisons.by_peer.get(peer, ()), key=lambda row: f"{row.evaluation}.{peer}")


def _read_comparisons_and_texts(
    options: PerlOptions, warn: Callable[[str], None], compare: Callable[[], _Comparisons]
) -> tuple[_Comparisons, PerlTexts]:
    """Read the script's lexicon, then the comparisons."""
    stems = options.stem or options.stem_models_only
    lexicon = perl_lexicon(options.data, exceptions=options.exceptions, stems=stems, warn=warn)
    comparisons = compare()
    return comparisons, PerlTexts(options, comparisons.text_indices, lexicon)


def _warn_unknown_modes(options: PerlOptions, warn: Callable[[str], None]) -> Iterator[str]:
    """Warn about unknown modes, after all output."""
    for mode in (v.parameter for v in options.variants if v.family == "be"):
        if mode not in BE_MODES:
            warn(f"-3 {mode} counts nothing: the modes are {', '.join(BE_MODES)}")
    yield from ()


#: By peer: its evaluations, and the counts of each variant, one row per evaluation.
_PeerCounts = dict[str, tuple[list[str], list[Counts]]]


def _run_parts(options: PerlOptions, warn: Callable[[str], None]) -> Iterator[str]:
    """Count the pieces of a stream or of a folder of parts, and average over all of them."""
    source, letters = address_of(str(options.config)), []
    parts: dict[str, list[tuple[list[str], list[Counts]]]] = {}
    paths = [source]
    if in_parts(source):
        paths = [join_path(source, name) for name in part_names(source)]
    pieces = chain.from_iterable(map(cut_for_workers, paths))
    with options.engine.opened() as engine:
        require_ready(engine, absolute(paths[0]))
        for part_counts, part_letters in engine.map(partial(_count_part, options), pieces):
            letters.append(part_letters)
            for peer, peer_counts in part_counts.items():
                parts.setdefault(peer, []).append(peer_counts)
    _require_script(options.config, *map(sum, zip(*letters, strict=True)))
    by_peer: _PeerCounts = {}
    for peer, peer_parts in parts.items():
        names, counts = zip(*peer_parts, strict=True)
        totals = [Counts.joined(parts) for parts in zip(*counts, strict=True)]
        by_peer[peer] = list(chain(*names)), totals
    all_names = {name for names, _ in by_peer.values() for name in names}
    for peer in _named_peers(options, sorted(by_peer)):
        peer_names, variant_counts = by_peer[peer]
        if n_missing := len(all_names) - len(set(peer_names)):
            warn(f"peer {peer} is missing from {n_missing} evaluations: skipped")
        evaluation_names = [f"evaluation {name} of peer {peer}" for name in peer_names]
        _require_distinct(options.config, evaluation_names)
        order = sorted(range(len(peer_names)), key=lambda row: f"{peer_names[row]}.{peer}")
        yield from _peer_lines(options, peer_names, (part[order] for part in variant_counts), peer)
    yield from _warn_unknown_modes(options, warn)


def _count_part(options: PerlOptions, piece: Piece) -> tuple[_PeerCounts, tuple[int, int]]:
    """Count all peers of a piece, and its letters."""
    items = _part_items(piece)
    comparisons, texts = _read_comparisons_and_texts(
        options, _ignore, partial(_stream_comparisons, options.config, items)
    )
    rows_by_peer = {
        peer: comparisons
        for peer, comparisons in comparisons.by_peer.items()
        if options.all_peers or peer == options.peer
    }
    counts: _PeerCounts = {
        peer: ([row.evaluation for row in rows_by_peer[peer]], list(variant_counts))
        for peer, variant_counts in _count_variants(options, texts, rows_by_peer)
    }
    return counts, texts.letters()


def _part_items(piece: Piece) -> Iterator[StreamItem]:
    with piece.fix_error_lines():
        for record in piece.records():
            if isinstance(record, Unread):
                raise record.error
            yield StreamItem.from_record(record)


def _read_comparisons(options: PerlOptions) -> _Comparisons:
    if options.list_format is None and _is_stream(options.config):
        return _stream_comparisons(options.config, read_stream(options.config))
    comparisons = _Comparisons()
    for evaluation in _read_evaluations(options):
        comparisons.evaluations.append(evaluation.id)
        format = evaluation.input_format
        # If several files have the same id, the last one counts.
        peers, models = (
            {file.id: comparisons.text_index(file.path, is_model, format) for file in files}
            for is_model, files in ((False, evaluation.peers), (True, evaluation.models))
        )
        numbers = [models[file.id] for file in evaluation.models]
        for peer, number in peers.items():
            comparisons.add(peer, _Comparison(evaluation.id, number, numbers))
    return comparisons


def _read_evaluations(options: PerlOptions) -> Sequence[RougeEvaluation]:
    if options.list_format is None:
        evaluations = read_rouge_config(options.config).evaluations
        _require_distinct(options.config, [f"EVAL {evaluation.id}" for evaluation in evaluations])
        return evaluations
    peer = options.peer or _DEFAULT_PEER
    list_evaluations = read_rouge_list(options.config, options.list_format, peer=peer).evaluations
    for evaluation in list_evaluations:
        if not evaluation.models:
            message = f"no model is named for {evaluation.peers[0].path}"
            where = Where(options.config, element=f"evaluation {evaluation.id}")
            raise FormatError(message, where=where, hint="write a peer and its models on each line")
    return list_evaluations


def _is_stream(path: Path) -> bool:
    return table_beginning(path).startswith(b"{")


def reads_xml(options: PerlOptions) -> bool:
    """Return whether ids come from XML; the script prints those in Latin-1 if possible."""
    is_streamed = _is_stream(options.config) or in_parts(address_of(str(options.config)))
    return options.list_format is None and not is_streamed


def encode_line(line: str, *, latin: bool) -> bytes:
    """Encode a line of output."""
    try:
        return line.encode("latin-1" if latin else "utf-8")
    except UnicodeEncodeError:
        return line.encode("utf-8", "surrogateescape")


def _require_distinct(path: Path, names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        most_common, _ = Counter(names).most_common(1)[0]
        raise FormatError(f"{most_common} occurs twice", where=Where(path), hint="keep one")


def _stream_comparisons(path: Path, items: Iterable[StreamItem]) -> _Comparisons:
    """Read a stream's items as evaluations, each with its peer and references."""
    comparisons, names = _Comparisons(), []
    for item in items:
        evaluation = f"{item.topic}-{item.task}" if item.task else item.topic
        models = [comparisons.text_index(_as_lines(text), True) for text in item.references]
        text = comparisons.text_index(_as_lines(item.peer), False)
        comparisons.evaluations.append(evaluation)
        comparisons.add(item.system, _Comparison(evaluation, text, models))
        names.append(f"evaluation {evaluation} of peer {item.system}")
    _require_distinct(path, names)
    return comparisons


def _as_lines(text: TextInput) -> str:
    return text if isinstance(text, str) else as_bytes(text).decode("utf-8", "surrogatepass")


def _scored_peers(options: PerlOptions, comparisons: _Comparisons) -> list[str]:
    if options.list_format is not None:
        return [options.peer or _DEFAULT_PEER]
    return _named_peers(options, sorted(comparisons.by_peer))


def _named_peers(options: PerlOptions, names: list[str]) -> list[str]:
    if options.all_peers:
        return names
    if options.peer not in names:
        hint = f"available: {', '.join(names)}"
        raise NotFoundError(f"there is no peer {options.peer!r}", hint)
    return [options.peer]


def _count_variants(
    options: PerlOptions, texts: PerlTexts, comparisons_by_peer: Mapping[str, Sequence[_Comparison]]
) -> Iterator[tuple[str, Iterator[Counts]]]:
    """Count each variant for each peer, one row per comparison."""
    all_pairs = _pairs(
        [comparison for comparisons in comparisons_by_peer.values() for comparison in comparisons]
    )
    # One call for all peers and variants, since the kernels copy all texts on each call.
    counts = texts.count_words(all_pairs)
    n_items_before = start = 0
    for peer, comparisons in comparisons_by_peer.items():
        size = len(comparisons)
        end = start + sum(len(comparison.models) for comparison in comparisons)
        rows = slice(start, end)
        pairs = Pairs(
            all_pairs.peers[rows],
            all_pairs.models[rows],
            all_pairs.items[rows] - n_items_before,
            size,
        )
        count_by_variant = {variant: count[rows] for variant, count in counts.items()}
        yield peer, _peer_counts(options, texts, comparisons, pairs, count_by_variant)
        n_items_before, start = n_items_before + size, end


def _peer_counts(
    options: PerlOptions,
    texts: PerlTexts,
    peer_comparisons: Sequence[_Comparison],
    pairs: Pairs,
    word_counts: Mapping[Variant, Counts],
) -> Iterator[Counts]:
    texts.require_files(pairs)
    for variant in options.variants:
        texts.require_format(variant, pairs)
        yield combine_exactly(
            word_counts[variant]
            if variant in word_counts
            else texts.count_elements(variant, pairs),
            pairs,
            variant,
            options.rule,
            peer_words=texts.peer_words(pairs) if variant.family == "w" else None,
            name_of=lambda row: f"evaluation {peer_comparisons[pairs.items[row]].evaluation}",
        )


def _peer_lines(
    options: PerlOptions, evaluations: Sequence[str], variant_counts: Iterable[Counts], peer: str
) -> Iterator[str]:
    """Format a peer's evaluations; the rows of counts are sorted by evaluation name."""
    names = [f"{name}.{peer}" for name in evaluations]
    printed_names, row_names = sort_by_evaluation(names) if options.details else [], sorted(names)
    for variant, counts in zip(options.variants, variant_counts, strict=True):
        scores = score_exactly(counts, alpha=options.alpha)
        yield _RULE_LINE
        yield from _average_lines(options, peer, variant, counts, scores)
        if options.details:
            yield _DOTTED_LINE
            shown_lines = _format_evaluations(options, row_names, counts, scores)
            for name in printed_names:
                yield f"{peer} {variant.perl_name} Eval {name} {shown_lines[name]}"


def _average_lines(
    options: PerlOptions, peer: str, variant: Variant, counts: Counts, scores: ItemScores
) -> Iterator[str]:
    name = f"{peer} {variant.perl_name}"
    if options.counting == 2:
        model, peer_total, hits = (
            running_total(part.tolist()).to_digits() for part in counts.parts
        )
        yield f"{name} M_count: {model} P_count: {peer_total} H_count: {hits}"
        return
    if options.counting == 1:
        means = corpus_means(counts, options.resamples, options.alpha)
    else:
        means = bootstrap_means(np.stack(scores, axis=1), options.resamples)
    for letter, column in zip("RPF", means.T, strict=True):
        mean, low, high = map(decimals, interval(column, float(options.confidence)))
        yield f"{name} Average_{letter}: {mean} ({options.confidence}%-conf.int. {low} - {high})"


def _format_evaluations(
    options: PerlOptions, names: Sequence[str], counts: Counts, scores: ItemScores
) -> dict[str, str]:
    """Format the counts or scores of each evaluation."""

    def format_count(value: PerlNumber | float) -> str:
        return str(value if isinstance(value, PerlNumber) else PerlNumber(value))

    format_number: Callable[[Any], str] = format_count if options.counting else decimals
    parts = counts.parts if options.counting else scores
    rows = zip(names, *(map(format_number, column.tolist()) for column in parts), strict=True)
    return {name: f"R:{r} P:{p} F:{f}" for name, r, p, f in rows}
