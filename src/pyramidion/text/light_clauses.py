"""Rules that find the verbs of relative clauses and of whole sentences in a learned tree."""

from pyramidion.text.light_trees import LightTree

__all__ = ["put_clause", "put_clauses", "raise_main_verb"]

#: A main verb is not looked for farther from a relative clause.
_FAR = 60
_TELL = frozenset(
    {"tell", "tells", "told", "warned", "informed", "reminded", "assured", "convinced", "promised"}
)


def put_clause(tree: LightTree, noun: int, who: int) -> None:
    """Let the verb of a relative clause depend on the noun.

    Parameters
    ----------
    tree
        A tree, which is changed.
    noun, who
        The places of the noun and of the word that opens the clause.

    Examples
    --------
    >>> from pyramidion.text.grammar_tokens import Token
    >>> from pyramidion.text.tagging import TagPair
    >>> tokens = [Token("Lee", 0), Token(",", 3), Token("who", 5), Token("sang", 9)]
    >>> pairs = [TagPair("NNP", "PROPN"), TagPair(",", "PUNCT"), TagPair("WP", "PRON")]
    >>> labels = ["nsubj", "punct", "nsubj", "root"]
    >>> tree = LightTree(tokens, [*pairs, TagPair("VBD", "VERB")], [3, 0, 3, 3], labels)
    >>> put_clause(tree, 0, 2)
    >>> tree.heads, tree.labels[3]
    ([0, 0, 3, 0], 'acl:relcl')
    """
    verb = who
    for _ in range(3):
        if tree.pairs[verb].tag in {"VERB", "AUX"} and verb > who:
            break
        verb = tree.heads[verb]
    if verb <= who or tree.pairs[verb].tag not in {"VERB", "NOUN", "ADJ", "AUX"}:
        verbs = (place for place in range(who + 1, len(tree)) if tree.pairs[place].tag == "VERB")
        verb = next(verbs, who)
    if verb > who:
        tree.attach(verb, noun, "acl:relcl")
        _free_main_verb(tree, noun, verb)


def _free_main_verb(tree: LightTree, noun: int, verb: int) -> None:
    """Find another root where a noun became it only because a relative clause was."""
    if tree.heads[noun] != noun or noun == verb:
        return
    for place in range(verb + 1, min(tree.span(verb)[1], verb + _FAR) + 1):
        if _is_finite(tree, place) and not _has_subject(tree, place):
            tree.heads[place], tree.labels[place] = place, "root"
            tree.heads[noun], tree.labels[noun] = place, "nsubj"
            return


def _is_finite(tree: LightTree, place: int) -> bool:
    fine, tag = tree.pairs[place]
    helped = tree.pairs[place - 1].tag == "AUX" and tree.pairs[place - 1].fine != "VB"
    return tag == "VERB" and (fine in {"VBD", "VBZ", "VBP"} or helped)


def _has_subject(tree: LightTree, place: int) -> bool:
    return any(tree.labels[own].startswith("nsubj") for own in tree.children(place))


def put_clauses(tree: LightTree) -> None:
    """Let the verb after *troops that* depend on *troops*.

    Parameters
    ----------
    tree
        A tree, which is changed.

    Examples
    --------
    >>> from pyramidion.text.grammar_tokens import Token
    >>> from pyramidion.text.tagging import TagPair
    >>> tokens = [Token("men", 0), Token("that", 4), Token("sang", 9)]
    >>> pairs = [TagPair("NNS", "NOUN"), TagPair("WDT", "PRON"), TagPair("VBD", "VERB")]
    >>> tree = LightTree(tokens, pairs, [2, 2, 2], ["nsubj", "nsubj", "root"])
    >>> put_clauses(tree)
    >>> tree.heads, tree.labels[2]
    ([0, 2, 0], 'acl:relcl')
    """
    for who in range(1, len(tree)):
        before = tree.pairs[who - 1].tag
        if tree.pairs[who].fine not in {"WDT", "WP"} or before not in {"NOUN", "PROPN"}:
            continue
        verb = tree.heads[who]
        if verb <= who or tree.pairs[verb].tag != "VERB" or _is_told(tree, who, verb):
            continue
        if tree.labels[verb] != "acl:relcl" or tree.heads[verb] > who:
            noun = who - 1
            while tree.labels[noun] in {"flat", "compound"} and tree.heads[noun] != noun:
                noun = tree.heads[noun]
            tree.attach(verb, noun, "acl:relcl")
            _free_main_verb(tree, noun, verb)


def _is_told(tree: LightTree, that: int, verb: int) -> bool:
    """Whether a clause says what somebody is told; it depends on *told* then."""
    above = tree.heads[that - 1]
    if tree.tokens[that].text.lower() != "that" or tree.tokens[above].text.lower() not in _TELL:
        return False
    if not any(tree.labels[k].startswith("nsubj") and k != that for k in tree.children(verb)):
        return False
    tree.attach(verb, above, "ccomp")
    tree.labels[that] = "mark"
    return True


def raise_main_verb(tree: LightTree) -> None:
    """Make a finite verb that a noun cannot have below it the root, and the noun its subject.

    Parameters
    ----------
    tree
        A tree, which is changed.

    Examples
    --------
    >>> from pyramidion.text.grammar_tokens import Token
    >>> from pyramidion.text.tagging import TagPair
    >>> tokens = [Token("Men", 0), Token("sang", 4)]
    >>> pairs = [TagPair("NNS", "NOUN"), TagPair("VBD", "VERB")]
    >>> tree = LightTree(tokens, pairs, [0, 0], ["root", "acl"])
    >>> raise_main_verb(tree)
    >>> tree.heads, tree.labels
    ([1, 1], ['nsubj', 'root'])
    """
    noun = next((place for place, head in enumerate(tree.heads) if place == head), -1)
    if noun < 0 or tree.pairs[noun].tag not in {"NOUN", "PROPN"}:
        return
    verbs = [own for own in tree.children(noun) if own > noun and _lacks_subject(tree, own)]
    if not verbs:
        return
    verb = verbs[-1]
    for own in list(tree.children(noun)):
        if own > verb:
            tree.heads[own] = verb
    for own in tree.children(verb):
        if own > verb and tree.labels[own] == "nsubj":
            tree.labels[own] = "obj"
    tree.attach(noun, verb, "nsubj")


def _lacks_subject(tree: LightTree, verb: int) -> bool:
    """Whether a finite verb has neither a subject before it nor a word that makes it a clause."""
    before = [own for own in tree.children(verb) if own < verb]
    clause = any(
        tree.labels[own].startswith(("nsubj", "csubj", "mark", "cc", "aux"))
        or tree.pairs[own].fine in {"WDT", "WP", "WP$", "WRB", "IN"}
        for own in before
    )
    return (
        tree.pairs[verb].fine in {"VBD", "VBZ"}
        and tree.labels[verb] in {"acl", "acl:relcl"}
        and not clause
    )
