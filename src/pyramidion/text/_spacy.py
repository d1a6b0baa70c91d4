"""The spaCy pipeline behind the parser's interface."""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.text._english import english_file
from pyramidion.text._light.name_model import Span, load_names
from pyramidion.text._light.names import Roles
from pyramidion.text._light.trees import DependencyTree
from pyramidion.text.parsing import RELATIONS, ParsedWord

_BE_FORMS = ("be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m")


class SpacyTree(DependencyTree):
    """A tree of a spaCy pipeline."""

    @classmethod
    def of_tokens(cls, tokens: Sequence[Any]) -> "SpacyTree":
        """Read spaCy's tokens; heads that are spaces or outside are replaced by their heads."""
        index_of_token = {token.i: index for index, token in enumerate(tokens)}
        heads = []
        for index, token in enumerate(tokens):
            head = token.head
            while head.i not in index_of_token and head.head.i != head.i:
                head = head.head
            heads.append(index_of_token.get(head.i, index))
        return cls(heads, [token.dep_ for token in tokens])

    def top(self, first: int, last: int) -> int:
        """Return the first word of a range whose head is outside it."""
        word_range = range(first, last)
        roots = (i for i in word_range if self.heads[i] == i or self.heads[i] not in word_range)
        return next(roots, first)

    def swap(self, below: int, *, label: str, above_label: str) -> None:
        """Exchange a word with its head, whose dependents it takes over."""
        parent = self.heads[below]
        siblings = [child for child in self.children(parent) if child != below]
        head = self.heads[parent]
        self.heads[below] = below if head == parent else head
        self.labels[below] = label
        self.labels[parent] = above_label
        for reattached in (parent, *siblings):
            self.heads[reattached] = below

    def is_below(self, index: int, ancestors: Iterable[int]) -> bool:
        """Return whether a word is one of `ancestors` or below one of them."""
        targets, visited = set(ancestors), set[int]()
        while index not in visited:
            if index in targets:
                return True
            visited.add(index)
            index = self.heads[index]
        return False

    def keep_one_root(self) -> None:
        """Break cycles, and attach every further root to the first one."""
        self._break_cycles()
        first_root, *further_roots = [
            index for index, head in enumerate(self.heads) if head == index
        ]
        for root in further_roots:
            self.heads[root] = first_root
            self.labels[root] = "punct" if self.labels[root] == "punct" else "parataxis"
        # Other roots were attached, so they lose the label.
        self.labels = ["parataxis" if label.lower() == "root" else label for label in self.labels]
        self.labels[first_root] = "root"

    def _break_cycles(self) -> None:
        """Make a word of each cycle a root."""
        visited: set[int] = set()
        for start in range(len(self.heads)):
            index, path = start, set[int]()
            while index not in visited and index not in path:
                path.add(index)
                index = self.heads[index]
            if index in path:
                self.heads[index] = index
            visited |= path


def invert_function_words(tree: SpacyTree, tokens: Sequence[Any]) -> None:
    """Make nouns the heads of prepositions, and predicates the heads of forms of *be*."""
    for index, label in enumerate(tree.labels):
        if label not in ("pobj", "pcomp") or tree.heads[index] == index:
            continue
        parent_label = tree.labels[tree.heads[index]]
        if parent_label not in ("case", "mark", "pobj"):
            new_label, mark = ("advcl", "mark") if label == "pcomp" else ("obl", "case")
            is_preposition = parent_label in ("prep", "agent", "dative")
            tree.swap(index, label=new_label if is_preposition else parent_label, above_label=mark)
    for index, label in enumerate(tree.labels):
        head = tree.heads[index]
        verb = tokens[head].text.lower().replace("’", "'")
        if label in ("attr", "acomp") and verb in _BE_FORMS and tree.labels[head] != "cop":
            tree.swap(index, label=tree.labels[head], above_label="cop")


_ENTITY_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("PERSON", "PER"), "person"),
    **dict.fromkeys(("GPE", "LOC", "FAC", "PLACE"), "place"),
    **dict.fromkeys(("ORG", "ORGANIZATION"), "organization"),
}
#: Words after a name that belong to it.
_NAME_SUFFIXES = ("jr", "sr", "ii", "iii", "iv")
#: Words before names of places, and of things.
_PLACE_WORDS = ("st", "saint", "mount", "mt", "fort", "ft", "lake", "port", "cape")
_THING_WORDS = ("hurricane", "typhoon", "cyclone", "storm", "operation", "comet", "ferry", "ship")


@dataclass(frozen=True, slots=True)
class Name:
    """A name: words from ``first`` to before ``last``."""

    first: int
    last: int
    entity: str


def names_of(
    tree: SpacyTree, tokens: Sequence[Any], spans: Sequence[Span] | None = None
) -> list[Name]:
    """Return the names of `spans`, or the pipeline's; a person's first word becomes the head."""
    for index in range(1, len(tokens)):
        # *Jr.* is part of the name.
        is_suffix = tree.heads[index] < index and _normalized_text(tokens[index]) in _NAME_SUFFIXES
        if is_suffix and tokens[index - 1].pos_ == "PROPN":
            tree.labels[index] = "flat"
    if spans is None:
        candidates = list(_recognized_names(tokens))
    else:
        candidates = [Name(first, last + 1, kind) for first, last, kind in spans]
    names = [name for name in candidates if _is_name(tree, tokens, name)]
    recognized_names = [_with_title(tree, tokens, name) for name in names]
    titled_names = list(_titled_persons(tree, tokens))
    if spans is None:
        names = [*titled_names, *(_complete_name(tree, tokens, name) for name in recognized_names)]
    else:
        # Evidence from the whole text is more reliable than one tree.
        names = [*recognized_names, *titled_names]
    accepted_names, name_tokens = list[Name](), set[int]()
    for name in names:
        # Of overlapping names, keep the first.
        if not _is_thing(tree, tokens, name) and name_tokens.isdisjoint(
            range(name.first, name.last)
        ):
            accepted_names.append(name)
            name_tokens.update(range(name.first, name.last))
    return sorted(accepted_names, key=lambda name: name.first)


def _recognized_names(tokens: Sequence[Any]) -> Iterator[Name]:
    first = 0
    for index, token in enumerate(tokens):
        first = first if token.ent_iob_ == "I" else index
        ends_name = index + 1 == len(tokens) or tokens[index + 1].ent_iob_ != "I"
        entity = _ENTITY_KINDS.get(token.ent_type_.upper(), "")
        if entity and ends_name:
            yield Name(first, index + 1, entity)


def _is_name(tree: SpacyTree, tokens: Sequence[Any], name: Name) -> bool:
    """Return whether a name is more than titles, with a proper noun if it begins a sentence."""
    words = [index for index in range(name.first, name.last) if not _is_title(tree, index)]
    return any(name.first > 0 or tokens[index].pos_ in ("PROPN", "") for index in words)


def _is_title(tree: SpacyTree, index: int) -> bool:
    return tree.labels[index] == "nmod:desc" and tree.heads[index] > index


def _with_title(tree: SpacyTree, tokens: Sequence[Any], name: Name) -> Name:
    """Make the first word of a person's name its head, and the word before it a title."""
    if name.entity != "person":
        return name
    first, head = name.first, tree.top(name.first, name.last)
    if head != first and tree.labels[first] == "compound":
        parent = tree.heads[head]
        # Avoid cycles.
        if parent == head or not tree.is_below(parent, range(first, name.last)):
            _make_first_word_head(tree, tokens, name, head)
            head = first
    for child in tree.children(head):
        if child < first and tree.labels[child] in ("compound", "nn"):
            tree.labels[child] = "nmod:desc"
    while first + 1 < name.last and _is_title(tree, first):
        first += 1
    return Name(first, name.last, name.entity)


def _make_first_word_head(tree: SpacyTree, tokens: Sequence[Any], name: Name, head: int) -> None:
    first = name.first
    tree.heads[first] = first if tree.heads[head] == head else tree.heads[head]
    tree.labels[first] = tree.labels[head]
    for child in tree.children(head):
        tree.heads[child] = first
    for index in range(first + 1, name.last):
        tree.heads[index] = first
        if tokens[index].pos_ != "PUNCT":
            tree.labels[index] = "flat"


def _complete_name(tree: SpacyTree, tokens: Sequence[Any], name: Name) -> Name:
    """Add the parts of a name that the recognizer missed."""
    if name.entity != "person":
        return name
    first = tree.top(name.first, name.last)
    while tree.labels[first] == "flat" and tree.heads[first] < first:
        first = tree.heads[first]
    begin, end = _name_span(tree, tokens, first)
    if begin <= name.first < end:
        return Name(begin, max(end, name.last), "person")
    return name


def _name_span(tree: SpacyTree, tokens: Sequence[Any], head: int) -> tuple[int, int]:
    """Return the span of a word and the parts of its name right after it."""
    last = head
    while last + 1 < len(tokens) and _is_part(tree, tokens, head, last + 1):
        last += 1
    while last > head and tokens[last].pos_ == "PUNCT":
        last -= 1
    return head, last + 1


def _is_part(tree: SpacyTree, tokens: Sequence[Any], head: int, index: int) -> bool:
    if tokens[index].text in ("-", "–"):
        return bool(tokens[index - 1].whitespace_ == "")
    parent = tree.heads[index]
    return tree.labels[index] == "flat" and parent in range(head, index)


def _titled_persons(tree: SpacyTree, tokens: Sequence[Any]) -> Iterator[Name]:
    """Yield the names with a title before them as persons."""
    for index, head in enumerate(tree.heads):
        is_proper = tokens[head].pos_ == "PROPN" and tokens[head].text[:1].isupper()
        if (
            is_proper
            and _is_title(tree, index)
            and _normalized_text(tokens[index]) not in _PLACE_WORDS
        ):
            yield Name(*_name_span(tree, tokens, head), "person")


def _is_thing(tree: SpacyTree, tokens: Sequence[Any], name: Name) -> bool:
    left_children = (index for index in tree.children(name.first) if index < name.first)
    return name.entity == "person" and any(
        _normalized_text(tokens[index]) in _THING_WORDS for index in left_children
    )


def _normalized_text(token: Any) -> str:
    return str(token.text).lower().rstrip(".")


_RELATIVE_PRONOUNS = ("who", "whom", "whose")
#: Kinds of names that a person's name cannot be an apposition or modifier of.
_EXCLUDED_KINDS = {"appos": ("place", "organization"), "nmod": ("place",)}
_CLIMBED_RELATIONS = ("nmod", "obl", "flat", "compound", "appos")
_POSSESSIVE_LABELS = ("nmod:poss", "poss")
_DETERMINER_LABELS = ("det", *_POSSESSIVE_LABELS)
#: Labels of dependents of a title that are not moved to the name.
_TITLE_MODIFIERS = ("amod", "compound", "nn", "nummod", "advmod", "punct")
#: Labels that a name takes over from the noun before it.
_ARGUMENT_LABELS = (
    *("nsubj", "nsubj:pass", "nsubjpass", "obj", "dobj", "iobj", "dative"),
    *("obl", "obl:agent", "nmod", "appos", "conj"),
)


def repair_attachments(tree: SpacyTree, tokens: Sequence[Any], names: Sequence[Name]) -> None:
    """Fix the attachment of titles, appositions and relative clauses.

    In *police held union leader Ann Lee* the leader is a title; in *the mayor of Atlanta, Ann Lee*
    and *the trial in Atlanta of Ann Lee* the name belongs to the mayor and the trial; in
    *Sen. Lee, R-Maine, who left* the clause belongs to the name.
    """
    for name in names:
        if name.entity == "person":
            head = tree.top(name.first, name.last)
            _attach_title(tree, tokens, name.first - 1, head)
            tree.attach_to_subject(head)
    for name in names:
        if name.entity == "person" and tree.labels[name.first] in _EXCLUDED_KINDS:
            kinds = _EXCLUDED_KINDS[tree.labels[name.first]]
            _attach_to_noun(tree, tokens, name.first, [n for n in names if n.entity in kinds])
    for index, label in enumerate(tree.labels):
        parent = tree.heads[index]
        if label in ("acl:relcl", "relcl") and _is_party(tree, tokens, parent):
            is_person = any(
                token.text.lower() in _RELATIVE_PRONOUNS for token in tokens[parent:index]
            )
            tree.heads[index] = tree.heads[parent] if is_person else parent


@cache
def _roles() -> Roles:
    return Roles()


def _attach_title(tree: SpacyTree, tokens: Sequence[Any], noun: int, name: int) -> None:
    """Make the noun right before a name its title."""
    if noun < 0:
        return
    if tree.heads[noun] != name and _can_be_title(tree, tokens, noun):
        _replace_by_name(tree, noun, name)
    if tree.heads[noun] == name and tree.labels[noun] == "nmod:desc":
        for child in tree.children(noun):
            if tree.labels[child] == "case":
                tree.heads[child] = name


def _can_be_title(tree: SpacyTree, tokens: Sequence[Any], noun: int) -> bool:
    """Return whether a noun is a role, without an article or *as* before it."""
    token = tokens[noun]
    is_role = _roles().is_role(token.text.lower()) or _roles().is_title(token.text)
    return (
        is_role
        and token.pos_ in ("NOUN", "PROPN")
        and not any(
            tree.labels[child] in _DETERMINER_LABELS or tokens[child].text.lower() == "as"
            for child in tree.children(noun)
        )
    )


def _replace_by_name(tree: SpacyTree, noun: int, name: int) -> None:
    """Attach the noun before a name to the name, which replaces it in the tree."""
    is_below = tree.is_below(name, (noun,))
    is_root = tree.heads[noun] == noun
    if is_root and tree.heads[name] != noun:
        # They are in different clauses.
        return
    is_argument = (
        tree.labels[noun] in _ARGUMENT_LABELS and tree.labels[name] not in _POSSESSIVE_LABELS
    )
    if is_root or is_below or (is_argument and not tree.is_below(noun, (name,))):
        tree.heads[name] = name if is_root else tree.heads[noun]
        tree.labels[name] = tree.labels[noun]
    for child in tree.children(noun):
        if child > noun or tree.labels[child] not in _TITLE_MODIFIERS:
            tree.heads[child] = name
    tree.heads[noun], tree.labels[noun] = name, "nmod:desc"


def _attach_to_noun(
    tree: SpacyTree, tokens: Sequence[Any], index: int, names: Sequence[Name]
) -> None:
    """Attach a name to the noun that other names modify."""
    name_indices = {name_index for name in names for name_index in range(name.first, name.last)}
    head = tree.heads[index]
    while (
        head in name_indices
        and tree.labels[head] in _CLIMBED_RELATIONS
        and tree.heads[head] != head
    ):
        head = tree.heads[head]
    if head not in name_indices and tokens[head].pos_ == "NOUN" and head < index:
        tree.heads[index] = head


def _is_party(tree: SpacyTree, tokens: Sequence[Any], index: int) -> bool:
    """Return whether a word is the party of *R-Maine*."""
    next_text = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return (
        tree.labels[index] == "appos" and len(tokens[index].text) == 1 and next_text in ("-", "–")
    )


def words_of(document: Any, spans: Sequence[Span] | None = None) -> list[ParsedWord]:
    """Return the words of a sentence, without spaces."""
    tokens = _without_spaces(document)
    if not tokens:
        return []
    tree = SpacyTree.of_tokens(tokens)
    invert_function_words(tree, tokens)
    names = names_of(tree, tokens, spans)
    repair_attachments(tree, tokens, names)
    tree.keep_one_root()
    return list(_parsed_words(tokens, tree, names, document[0].idx))


def _without_spaces(document: Any) -> list[Any]:
    return [token for token in document if not token.is_space]


def _parsed_words(
    tokens: Sequence[Any], tree: SpacyTree, names: Sequence[Name], begin: int
) -> Iterator[ParsedWord]:
    names_by_word = {index: name for name in names for index in range(name.first, name.last)}
    for index, token in enumerate(tokens):
        name = names_by_word.get(index)
        label = tree.labels[index].lower()
        yield ParsedWord(
            token.text,
            (token.lemma_ or token.text).lower(),
            token.pos_ or "X",
            tree.heads[index],
            RELATIONS.get(label, label or "dep"),
            token.idx - begin,
            token.tag_,
            name.entity if name else "",
            name is not None and name.first == index,
        )


_BATCH_SIZE = 128
_UNSPACED_RUN = re.compile(r"\S{1000}(?=\S)")


class SpacyParser:
    """A spaCy pipeline; if it does not recognize names, the built-in model does."""

    def __init__(self, pipeline: Any, name: str) -> None:
        self._pipeline = pipeline
        self.name = name

    @classmethod
    def load(cls, pipeline: str = "") -> "SpacyParser":
        """Load a pipeline."""
        loaded_pipeline = _load_pipeline(pipeline)
        if not any(
            "token.dep" in loaded_pipeline.get_pipe_meta(part).assigns
            for part in loaded_pipeline.pipe_names
        ):
            hint = "name one with a parser, such as en_core_web_trf, or omit the name"
            raise InputError(f"the spaCy pipeline {pipeline!r} has no parser", hint)
        metadata = loaded_pipeline.meta
        name = f"{metadata['lang']}_{metadata['name']}-{metadata['version']}"
        return cls(loaded_pipeline, name.removeprefix("en_") if "pyramidion" in name else name)

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one."""
        documents = list(self._pipeline.pipe(self._documents(sentences), batch_size=_BATCH_SIZE))
        if "ner" in self._pipeline.pipe_names:
            return [words_of(document) for document in documents]
        tokens = [_without_spaces(document) for document in documents]
        tagged_rows = [
            ([token.text for token in row], [token.tag_ for token in row]) for row in tokens
        ]
        spans = load_names().find(tagged_rows)
        return [words_of(*parts) for parts in zip(documents, spans, strict=True)]

    def _documents(self, sentences: Sequence[str]) -> Iterator[Any]:
        """Tokenize sentences, and mark each as one sentence."""
        for sentence in sentences:
            # Long stretches without spaces are cut, because spaCy takes quadratic time.
            cuts = [match.end() for match in _UNSPACED_RUN.finditer(sentence)]
            pieces = (sentence[a:b] for a, b in pairwise([0, *cuts, len(sentence)]))
            parts = [self._pipeline.make_doc(piece) for piece in pieces]
            document = parts[0]
            if cuts:
                document = type(document).from_docs(parts, ensure_whitespace=False)
            starts = np.full(len(document), -1)
            starts[:1] = 0
            yield document.from_array(["SENT_START"], starts[:, None].astype(np.uint64))


def _load_pipeline(pipeline: str) -> Any:
    """Load a pipeline without spaCy's warnings about versions."""
    import spacy
    from spacy.about import __version__

    folder = pipeline or english_file("pipeline", "parsing")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return spacy.load(folder)
    # Readers of damaged files fail in many ways.
    except Exception as problem:
        if pipeline and isinstance(problem, OSError):
            installed_models = ", ".join(sorted(spacy.util.get_installed_models())) or "none"
            hint = f"install it, name a folder, or omit the name; installed: {installed_models}"
            raise NotFoundError(f"there is no spaCy pipeline {pipeline!r}", hint) from None
        description = f"pipeline {pipeline!r}" if pipeline else "pipeline of pyramidion-english"
        reason = f"{type(problem).__name__}: {str(problem)[:120]}"
        hint = "install a compatible version of the pipeline, or omit the name"
        if not pipeline:
            hint = "install spaCy 3.8 and reinstall pyramidion-english, or use the pipeline `light`"
        message = f"spaCy {__version__} cannot load the {description} ({reason})"
        raise InputError(message, hint, where=None if pipeline else Where(folder)) from None
