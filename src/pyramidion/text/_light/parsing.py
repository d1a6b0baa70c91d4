"""The light parser: tags, trees, names, repairs."""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

from pyramidion.text._light.names import LightName, NameFinder, Roles
from pyramidion.text._light.trees import LightTree, load_tree_model
from pyramidion.text._tagging import TagPair, Token, grammar_tokens, load_tagger
from pyramidion.text.parsing import FINITE_TAGS, RELATIONS, ParsedWord

_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_TAGS_BEFORE_NOUNS = frozenset({"CD", "DT", "JJ", "PRP$"}) | _NOUN_TAGS
_OBJECT_TAGS = _TAGS_BEFORE_NOUNS | {"PRP"}
#: Words that do not begin an object, even if their tags suggest it.
_TIME_WORDS = frozenset({"last", "next", "this", "that", "each", "every", "early", "late"})
#: Where another clause may begin: tags, and words.
_CLAUSE_TAGS = frozenset({",", ":", "CC", "WDT", "WP", "WP$", "WRB"})
_CLAUSE_WORDS = frozenset({"after", "as", "because", "before", "if", "since", "that", "while"})


def with_main_verb(tokens: Sequence[Token], pairs: Sequence[TagPair]) -> Sequence[TagPair]:
    """Tag a participle after the first noun as the main verb if the sentence has none."""
    first = index = 0
    while index < len(pairs) and pairs[index].fine in _TAGS_BEFORE_NOUNS - _NOUN_TAGS:
        first = index = index + 1
    while index < len(pairs) and pairs[index].fine in _NOUN_TAGS:
        index += 1
    if not first < index < len(pairs) - 1:
        return pairs
    text, fine_tag = tokens[index].text, pairs[index].fine
    # What is tagged as an adjective may be a past tense only after a plural.
    is_past = fine_tag == "VBN" or (fine_tag == "JJ" and pairs[index - 1].fine == "NNS")
    if is_past and text.endswith("ed") and text.islower() and _has_object(tokens, pairs, index):
        return [*pairs[:index], TagPair("VBD", "VERB"), *pairs[index + 1 :]]
    return pairs


def _has_object(tokens: Sequence[Token], pairs: Sequence[TagPair], verb: int) -> bool:
    """Return whether an object follows, and no other verb in the same clause."""
    next_index = verb + 1
    if pairs[next_index].fine not in _OBJECT_TAGS or tokens[next_index].text.lower() in _TIME_WORDS:
        return False
    for token, (fine_tag, _) in zip(tokens[next_index:], pairs[next_index:], strict=True):
        if fine_tag in _CLAUSE_TAGS or token.text.lower() in _CLAUSE_WORDS:
            return True
        if fine_tag in FINITE_TAGS:
            return False
    return True


#: The largest distance, in words, of a main verb from the verb of a relative clause.
_MAX_VERB_DISTANCE = 60
_REPORTING_VERBS = frozenset(
    {"tell", "tells", "told", "warned", "informed", "reminded", "assured", "convinced", "promised"}
)


def attach_clause(tree: LightTree, noun: int, pronoun: int) -> None:
    """Attach the verb of a relative clause to the noun."""
    verb = pronoun
    for _ in range(3):
        if tree.pairs[verb].tag in {"VERB", "AUX"} and verb > pronoun:
            break
        verb = tree.heads[verb]
    if verb <= pronoun or tree.pairs[verb].tag not in {"VERB", "NOUN", "ADJ", "AUX"}:
        verb = tree.verb_after(pronoun) or pronoun
    if verb > pronoun:
        tree.attach(verb, noun, "acl:relcl")
        _free_main_verb(tree, noun, verb)


def _free_main_verb(tree: LightTree, noun: int, verb: int) -> None:
    """Find another root if a noun became the root because of a relative clause."""
    if tree.heads[noun] != noun or noun == verb:
        return
    for index in range(verb + 1, min(tree.span(verb)[1], verb + _MAX_VERB_DISTANCE) + 1):
        fine_tag, tag = tree.pairs[index]
        has_auxiliary = tree.pairs[index - 1].tag == "AUX" and tree.pairs[index - 1].fine != "VB"
        is_finite = tag == "VERB" and (fine_tag in {"VBD", "VBZ", "VBP"} or has_auxiliary)
        child_labels = [tree.labels[child] for child in tree.children(index)]
        if is_finite and not any(label.startswith("nsubj") for label in child_labels):
            tree.heads[index], tree.labels[index] = index, "root"
            tree.heads[noun], tree.labels[noun] = index, "nsubj"
            return


def attach_clauses(tree: LightTree) -> None:
    """Attach the verb after *troops that* to *troops*."""
    for pronoun in range(1, len(tree)):
        tag_before = tree.pairs[pronoun - 1].tag
        if tree.pairs[pronoun].fine not in {"WDT", "WP"} or tag_before not in {"NOUN", "PROPN"}:
            continue
        verb = tree.heads[pronoun]
        if verb <= pronoun or tree.pairs[verb].tag != "VERB" or _attach_report(tree, pronoun, verb):
            continue
        if tree.labels[verb] != "acl:relcl" or tree.heads[verb] > pronoun:
            noun = pronoun - 1
            while tree.labels[noun] in {"flat", "compound"} and tree.heads[noun] != noun:
                noun = tree.heads[noun]
            tree.attach(verb, noun, "acl:relcl")
            _free_main_verb(tree, noun, verb)


def _attach_report(tree: LightTree, mark: int, verb: int) -> bool:
    """Attach a reported clause to its verb, such as *told*; return whether it is one."""
    reporting_verb = tree.heads[mark - 1]
    if (
        tree.tokens[mark].text.lower() != "that"
        or tree.tokens[reporting_verb].text.lower() not in _REPORTING_VERBS
    ):
        return False
    if not any(
        tree.labels[child].startswith("nsubj") and child != mark for child in tree.children(verb)
    ):
        return False
    tree.attach(verb, reporting_verb, "ccomp")
    tree.labels[mark] = "mark"
    return True


def raise_main_verb(tree: LightTree) -> None:
    """Make a finite verb the root if it wrongly depends on a noun, and the noun its subject."""
    noun = next((index for index, head in enumerate(tree.heads) if index == head), -1)
    if noun < 0 or tree.pairs[noun].tag not in {"NOUN", "PROPN"}:
        return
    verbs = [child for child in tree.children(noun) if child > noun and _lacks_subject(tree, child)]
    if not verbs:
        return
    verb = verbs[-1]
    for child in list(tree.children(noun)):
        if child > verb:
            tree.heads[child] = verb
    for child in tree.children(verb):
        if child > verb and tree.labels[child] == "nsubj":
            tree.labels[child] = "obj"
    tree.attach(noun, verb, "nsubj")


def _lacks_subject(tree: LightTree, verb: int) -> bool:
    """Return whether a finite verb has neither a subject nor a subordinator before it."""
    left_children = [child for child in tree.children(verb) if child < verb]
    has_subject_or_mark = any(
        tree.labels[child].startswith(("nsubj", "csubj", "mark", "cc", "aux"))
        or tree.pairs[child].fine in {"WDT", "WP", "WP$", "WRB", "IN"}
        for child in left_children
    )
    is_finite = tree.pairs[verb].fine in {"VBD", "VBZ"}
    return is_finite and tree.labels[verb] in {"acl", "acl:relcl"} and not has_subject_or_mark


IsRole = Callable[[str], bool]

_PHRASE_TAGS = frozenset({"ADJ", "ADV", "DET", "NOUN", "NUM", "PROPN", "PRON"})
_RELATIVE_PRONOUNS = frozenset({"who", "whose", "whom", "which"})
#: Tags of articles and possessive pronouns.
_ARTICLE_TAGS = frozenset({"DT", "PRP$", "WP$"})


def repair(tree: LightTree, names: Sequence[LightName], is_role: IsRole) -> None:
    """Fix the attachment of names, titles, appositions and relative clauses."""
    people = [name for name in names if name.kind == "person"]
    for name in people:
        _attach_title(tree, name)
        # The first word of a name is its head.
        indices = range(name.first, name.last + 1)
        tree.gather(indices, name.first)
        for index in indices[1:]:
            tree.labels[index] = "punct" if tree.pairs[index].tag == "PUNCT" else "flat"
        tree.attach_to_subject(name.first)
        _attach_beside_noun(tree, name)
    for name in people:
        _attach_appositions(tree, name, is_role)
    _attach_whose(tree)
    attach_clauses(tree)
    raise_main_verb(tree)
    _reattach_dependents(tree)


def _attach_title(tree: LightTree, name: LightName) -> None:
    """Attach a title to the name, and the words before it to the title."""
    if name.title_last < 0:
        return
    tag_before = tree.pairs[name.title_first - 1].fine if name.title_first else ""
    if tree.pairs[name.title_last].tag == "NOUN" and tag_before in {"DT", "PRP$", "POS"}:
        return
    name_words = range(name.first, name.last + 1)
    possessed_heads = [
        tree.heads[index] for index in name_words if tree.labels[index] == "nmod:poss"
    ]
    heads_after = [head for head in possessed_heads if head > name.last]
    tree.gather(range(name.title_first, name.last + 1), name.first)
    if heads_after:
        tree.attach(name.first, heads_after[0], "nmod:poss")
    tree.labels[name.title_last] = "nmod:desc"
    for index in range(name.title_first, name.title_last):
        tree.heads[index], tree.labels[index] = name.title_last, _premodifier_label(tree, index)


def _attach_beside_noun(tree: LightTree, name: LightName) -> None:
    """Attach the name in *his brother Ada Lee* to the noun if both have the same head."""
    noun, first = name.title_last, name.first
    is_sibling = noun >= 0 and tree.heads[noun] == tree.heads[first] not in (noun, first)
    if is_sibling and all(tree.labels[index].startswith("nsubj") for index in (noun, first)):
        tree.attach(first, noun, "appos")


def _premodifier_label(tree: LightTree, index: int) -> str:
    tag = tree.pairs[index].tag
    return {"ADJ": "amod", "DET": "det", "NUM": "nummod", "PUNCT": "punct"}.get(tag, "compound")


def _attach_appositions(tree: LightTree, name: LightName, is_role: IsRole) -> None:
    """Attach *mayor* and *left* in *Ada Lee, mayor of Ardel, who left, said* to the name."""
    index = name.last + 1
    for _ in range(3):
        if _text(tree, index) != ",":
            break
        start = index + 1
        end = _attach_apposition(tree, name, start, is_role) or _attach_origin(tree, name, start)
        if not end:
            break
        index = end
    index_after = index + (_text(tree, index) == ",")
    if _text(tree, index_after) in _RELATIVE_PRONOUNS and _is_wh(tree, index_after):
        attach_clause(tree, name.first, index_after)


def _text(tree: LightTree, index: int) -> str:
    return tree.tokens[index].text.lower() if index < len(tree) else ""


def _is_wh(tree: LightTree, index: int) -> bool:
    return tree.pairs[index].fine in {"WP", "WDT", "WP$"}


def _attach_apposition(tree: LightTree, name: LightName, start: int, is_role: IsRole) -> int:
    """Attach a noun phrase after a comma; return the index after it, or 0 if there is none."""
    end = _phrase_end(tree, start)
    if end == start or _text(tree, end) == "and":
        return 0
    last_index = end - 1
    is_age = last_index == start and tree.pairs[start].tag == "NUM" and len(_text(tree, start)) < 4
    is_party = _text(tree, start + 1) in {"-", "–"} and last_index == start + 2
    if not (
        is_age
        or is_party
        or (tree.pairs[last_index].tag == "NOUN" and is_role(_text(tree, last_index)))
    ):
        return 0
    if not is_age and not _can_follow(tree, end):
        return 0
    head = start if is_party else last_index
    _hold_together(tree, start, end, head)
    tree.attach(head, name.first, "appos" if not is_age else "amod")
    return _comma_after(tree, head, end)


def _attach_origin(tree: LightTree, name: LightName, start: int) -> int:
    """Attach the origin in *Ada Lee, of Ardel, said*; return the index after it, or 0."""
    end = start + 1
    while end < len(tree) and tree.pairs[end].tag == "PROPN":
        end += 1
    if _text(tree, start) != "of" or end == start + 1 or _text(tree, end) != ",":
        return 0
    _hold_together(tree, start, end, end - 1)
    tree.attach(end - 1, name.first, "nmod")
    tree.labels[start] = "case"
    return end


def _phrase_end(tree: LightTree, start: int) -> int:
    for index in range(start, len(tree)):
        fine_tag, tag = tree.pairs[index]
        is_dash = index > start and _text(tree, index) in {"-", "–"}
        is_inside = tag in _PHRASE_TAGS or fine_tag in {"POS", "HYPH"} or is_dash
        if not is_inside or _is_wh(tree, index):
            return index
    return max(start, len(tree))


def _can_follow(tree: LightTree, index: int) -> bool:
    """Return whether a phrase that ends here is not a subject."""
    if index >= len(tree):
        return True
    fine_tag, tag = tree.pairs[index]
    return tag in {"ADP", "PUNCT"} or fine_tag in {"VBN", "VBG", "WP", "WDT", "WP$", "TO", "WRB"}


def _hold_together(tree: LightTree, start: int, end: int, head: int) -> None:
    """Attach words of a phrase that depend on words outside it to its head."""
    for index in range(start, end):
        if index != head and not start <= tree.heads[index] < end:
            tree.attach(index, head, _premodifier_label(tree, index))


def _comma_after(tree: LightTree, head: int, end: int) -> int:
    """Return the index of the comma after a phrase."""
    comma_index = max(tree.span(head)[1] + 1, end)
    while comma_index < len(tree) and _text(tree, comma_index) != "," and comma_index < end + 12:
        comma_index += 1
    return comma_index if _text(tree, comma_index) == "," else end


def _attach_whose(tree: LightTree) -> None:
    """Attach *whose* and the adjectives after it to the noun that follows."""
    for pronoun in range(len(tree)):
        if tree.pairs[pronoun].fine != "WP$":
            continue
        end = pronoun + 1
        while end < len(tree) and tree.pairs[end].tag in {"ADJ", "NOUN", "PROPN"}:
            end += 1
        if end > pronoun + 1:
            _hold_together(tree, pronoun, end, end - 1)
            tree.labels[pronoun] = "nmod:poss"


def _reattach_dependents(tree: LightTree) -> None:
    """Reattach dependents of punctuation, articles and possessive pronouns."""
    final_heads: dict[int, int] = {}
    for index in range(len(tree)):
        head, skipped_heads = tree.heads[index], []
        while head not in final_heads and head != tree.heads[head]:
            if tree.pairs[head].tag != "PUNCT" and tree.pairs[head].fine not in _ARTICLE_TAGS:
                break
            skipped_heads.append(head)
            head = tree.heads[head]
        head = final_heads.get(head, head)
        final_heads.update(dict.fromkeys(skipped_heads, head))
        if index != tree.heads[index]:
            tree.heads[index] = head


#: Number of sentences parsed at a time.
_BATCH_SIZE = 500


class LightParser:
    """The built-in parser; names are consistent within a call."""

    name = "light"

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one."""
        tagger, model = load_tagger(), load_tree_model()
        tokens = [grammar_tokens(sentence) for sentence in sentences]
        tagged_sentences = tagger.tag([[token.text for token in sentence] for sentence in tokens])
        pairs = [
            with_main_verb(*sentence) for sentence in zip(tokens, tagged_sentences, strict=True)
        ]
        roles = Roles(model.words)
        names = NameFinder(roles).find(tokens, pairs)
        slices = (slice(first, first + _BATCH_SIZE) for first in range(0, len(tokens), _BATCH_SIZE))
        trees = [tree for batch in slices for tree in model.trees(tokens[batch], pairs[batch])]
        words = []
        for tree, sentence_names in zip(trees, names, strict=True):
            repair(tree, sentence_names, roles.is_role)
            words.append(list(_parsed_words(tree, sentence_names)))
        return words


def _parsed_words(tree: LightTree, names: Sequence[LightName]) -> Iterator[ParsedWord]:
    kinds = {
        index: (name.kind, index == name.first)
        for name in filter(attrgetter("kind"), names)
        for index in range(name.first, name.last + 1)
    }
    lemma = load_tagger().lemma
    for index, (text, start) in enumerate(tree.tokens):
        fine_tag, tag = tree.pairs[index]
        entity, opens_name = kinds.get(index, ("", False))
        head, label = tree.heads[index], tree.labels[index]
        relation = RELATIONS.get(label) or RELATIONS.get(label.partition(":")[0]) or label
        if head == index:
            relation = "root"
        elif label == "root":
            # A repair made another word the root.
            relation = "clause"
        yield ParsedWord(
            text, lemma(text, fine_tag), tag, head, relation, start, fine_tag, entity, opens_name
        )
