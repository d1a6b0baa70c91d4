"""Attachments that names rule out: a person is no apposition of a place, *who* is no party."""

from collections.abc import Sequence
from typing import Any

from pyramidion.text.spacy_names import Name
from pyramidion.text.spacy_trees import Tree

__all__ = ["repair_attachments"]

_WHO = ("who", "whom", "whose")


def repair_attachments(tree: Tree, tokens: Sequence[Any], names: Sequence[Name]) -> None:
    """Attach appositions and relative clauses to what they can be said of.

    In *the mayor of Atlanta, Ann Lee* the name goes with the mayor; in *Sen. Lee, R-Maine, who
    left* the clause goes with the name.
    """
    for name in names:
        if name.entity == "person" and tree.labels[name.first] == "appos":
            _attach_to_noun(tree, tokens, name.first, names)
    for place, label in enumerate(tree.labels):
        tag = tree.heads[place]
        if label in ("acl:relcl", "relcl") and _is_party(tree, tokens, tag):
            who = any(token.text.lower() in _WHO for token in tokens[tag:place])
            tree.heads[place] = tree.heads[tag] if who else tag


def _attach_to_noun(tree: Tree, tokens: Sequence[Any], place: int, names: Sequence[Name]) -> None:
    """Climb from names of places and organizations to the noun that they modify."""
    others = {i for n in names if n.entity != "person" for i in range(n.first, n.last)}
    head = tree.heads[place]
    while head in others and tree.labels[head] in ("nmod", "obl", "flat", "compound", "appos"):
        head = tree.heads[head]
    if head not in others and tokens[head].pos_ == "NOUN" and head < place:
        tree.heads[place] = head


def _is_party(tree: Tree, tokens: Sequence[Any], place: int) -> bool:
    """Tell whether a word is the letter of *R-Maine*."""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    return tree.labels[place] == "appos" and len(tokens[place].text) == 1 and after in ("-", "–")
