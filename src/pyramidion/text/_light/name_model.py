"""Recognition of names of persons, places and organizations.

Each capitalized word is classified by its letters, lists of names, the words around its run of
capitals, and evidence from the whole text (after a title, before *said*, after *in*). Predictions
for other occurrences of the word in the text are then taken into account.
"""

import lzma
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise, starmap
from typing import Any, Final, NamedTuple
from unicodedata import combining, normalize

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.text._english import english_file
from pyramidion.text._light.name_words import name_words
from pyramidion.text._tagging import (
    HashedWeights,
    Hashes,
    Templates,
    hash_text,
    is_all_capitals,
    load_tagger,
    read_model,
)

KINDS: Final = ("person", "place", "organization")
LABELS: Final = ("", *(f"{part}{kind}" for kind in KINDS for part in "BI"))
"""The labels of words: none, or the first or a further word of a name."""
LOG_STEP: Final = 0.012
"""Weights are integer multiples of this."""


def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Words that may join the capitalized words of a name.
_JOINING_WORDS: Final = _split_words("of the and & - – / for ' ’ 's ’s .")
_FUNCTION_WORDS: Final = _split_words(
    "the a an of in at on by for from to with and or , . ; : ( ) \" '' `` ' 's ’s who "
    "whose whom that which is was has had he she his her him it its they near into over "
    "against between after before as than"
)
_PRONOUNS: Final = _split_words("he she his her him himself herself")
_PHRASE_TAGS: Final = _split_words("CD DT HYPH JJ JJR JJS NN NNP POS PRP$ RB")
_MAX_NEARBY_WORDS, _MAX_WORDS_BETWEEN = 8, 3

Tagged = tuple[Sequence[str], Sequence[str]]
"""The words of a sentence and their fine tags."""


@cache
def listed_names() -> tuple[Mapping[str, str], Mapping[str, tuple[tuple[str, ...], ...]]]:
    """Read the lists: the kind of each lower-case word, and companies by first word."""
    path = files("pyramidion.text") / "data" / "name_lists.txt.xz"
    kinds: dict[str, str] = {}
    companies: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for line in lzma.decompress(path.read_bytes()).decode().splitlines():
        kind, _, words = line.partition("\t")
        if kind == "companies":
            for name in words.split("|"):
                companies[name.split()[0]].append(tuple(name.split()))
        else:
            kinds |= dict.fromkeys(words.split(), kind)
    return kinds, {first: tuple(names) for first, names in companies.items()}


def without_accents(word: str) -> str:
    """Return a word in lower case without accents."""
    lowercase = word.lower()
    if lowercase.isascii():
        return lowercase
    return "".join(
        character for character in normalize("NFD", lowercase) if not combining(character)
    )


class WordFeatures(NamedTuple):
    """Features of a word that do not depend on its context."""

    lower: str
    last2: str
    last3: str
    last4: str
    first3: str
    shape: str
    listed: str  # lists of names that contain it
    context: str  # hints about names around it
    common: str


def _shape(word: str) -> str:
    shape = ""
    for letter in word:
        kind = "X" if letter.isupper() else "x" if letter.islower() else letter
        kind = "0" if letter.isdigit() else kind
        if shape[-2:] != kind * 2:
            shape += kind
    return shape[:6]


def _context(word: str, lowercase: str) -> str:
    words_by_list, is_capitalized = name_words(), word[:1].isupper()
    tests = (
        ("T", word in words_by_list["titles"] or lowercase in _lowercase_list("titles")),
        ("R", lowercase in words_by_list["roles"]),
        ("S", lowercase in words_by_list["says"]),
        ("O", is_capitalized and lowercase in _lowercase_list("organizations")),
        ("P", word in words_by_list["places"] or word in words_by_list["opening_places"]),
        ("X", word in words_by_list["others"]),
    )
    letters = "".join(letter for letter, is_true in tests if is_true)
    return letters or (lowercase if not is_capitalized and lowercase in _FUNCTION_WORDS else "")


@cache
def _lowercase_list(kind: str) -> frozenset[str]:
    return frozenset(word.lower() for word in name_words()[kind])


_CACHE_SIZE: Final = 200_000


@lru_cache(_CACHE_SIZE)
def word_features(word: str) -> WordFeatures:
    """Return the features of a word."""
    lowercase, is_common = word.lower(), load_tagger().is_common(word.lower())
    affixes = lowercase[-2:], lowercase[-3:], lowercase[-4:], lowercase[:3]
    list_name = listed_names()[0].get(without_accents(word), "")
    context = _context(word, lowercase)
    return WordFeatures(
        lowercase, *affixes, _shape(word), list_name, context, "c" if is_common else "s"
    )


class Run(NamedTuple):
    """Consecutive capitalized words; ``core`` is the first that is not a title."""

    first: int
    core: int
    last: int


def _has_capital(word: str) -> bool:
    return word != word.lower()


def with_capitals(words: Sequence[str]) -> Sequence[str]:
    """Convert a sentence in all capitals to capitalized words; leave others unchanged."""
    return [word.capitalize() for word in words] if is_all_capitals(words) else words


def runs_of(words: Sequence[str]) -> Iterator[Run]:
    """Yield runs of capitalized words, which hyphens and particles may join."""
    particles, first = name_words()["particles"], 0
    while first < len(words):
        if not _has_capital(words[first]):
            first += 1
            continue
        last = first
        while last + 1 < len(words):
            step = 1 if _has_capital(words[last + 1]) else 2
            word_between = words[last + 1]
            is_joined = step == 1 or word_between in "-–&" or word_between in particles
            if last + step >= len(words) or not is_joined or not _has_capital(words[last + step]):
                break
            last += step
        core = first
        while core < last and "T" in word_features(words[core]).context:
            core += 1
        yield Run(first, core, last)
        first = last + 1


def candidates(words: Sequence[str]) -> list[int]:
    """Return the indices of words that may belong to names."""
    indices: list[int] = []
    joining_words = _JOINING_WORDS | name_words()["particles"]
    for index, word in enumerate(words):
        previous_index = indices[-1] if indices else -2
        if _has_capital(word):
            gap = words[previous_index + 1 : index] if indices else ()
            if len(gap) <= _MAX_WORDS_BETWEEN and all(
                w in joining_words or w.isdigit() for w in gap
            ):
                indices += range(previous_index + 1, index) if indices else ()
            indices.append(index)
        elif previous_index == index - 1 and word.isdigit():
            indices.append(index)
        elif (
            index > 1
            and previous_index == index - 2
            and words[index - 1] in "-–"
            and word.isalpha()
        ):
            # *Cheng Chung-tai*: the lower-case part after the hyphen belongs to the name.
            indices += [index - 1, index]
    return indices


_CONTEXT_FLAGS: Final = tuple("TSWIDZ1")
_COLUMNS: Final = (*_CONTEXT_FLAGS, "G", "O", "N")


class TextEvidence:
    """Evidence from a whole text: a set of flags per word."""

    def __init__(self, text: Iterable[Tagged]) -> None:
        self.flags: defaultdict[str, set[str]] = defaultdict(set)
        self.name_counts: Counter[str] = Counter()
        self.lowercase_words: set[str] = set()
        self._columns: dict[str, tuple[str, ...]] = {}
        for words, tags in text:
            if not is_all_capitals(words):
                self.lowercase_words.update(word for word in words if word.islower())
                for run in runs_of(words):
                    if run.last or tags[0] in {"NNP", "NNPS"}:
                        self._note_run(words, run)

    def _note_run(self, words: Sequence[str], run: Run) -> None:
        core = words[run.core : run.last + 1]
        if "T" in word_features(core[0]).context:
            return
        self.name_counts.update(core)
        flags = set(_seen_around(words, run))
        for word in core if "T" in flags else core[-1:]:
            self.flags[word] |= flags
        if len(core) > 1:
            inner_flag = _seen_inside(core)
            for word in core[:-1]:
                self.flags[word].add(f"{inner_flag}f")
            self.flags[core[-1]].add(f"{inner_flag}l")

    def columns(self, word: str) -> tuple[str, ...]:
        """Return the evidence for a word, one value per kind."""
        columns = self._columns.get(word)
        if columns is None:
            flags = self.flags.get(word, set())
            single_flags = [flag if flag in flags else "-" for flag in _CONTEXT_FLAGS]
            inner_flags = [
                min((flag for flag in flags if flag[0] == kind), default="-") for kind in "GON"
            ]
            columns = self._columns[word] = (*single_flags, *inner_flags)
        return columns

    def frequency(self, word: str) -> str:
        """Return whether a word also occurs in lower case, and its count in names up to 3."""
        seen_lowercase = "l" if word.lower() in self.lowercase_words else ""
        return f"{seen_lowercase}{min(self.name_counts[word], 3) or ''}"


def _seen_around(words: Sequence[str], run: Run) -> Iterator[str]:
    previous_word = words[run.first - 1].lower() if run.first else "^"
    next_word, second_word = (
        _value_at(words, run.last + 1).lower(),
        _value_at(words, run.last + 2).lower(),
    )
    speech_verbs = name_words()["says"]
    if run.core > run.first or previous_word in name_words()["roles"]:
        yield "T"
    if next_word in speech_verbs or (previous_word in speech_verbs and next_word in ",."):
        yield "S"
    is_age = second_word.isdigit() and len(second_word) == 2
    if next_word == "who" or (next_word == "," and (is_age or second_word in {"who", "whose"})):
        yield "W"
    if previous_word in {"in", "at", "near", "from"}:
        yield "I"
    if previous_word == "the":
        yield "D"
    if next_word in {"'s", "’s"}:
        yield "Z"
    if run.first == run.last:
        yield "1"


def _seen_inside(core: Sequence[str]) -> str:
    """Return whether several words begin with a given name, or end like an organization."""
    if "O" in word_features(core[-1]).context:
        return "O"
    list_marks = word_features(core[0]).listed
    return f"G{list_marks[1]}" if list_marks[:1] == "g" else "N"


def _value_at(words: Sequence[str], index: int) -> str:
    return words[index] if 0 <= index < len(words) else "$"


@dataclass(frozen=True, slots=True)
class RunFeatures:
    """Features of a run of capitalized words."""

    first: str
    last: str
    size: str
    before: str
    after: str
    second: str
    tags: str
    about: str
    described: str
    strange: str
    pronoun: str

    @classmethod
    def of(
        cls, words: Sequence[str], tags: Sequence[str], run: Run, following_word: str, pronoun: int
    ) -> "RunFeatures":
        """Return the features of a run; `pronoun` is the index of the last pronoun, or -1."""
        core, last = word_features(words[run.core]), word_features(words[run.last])
        core_words = words[run.core : run.last + 1]
        are_unknown = all(
            word_features(word).common == "s" for word in core_words if word.isalpha()
        )
        return cls(
            core.listed + core.context,
            last.listed + last.context,
            str(min(len(core_words), 5)),
            words[run.first - 1].lower() if run.first else "^",
            _value_at(words, run.last + 1).lower(),
            _value_at(words, run.last + 2).lower(),
            f"{tags[run.first - 1] if run.first else '^'} {_value_at(tags, run.last + 1)}",
            word_features(words[run.first - 1]).context if run.first else "^",
            _kind_after_comma(words, tags, run.last + 1),
            "y" if are_unknown else "n",
            "a" * (pronoun > run.last) + "n" * (following_word in {"He", "She", "His", "Her"}),
        )


def _kind_after_comma(words: Sequence[str], tags: Sequence[str], comma: int) -> str:
    """Return the kind of noun or clause after a comma."""
    if _value_at(words, comma) != ",":
        return ""
    for index in range(comma + 1, min(comma + 1 + _MAX_NEARBY_WORDS, len(words))):
        lowercase = words[index].lower()
        if tags[index] in {"NN", "NNS"} and _value_at(tags, index + 1) not in {"NN", "NNS"}:
            return "R" if lowercase in name_words()["roles"] else "n"
        if tags[index] not in _PHRASE_TAGS:
            return lowercase if lowercase in {"who", "whose", "whom", "which", "where"} else ""
    return ""


#: All features of a word; those that do not depend on the context come first.
_FEATURE_NAMES: Final = (
    *WordFeatures._fields,
    *("tag", "company", "place", "often", *RunFeatures.__slots__),
    *(f"own{flag}" for flag in _COLUMNS),
    *(f"end{flag}" for flag in _COLUMNS),
)


@lru_cache(_CACHE_SIZE)
def _hash(number: int, feature: str) -> int:
    return hash_text(f"{number}{feature}")


def _hash_features(feature_texts: Iterable[str], first: int = 0) -> list[int]:
    """Hash features with their numbers."""
    return list(starmap(_hash, enumerate(feature_texts, first)))


@lru_cache(_CACHE_SIZE)
def _hashed_word(word: str) -> list[int]:
    return _hash_features(word_features(word))


_SHAPE_INDEX, _TAG_INDEX, _COMPANY_INDEX, _PLACE_INDEX = map(
    _FEATURE_NAMES.index, ("shape", "tag", "company", "place")
)


@cache
def _empty_context_hashes() -> list[int]:
    """Hash the context features of a word outside runs of capitals."""
    return _hash_features([""] * (len(_FEATURE_NAMES) - _COMPANY_INDEX), _COMPANY_INDEX)


def _hash_rows(
    words: Sequence[str], tags: Sequence[str], text: TextEvidence, following_word: str
) -> list[list[int]]:
    """Hash the features of each word of a sentence."""
    seen_words = zip(words, tags, strict=True)
    rows = [
        [*_hashed_word(word), *_hash_features((tag,), _TAG_INDEX), *_empty_context_hashes()]
        for word, tag in seen_words
    ]
    rows[0][_SHAPE_INDEX : _SHAPE_INDEX + 1] = _hash_features(
        (f"{word_features(words[0]).shape}^",), _SHAPE_INDEX
    )
    for index in _company_indices(words):
        rows[index][_COMPANY_INDEX : _COMPANY_INDEX + 1] = _hash_features("c", _COMPANY_INDEX)
    pronoun = max((index for index, word in enumerate(words) if word in _PRONOUNS), default=-1)
    for run in runs_of(words):
        run_features = RunFeatures.of(words, tags, run, following_word, pronoun)
        run_values = [getattr(run_features, name) for name in RunFeatures.__slots__]
        end_columns = text.columns(words[run.last])
        for index in range(run.first, run.last + 1):
            word, position = words[index], _position_code(run, index)
            features = (
                position,
                text.frequency(word),
                *run_values,
                *text.columns(word),
                *end_columns,
            )
            rows[index][_PLACE_INDEX:] = _hash_features(features, _PLACE_INDEX)
    return rows


def _position_code(run: Run, index: int) -> str:
    title = "t" if index < run.core else ""
    if run.first == run.last:
        return f"S{title}"
    return ("B" if index == run.first else "E" if index == run.last else "M") + title


def _company_indices(words: Sequence[str]) -> Iterator[int]:
    companies = listed_names()[1]
    for first, word in enumerate(words):
        for name in companies.get(word.lower(), ()) if _has_capital(word) else ():
            if tuple(part.lower() for part in words[first : first + len(name)]) == name:
                yield from range(first, first + len(name))


@cache
def _templates() -> tuple[list[tuple[str, int]], Templates]:
    """Read the feature templates: names with offsets."""
    source = (files("pyramidion.text") / "data" / "name_features.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in source.splitlines() if line and line[0] != "#"]
    flag_templates = ("own{} place", "own{} listed place", "end{} place", "end{} size place")
    lines += [line.format(flag).split() for flag in _COLUMNS for line in flag_templates]
    indices: dict[tuple[str, int], int] = {}
    columns = []
    for line in lines:
        partitions = [term.partition("@") for term in line]
        pairs = [(name, int(offset or 0)) for name, _, offset in partitions]
        columns.append([indices.setdefault(pair, len(indices)) for pair in pairs])
    return list(indices), Templates(columns)


class NameCases(NamedTuple):
    """Words that may belong to names: their positions and hashed features.

    ``is_joint`` marks words that no name ends with.
    """

    sentences: Ints
    word_indices: Ints
    hashes: Hashes
    is_joint: Bools


_PADDING_ROWS: Final = 2


def cases_of(text: Sequence[Tagged]) -> NameCases:
    """Find the words of a text that may belong to names, with their features."""
    name_offsets, templates = _templates()
    capitalized_text = [(with_capitals(words), tags) for words, tags in text]
    evidence = TextEvidence(text)
    hash_rows: list[list[int]] = [[0] * len(_FEATURE_NAMES)] * _PADDING_ROWS
    sentences: list[int] = []
    word_indices: list[int] = []
    rows: list[int] = []
    are_joints: list[bool] = []
    for number, (words, tags) in enumerate(capitalized_text):
        indices = candidates(words)
        if not indices:
            continue
        following_word = (
            _value_at(capitalized_text[number + 1][0], 0)
            if number + 1 < len(capitalized_text)
            else ""
        )
        rows += [len(hash_rows) + index for index in indices]
        sentences += [number] * len(indices)
        word_indices += indices
        are_joints += [words[index] in _JOINING_WORDS for index in indices]
        hash_rows += _hash_rows(words, tags, evidence, following_word)
        hash_rows += [[0] * len(_FEATURE_NAMES)] * _PADDING_ROWS
    table, row_indices = np.array(hash_rows, np.uint32), np.array(rows, np.int64)
    columns = [
        table[row_indices + offset, _FEATURE_NAMES.index(name)] for name, offset in name_offsets
    ]
    features = templates.hashed(np.stack(columns, axis=1))
    return NameCases(
        np.array(sentences, np.int64),
        np.array(word_indices, np.int64),
        features,
        np.array(are_joints, np.bool_),
    )


def log_probabilities(scores: Any) -> Floats:
    """Convert scores to log probabilities."""
    shifted_scores = np.asarray(scores, np.float64)
    shifted_scores = shifted_scores - shifted_scores.max(axis=1, keepdims=True)
    log_shares: Floats = shifted_scores - np.log(np.exp(shifted_scores).sum(axis=1, keepdims=True))
    return log_shares


#: Added to probabilities before taking logarithms.
_MIN_PROBABILITY: Final = 1e-3
_LABEL_GROUPS: Final = ((0,), (1, 2), (3, 4), (5, 6))


def pool_evidence(text: Sequence[Tagged], cases: NameCases, logs: Floats) -> Floats:
    """Add the predictions for other occurrences of each word in the text."""
    kind_shares = np.stack(
        [np.exp(logs[:, labels]).sum(axis=1) for labels in map(list, _LABEL_GROUPS)], axis=1
    )
    log_shares = np.log(kind_shares + _MIN_PROBABILITY)
    occurrences: defaultdict[str, list[int]] = defaultdict(list)
    are_capitals = [is_all_capitals(sentence[0]) for sentence in text]
    for case, (number, index) in enumerate(zip(cases.sentences, cases.word_indices, strict=True)):
        word = text[number][0][index]
        if _has_capital(word) and not are_capitals[number]:
            occurrences[word].append(case)
    combined_logs = logs.copy()
    for same_word in occurrences.values():
        if len(same_word) > 1:
            other_evidence = (log_shares[same_word].sum(axis=0) - log_shares[same_word]) / len(
                same_word
            )
            for kind, labels in enumerate(_LABEL_GROUPS):
                combined_logs[np.ix_(same_word, labels)] += other_evidence[:, kind : kind + 1]
    return combined_logs


def _label_transitions() -> Floats:
    """Return the transition scores of labels: a name continues only with its own kind."""
    transitions = np.zeros((len(LABELS), len(LABELS)))
    for label_index, label in enumerate(LABELS):
        if label[:1] == "I":
            transitions[:, label_index] = -np.inf
            transitions[[label_index - 1, label_index], label_index] = 0
    return transitions


_TRANSITIONS: Final = _label_transitions()
_IN_NAMES: Final = np.array([label[:1] == "I" for label in LABELS])
#: The transition scores after a word that no name ends with.
_TRANSITIONS_AFTER_JOINT: Final = np.where(
    _IN_NAMES[:, None] & ~np.eye(len(LABELS), dtype=np.bool_), -np.inf, _TRANSITIONS
)


def best_labels(cases: NameCases, logs: Floats) -> Ints:
    """Find the most probable sequences of labels."""
    labels = np.zeros(len(logs), np.int64)
    is_separate = (np.diff(cases.sentences) != 0) | (np.diff(cases.word_indices) != 1)
    bounds = [0, *(np.flatnonzero(is_separate) + 1).tolist(), len(logs)]
    for first, end in pairwise(bounds):
        score = logs[first] + _TRANSITIONS[0]
        back_pointers = []
        for case in range(first + 1, end):
            follows = _TRANSITIONS_AFTER_JOINT if cases.is_joint[case - 1] else _TRANSITIONS
            transitions = score[:, None] + follows
            back_pointers.append(transitions.argmax(axis=0))
            score = transitions.max(axis=0) + logs[case]
        if cases.is_joint[end - 1]:
            score[_IN_NAMES] = -np.inf
        label = int(score.argmax())
        for case in range(end - 1, first - 1, -1):
            labels[case] = label
            label = int(back_pointers[case - first - 1][label]) if case > first else 0
    return labels


Span = tuple[int, int, str]
"""The first and last index of a name, and its kind."""


def spans_of(n_sentences: int, cases: NameCases, labels: Ints) -> list[list[Span]]:
    """Return the names of each sentence."""
    spans: list[list[Span]] = [[] for _ in range(n_sentences)]
    for sentence, index, label in zip(cases.sentences, cases.word_indices, labels, strict=True):
        part, kind = LABELS[label][:1], LABELS[label][1:]
        names = spans[sentence]
        if part == "I":
            names[-1] = (names[-1][0], int(index), kind)
        elif part:
            names.append((int(index), int(index), kind))
    return spans


@dataclass(frozen=True, eq=False)
class NameModel:
    """A trained model of names."""

    weights: HashedWeights

    def find(self, text: Sequence[Tagged]) -> list[list[Span]]:
        """Find the names in the tagged sentences of one text."""
        if not any(candidates(with_capitals(sentence[0])) for sentence in text):
            return [[] for _ in text]
        cases = cases_of(text)
        logs = log_probabilities(self.weights.score(cases.hashes) * LOG_STEP)
        return spans_of(len(text), cases, best_labels(cases, pool_evidence(text, cases, logs)))


@cache
def load_names() -> NameModel:
    """Load the built-in model."""
    return NameModel(read_model(english_file("names.model", "recognizing names"))[1])
