"""Attachments that names rule out: a person is no apposition of a place, *who* is no party."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from pyramidion.text.light_name_kinds import NameKinds
from pyramidion.text.spacy_names import Name
from pyramidion.text.spacy_trees import Tree

__all__ = ["repair_attachments"]

_WHO = ("who", "whom", "whose")
#: Names that persons are no appositions of, and no modifiers.
_KINDS = {"appos": ("place", "organization"), "nmod": ("place",)}
_CLIMBED = ("nmod", "obl", "flat", "compound", "appos")
_DETERMINERS = ("det", "nmod:poss", "poss")
#: What depends on a description before a name, rather than on the name.
_DESCRIBES = ("amod", "compound", "nn", "nummod", "advmod", "punct")
#: Places in a tree that a name takes over from the noun before it.
_ARGUMENTS = (
    *("nsubj", "nsubj:pass", "nsubjpass", "obj", "dobj", "iobj", "dative"),
    *("obl", "obl:agent", "nmod", "appos", "conj"),
)


def repair_attachments(tree: Tree, tokens: Sequence[Any], names: Sequence[Name]) -> None:
    """Attach titles, appositions and relative clauses to what they can be said of.

    In *police held union leader Ann Lee* the leader is a title, whatever else the parser took her
    for; in *the mayor of Atlanta, Ann Lee* and *the trial in Atlanta of Ann Lee* the name goes with
    the mayor and the trial; in *Sen. Lee, R-Maine, who left* the clause goes with the name.
    """
    for name in names:
        if name.entity == "person":
            head = tree.top(name.first, name.last)
            _put_title(tree, tokens, name.first - 1, head)
            _put_below_subject(tree, head)
    for name in names:
        if name.entity == "person" and tree.labels[name.first] in _KINDS:
            kinds = _KINDS[tree.labels[name.first]]
            _attach_to_noun(tree, tokens, name.first, [n for n in names if n.entity in kinds])
    for place, label in enumerate(tree.labels):
        tag = tree.heads[place]
        if label in ("acl:relcl", "relcl") and _is_party(tree, tokens, tag):
            who = any(token.text.lower() in _WHO for token in tokens[tag:place])
            tree.heads[place] = tree.heads[tag] if who else tag


@cache
def _kinds() -> NameKinds:
    return NameKinds()


def _put_title(tree: Tree, tokens: Sequence[Any], noun: int, name: int) -> None:
    """Make what stands right before a name its title."""
    if noun < 0:
        return
    if tree.heads[noun] != name and _can_be_title(tree, tokens, noun):
        _hand_over(tree, noun, name)
    if tree.heads[noun] == name and tree.labels[noun] == "nmod:desc":
        for child in tree.children(noun):
            if tree.labels[child] == "case":
                tree.heads[child] = name


def _can_be_title(tree: Tree, tokens: Sequence[Any], noun: int) -> bool:
    """Tell whether a noun says what somebody is, and has neither an article nor *as* before it."""
    token = tokens[noun]
    role = _kinds().is_role(token.text.lower()) or _kinds().is_title(token.text)
    below = tree.children(noun)
    fixed = any(tree.labels[child] in _DETERMINERS for child in below)
    return (
        role
        and token.pos_ in ("NOUN", "PROPN")
        and not fixed
        and not any(tokens[child].text.lower() == "as" for child in below)
    )


def _hand_over(tree: Tree, noun: int, name: int) -> None:
    """Let a name take the place of the noun before it, or keep its own if that is none."""
    holds = tree.is_below(name, (noun,))
    root = tree.heads[noun] == noun
    if root and tree.heads[name] != noun:
        # A clause stands between them.
        return
    if root or holds or _takes_place(tree, noun, name):
        tree.heads[name] = name if root else tree.heads[noun]
        tree.labels[name] = tree.labels[noun]
    for child in tree.children(noun):
        if child > noun or tree.labels[child] not in _DESCRIBES:
            tree.heads[child] = name
    tree.heads[noun], tree.labels[noun] = name, "nmod:desc"


def _takes_place(tree: Tree, noun: int, name: int) -> bool:
    argument = tree.labels[noun] in _ARGUMENTS and tree.labels[name] not in ("nmod:poss", "poss")
    return argument and not tree.is_below(noun, (name,))


def _put_below_subject(tree: Tree, name: int) -> None:
    """Let a name with a preposition depend on the subject before it: it is no second one."""
    marked = any(child < name and tree.labels[child] == "case" for child in tree.children(name))
    if not marked or not tree.labels[name].startswith("nsubj"):
        return
    others = (
        place
        for place in tree.children(tree.heads[name])
        if place < name and tree.labels[place].startswith("nsubj")
    )
    for subject in others:
        tree.heads[name], tree.labels[name] = subject, "nmod"
        return


def _attach_to_noun(tree: Tree, tokens: Sequence[Any], place: int, names: Sequence[Name]) -> None:
    """Climb from some names to the noun that they modify."""
    others = {i for name in names for i in range(name.first, name.last)}
    head = tree.heads[place]
    while head in others and tree.labels[head] in _CLIMBED and tree.heads[head] != head:
        head = tree.heads[head]
    if head not in others and tokens[head].pos_ == "NOUN" and head < place:
        tree.heads[place] = head


def _is_party(tree: Tree, tokens: Sequence[Any], place: int) -> bool:
    """Tell whether a word is the letter of *R-Maine*."""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    return tree.labels[place] == "appos" and len(tokens[place].text) == 1 and after in ("-", "–")
