"""The texts to compare, each read once."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from threading import local
from typing import TYPE_CHECKING, Any, TypeVar

from pyramidion import kernels
from pyramidion.collection.formats._rouge import parse_sentences
from pyramidion.errors import InputError, ShapeError
from pyramidion.rouge._rouge import LengthLimit, Rouge
from pyramidion.rouge.counting import CountTable, Pairs, RougeReading, kernel_units
from pyramidion.text import truncate_sentences
from pyramidion.text.encoding import as_sentences, encode, lines_of, numbered
from pyramidion.text.languages import guess_language
from pyramidion.text.sentences import stops_and_judges
from pyramidion.text.tokens import language_code, lexicon, stemmer_for

if TYPE_CHECKING:
    from pyramidion.kernels._native import GivenTexts

#: A summary: one text (its lines are its sentences), or its sentences.
TextInput = str | bytes | Sequence[str] | Sequence[bytes]

Id = TypeVar("Id", bound=Hashable)


@dataclass
class Items:
    """Texts, each stored and tokenized once, and the comparisons between them."""

    texts: list[TextInput] = field(default_factory=list)
    is_peer: list[bool] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    _text_indices: dict[Any, int] = field(default_factory=dict)
    _pairs: list[tuple[int, int, int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.names)

    def add(self, peer: TextInput, references: Sequence[TextInput], name: str) -> None:
        """Add a peer with its references."""
        if not references:
            raise InputError(f"{name} has no references", hint="add at least one, or leave it out")
        peer_index = self._text_index(peer, name, is_peer=True)
        for reference in references:
            reference_index = self._text_index(reference, name, is_peer=False)
            self._pairs.append((peer_index, reference_index, len(self.names)))
        self.names.append(name)

    def pairs(self) -> Pairs:
        """Return the comparisons as arrays."""
        return Pairs.of(self._pairs)

    def _text_index(self, text: TextInput, name: str, *, is_peer: bool) -> int:
        if not isinstance(text, str | bytes):
            text = _sentences(text, name)
        # Peers and references are stored separately: a length limit may apply to one of them only.
        key = (is_peer, text)
        index = self._text_indices.setdefault(key, len(self.texts))
        if index == len(self.texts):
            self.texts.append(text)
            self.is_peer.append(is_peer)
        return index


def _sentences(text: Any, name: str) -> tuple[Any, ...]:
    sentences = tuple(text) if _is_listed(text) else (text,)
    if not all(isinstance(sentence, str | bytes) for sentence in sentences):
        hint = "give a text or a list of sentences"
        raise InputError(f"a text of {name} is {text!r:.40}", hint)
    return sentences


def _is_listed(value: Any) -> bool:
    """Return whether a value is ordered, unlike mappings and sets."""
    return isinstance(value, Iterable) and not isinstance(value, Mapping | Set)


def match_references(
    peers: Mapping[Id, TextInput], references: Mapping[Id, Sequence[TextInput]]
) -> list[Sequence[TextInput]]:
    """Return references in the order of their peers; both must have the same ids."""
    for kind, names, other_ids in (("peer", peers, references), ("reference", references, peers)):
        missing_ids = [id for id in names if id not in other_ids]
        if missing_ids:
            missing_side = "references" if kind == "peer" else "a peer"
            raise ShapeError(
                f"{missing_ids[0]!r} has no {missing_side.removeprefix('a ')}"
                + (f", nor have {len(missing_ids) - 1} others" if len(missing_ids) > 1 else ""),
                hint=f"add {missing_side}, or leave it out",
            )
    return [references[id] for id in peers]


def align_items(
    peers: Sequence[TextInput],
    references: Sequence[TextInput | Sequence[TextInput]],
    names: Iterable[str],
) -> Items:
    """Pair peers with lists of references of the same length and order."""
    items = Items()
    for peer, texts, name in zip(peers, references, names, strict=False):
        items.add(peer, _reference_list(texts, name), name)
    return items


def _reference_list(references: Any, name: str) -> Sequence[TextInput]:
    if isinstance(references, str | bytes):
        return [references]
    if not _is_listed(references):
        hint = "give a list of texts"
        raise InputError(f"the references of {name} are {references!r:.40}", hint)
    return list(references)


def require_shape(peers: Sequence[Any], references: Sequence[Any]) -> None:
    """Refuse lists of different lengths."""
    if len(references) == len(peers):
        return
    lengths = {
        len(reference_list)
        for reference_list in references
        if isinstance(reference_list, list | tuple)
    }
    if lengths == {len(peers)}:
        raise ShapeError(
            f"{len(peers)} peers, but {len(references)} lists of {len(peers)} references each",
            hint="give one list of references for each peer: list(zip(*references))",
        )
    hint = "give one list of references for each peer, in the same order"
    raise ShapeError(f"{len(peers)} peers, but {len(references)} lists of references", hint)


def read_items(rouge: Rouge, items: Items) -> RougeReading:
    """Tokenize the texts of items."""
    if rouge.exact:
        sentences = [parse_sentences(as_bytes(text), "SPL") for text in items.texts]
        return read_limited(_vocabulary(rouge).encode, sentences, rouge.limit)
    if rouge.stem is True and rouge.language is None:
        _require_english(items.texts)
    texts: list[Any] = items.texts
    if rouge.limit is not None:
        rows = zip(texts, items.is_peer, strict=True)
        texts = [_truncate(rouge, text) if is_peer else text for text, is_peer in rows]
    if rouge.sentences == "whole":
        texts = [(text,) if isinstance(text, str | bytes) else text for text in texts]
    elif _needs_sentences(rouge):
        language = language_code(rouge.language or "en")
        texts = [_split_prose(rouge, text, language) for text in texts]
    reading = RougeReading.of(*_encode_texts(rouge, texts))
    return reading.as_one_sentence if rouge.sentences == "whole" else reading


def _encode_texts(rouge: Rouge, texts: list[Any]) -> kernels.Encoding:
    """Encode words as ids; only their equality matters, not their range."""
    tokenizer, stem = rouge.tokenizer or "rouge", stemmer_for(rouge.stem, rouge.language)
    if not callable(stem):
        return numbered(texts, _vocabularies(rouge, stem)[0], tokenizer)
    stop_words, exceptions = rouge.stop_words, rouge.exceptions
    numbers = encode(
        texts, tokenizer=tokenizer, stem=stem, stop_words=stop_words, exceptions=exceptions
    )
    return numbers.ids, numbers.sentences, numbers.texts


class _VocabularyCache(local):
    """The vocabularies of a thread, so that words are stemmed once."""

    def __init__(self) -> None:
        self.vocabularies: dict[Any, list[kernels.Vocabulary]] = {}


_VOCABULARY_CACHE = _VocabularyCache()
#: A vocabulary with more words is replaced by a new one.
_MAX_CACHED_WORDS = 50_000


def cached_vocabularies(
    stem: bool | str, *, exceptions: bool = True, stop_words: bool = False, threads: int = 1
) -> list[kernels.Vocabulary]:
    """Return a vocabulary for each thread."""
    key = (exceptions, stem, stop_words)
    vocabularies = [
        vocabulary
        for vocabulary in _VOCABULARY_CACHE.vocabularies.get(key, ())
        if len(vocabulary) <= _MAX_CACHED_WORDS
    ]
    while len(vocabularies) < threads:
        lexicon_used = lexicon(exceptions=exceptions, nltk=stem == "nltk")
        vocabularies.append(
            kernels.Vocabulary(lexicon_used, stem=bool(stem), stop_words=stop_words)
        )
    _VOCABULARY_CACHE.vocabularies[key] = vocabularies
    return vocabularies[:threads]


def _vocabularies(rouge: Rouge, stem: bool | str, threads: int = 1) -> list[kernels.Vocabulary]:
    exceptions, stop_words = rouge.exceptions, rouge.stop_words
    return cached_vocabularies(stem, exceptions=exceptions, stop_words=stop_words, threads=threads)


def wrap_texts(rouge: Rouge, peers: Any, references: Any) -> "GivenTexts | None":
    """Wrap texts for the kernels that read and compare in one pass; None if they cannot."""
    if kernels.GivenTexts is None or rouge.exact or rouge.limit is not None:
        return None
    if rouge.tokenizer not in (None, "rouge") or callable(stemmer_for(rouge.stem, rouge.language)):
        return None
    texts = kernels.GivenTexts.of(peers, references)
    if texts is None or hasattr(texts, "splits") or not (texts.prose and _needs_sentences(rouge)):
        return texts
    # Kernels that were compiled before they could split sentences need split texts.
    split = partial(_split_prose, rouge, language=language_code(rouge.language or "en"))
    split_references = [
        [split(text) for text in _reference_list(reference_list, "")]
        for reference_list in references
    ]
    return kernels.GivenTexts.of([split(text) for text in peers], split_references)


def count_wrapped(
    rouge: Rouge, texts: "GivenTexts", peers: Any, references: Any, threads: int
) -> CountTable | None:
    """Count each variant for every peer and reference; None if texts are too long."""
    if rouge.stem is True and rouge.language is None:
        rows = zip(peers, references, strict=True)
        _require_english(
            text
            for peer, reference_list in rows
            for text in (peer, *_reference_list(reference_list, ""))
        )
    stem: Any = stemmer_for(rouge.stem, rouge.language)
    units = kernel_units(rouge.variants)
    vocabularies = _vocabularies(rouge, stem, threads)
    rules: tuple[Any, ...] = ()
    if texts.prose and _needs_sentences(rouge) and hasattr(texts, "splits"):
        rules = stops_and_judges(language_code(rouge.language or "en"))
    count_array = texts.units(vocabularies, units, rouge.sentences == "whole", *rules)
    if count_array is None:
        return None
    weights = [number if family == "w" else 1.0 for family, number in units]
    return CountTable(rouge.variants, count_array.reshape(len(units), 3, -1), weights)


def _needs_sentences(rouge: Rouge) -> bool:
    return rouge.sentences == "split" and (rouge.l or rouge.w is not None)


def _split_prose(rouge: Rouge, text: TextInput, language: str) -> TextInput:
    """Split prose into sentences; texts with lines, and lists, are left as they are."""
    if not isinstance(text, str | bytes):
        return text
    text = _as_text(rouge, text)
    return text if "\n" in text.strip() else as_sentences(text, language)


def _require_english(texts: Iterable[TextInput]) -> None:
    """Refuse to stem texts as English that look like another language."""
    decoded_texts = (
        text if isinstance(text, str) else as_bytes(text).decode("utf-8", "replace")
        for text in texts
    )
    language = guess_language(decoded_texts)
    if language != "en":
        raise InputError(
            f"the texts look like another language ({language}), and stem stems English",
            hint=f"set the language, as in language={language}, or en to stem them anyway",
        )


def _vocabulary(rouge: Rouge) -> kernels.Vocabulary:
    stemming_lexicon = lexicon(exceptions=rouge.exceptions)
    return kernels.Vocabulary(stemming_lexicon, stem=bool(rouge.stem), stop_words=rouge.stop_words)


def read_limited(
    encode: Callable[[list[list[bytes]]], kernels.Encoding],
    texts: Sequence[list[bytes]],
    limit: LengthLimit | None,
) -> RougeReading:
    """Read texts as ROUGE-1.5.5 does, which may truncate flat texts and sentences differently."""
    if limit is None:
        return RougeReading.of(*encode(list(texts)))
    ids, sentences, bounds = encode([limit.truncate_flat(text) for text in texts])
    if limit.unit == "words":
        return RougeReading.of(ids, sentences, bounds)
    limited_arrays = encode([limit.truncate_sentences(text) for text in texts])
    return RougeReading(kernels.Summaries(ids, sentences[bounds], *limited_arrays))


def as_bytes(text: TextInput) -> bytes:
    """Return a text as the bytes of a file for ROUGE-1.5.5."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    return text if isinstance(text, bytes) else b"\n".join(as_bytes(part) for part in text)


def _truncate(rouge: Rouge, text: TextInput) -> TextInput:
    lines = [_as_text(rouge, line) for line in lines_of(text)]
    if rouge.words is not None:
        shortened_lines = truncate_sentences(lines, rouge.words)
    else:
        assert rouge.bytes is not None
        shortened_lines = _first_bytes(lines, rouge.bytes)
    return "\n".join(shortened_lines) if isinstance(text, str | bytes) else tuple(shortened_lines)


def _first_bytes(lines: Sequence[str], n_bytes_left: int) -> list[str]:
    cut_sentences = []
    for line in lines:
        data = as_bytes(line)[:n_bytes_left]
        n_bytes_left -= len(data)
        # Drop a character that was cut in half.
        cut_sentences.append(data.decode("utf-8", "ignore"))
    return cut_sentences


def _as_text(rouge: Rouge, text: str | bytes) -> str:
    """Decode bytes; ROUGE-1.5.5's tokenizer treats invalid UTF-8 as blanks anyway."""
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8", "replace" if rouge.tokenizer in (None, "rouge") else "strict")
    except UnicodeDecodeError as error:
        raise InputError(
            f"a text is not UTF-8: byte 0x{text[error.start]:02x} at position {error.start}",
            hint="decode it first, or use the rouge tokenizer, which accepts any bytes",
        ) from None
