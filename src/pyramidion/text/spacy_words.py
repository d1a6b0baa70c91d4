"""Read spaCy's documents as parsed words, whatever scheme their trees follow.

In ClearNLP's trees prepositions and forms of *be* are heads, and the last word of a name is; here
they are turned round, so that all trees look like those of Universal Dependencies.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pyramidion.text.parsing import RELATIONS, ParsedWord
from pyramidion.text.spacy_names import Name, names_of
from pyramidion.text.spacy_repairs import repair_attachments
from pyramidion.text.spacy_trees import Tree, turn_round

__all__ = ["words_of"]


def words_of(document: Any) -> list[ParsedWord]:
    """Give the words of a sentence; spaces are none."""
    tokens = [token for token in document if not token.is_space]
    if not tokens:
        return []
    tree = Tree.of_tokens(tokens)
    turn_round(tree, tokens)
    names = names_of(tree, tokens)
    repair_attachments(tree, tokens, names)
    tree.keep_one_root()
    return list(_parsed(tokens, tree, names, document[0].idx))


def _parsed(
    tokens: Sequence[Any], tree: Tree, names: Sequence[Name], begin: int
) -> Iterator[ParsedWord]:
    named = {place: name for name in names for place in range(name.first, name.last)}
    for place, token in enumerate(tokens):
        name = named.get(place)
        label = tree.labels[place].lower()
        yield ParsedWord(
            token.text,
            (token.lemma_ or token.text).lower(),
            token.pos_ or "X",
            tree.heads[place],
            RELATIONS.get(label, label or "dep"),
            token.idx - begin,
            token.tag_,
            name.entity if name else "",
            name is not None and name.first == place,
        )
