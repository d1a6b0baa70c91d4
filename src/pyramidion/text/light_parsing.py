"""The light parser: heads, relations and names without any other package.

A tagger, three moves and relations learned from the treebanks that ``data/tagger.md`` names;
names by rules and the word lists of ``data/names.toml``.
"""

from collections.abc import Iterator, Sequence

from pyramidion.text.grammar_tokens import grammar_tokens
from pyramidion.text.light_name_kinds import NameKinds
from pyramidion.text.light_name_words import LightName
from pyramidion.text.light_names import NameFinder
from pyramidion.text.light_repairs import repair
from pyramidion.text.light_tags import with_main_verb
from pyramidion.text.light_trees import LightTree, load_tree_model
from pyramidion.text.parsing import RELATIONS, ParsedWord
from pyramidion.text.tagging import load_tagger

__all__ = ["LightParser"]

#: Sentences that are parsed at a time.
_AT_ONCE = 500


class LightParser:
    """Parses sentences by what comes with the package.

    Names are consistent within a call: if *Robert Rubin* is a person in one of the sentences,
    *Rubin* is one in the others.

    Examples
    --------
    >>> words = LightParser().parse(["Sen. Ada Lee opposed the tax plan."])[0]
    >>> [(word.text, words[word.head].text, word.relation) for word in words[:4]]
    [('Sen.', 'Ada', 'title'), ('Ada', 'opposed', 'subject'), ('Lee', 'Ada', 'name'),
    ('opposed', 'opposed', 'root')]
    >>> [(word.text, word.entity, word.opens) for word in words if word.entity]
    [('Ada', 'person', True), ('Lee', 'person', False)]
    """

    name = "light"

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one.

        Parameters
        ----------
        sentences
            Texts that were split into sentences already.
        """
        tagger, model = load_tagger(), load_tree_model()
        tokens = [grammar_tokens(sentence) for sentence in sentences]
        tagged = tagger.tag([[token.text for token in own] for own in tokens])
        pairs = [with_main_verb(*own) for own in zip(tokens, tagged, strict=True)]
        kinds = NameKinds(model.words, tagger.is_common)
        names = NameFinder(kinds).find(tokens, pairs)
        trees = [
            tree
            for first in range(0, len(tokens), _AT_ONCE)
            for tree in model.trees(
                tokens[first : first + _AT_ONCE], pairs[first : first + _AT_ONCE]
            )
        ]
        for tree, own in zip(trees, names, strict=True):
            repair(tree, own, kinds.is_role)
        return [list(_words(tree, own)) for tree, own in zip(trees, names, strict=True)]


def _words(tree: LightTree, names: Sequence[LightName]) -> Iterator[ParsedWord]:
    kinds = {
        place: (name.kind, place == name.first)
        for name in names
        if name.kind
        for place in range(name.first, name.last + 1)
    }
    lemma = load_tagger().lemma
    for place, (text, start) in enumerate(tree.tokens):
        fine, tag = tree.pairs[place]
        entity, opens = kinds.get(place, ("", False))
        head = tree.heads[place]
        relation = "root" if head == place else _relation(tree.labels[place])
        yield ParsedWord(text, lemma(text, fine), tag, head, relation, start, fine, entity, opens)


def _relation(label: str) -> str:
    if label == "root":
        # A root that a rule has put below another word.
        return "clause"
    return RELATIONS.get(label) or RELATIONS.get(label.partition(":")[0]) or label
