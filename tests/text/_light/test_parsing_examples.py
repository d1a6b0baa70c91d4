"""Small examples of `pyramidion.text._light.parsing`, worked by hand."""

from pyramidion.text._light.parsing import (
    LightParser,
    attach_clause,
    attach_clauses,
    raise_main_verb,
    with_main_verb,
)
from pyramidion.text._light.trees import LightTree
from pyramidion.text._tagging import TagPair, Token


def test_with_main_verb():
    tokens = [Token("Police", 0), Token("jailed", 7), Token("two", 14), Token("men", 18)]
    pairs = [TagPair("NNS", "NOUN"), TagPair("VBN", "VERB"), TagPair("CD", "NUM")]
    assert (
        repr(with_main_verb(tokens, [*pairs, TagPair("NNS", "NOUN")])[1])
        == "TagPair(fine='VBD', tag='VERB')"
    )


def test_attach_clause():
    tokens = [Token("Lee", 0), Token(",", 3), Token("who", 5), Token("sang", 9)]
    pairs = [TagPair("NNP", "PROPN"), TagPair(",", "PUNCT"), TagPair("WP", "PRON")]
    labels = ["nsubj", "punct", "nsubj", "root"]
    tree = LightTree([3, 0, 3, 3], labels, tokens, [*pairs, TagPair("VBD", "VERB")])
    attach_clause(tree, 0, 2)
    assert (tree.heads, tree.labels[3]) == ([0, 0, 3, 0], "acl:relcl")


def test_attach_clauses():
    tokens = [Token("men", 0), Token("that", 4), Token("sang", 9)]
    pairs = [TagPair("NNS", "NOUN"), TagPair("WDT", "PRON"), TagPair("VBD", "VERB")]
    tree = LightTree([2, 2, 2], ["nsubj", "nsubj", "root"], tokens, pairs)
    attach_clauses(tree)
    assert (tree.heads, tree.labels[2]) == ([0, 2, 0], "acl:relcl")


def test_raise_main_verb():
    tokens = [Token("Men", 0), Token("sang", 4)]
    pairs = [TagPair("NNS", "NOUN"), TagPair("VBD", "VERB")]
    tree = LightTree([0, 0], ["root", "acl"], tokens, pairs)
    raise_main_verb(tree)
    assert (tree.heads, tree.labels) == ([1, 1], ["nsubj", "root"])


def test_light_parser():
    words = LightParser().parse(["Sen. Ada Lee opposed the tax plan."])[0]
    assert [(word.text, words[word.head].text, word.relation) for word in words[:4]] == [
        ("Sen.", "Ada", "title"),
        ("Ada", "opposed", "subject"),
        ("Lee", "Ada", "name"),
        ("opposed", "opposed", "root"),
    ]
    assert [(word.text, word.entity, word.opens) for word in words if word.entity] == [
        ("Ada", "person", True),
        ("Lee", "person", False),
    ]
