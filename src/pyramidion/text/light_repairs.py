"""Rules that put right what a learned tree gets wrong around names."""

from collections.abc import Callable, Sequence

from pyramidion.text.light_clauses import put_clause, put_clauses, raise_main_verb
from pyramidion.text.light_name_words import LightName
from pyramidion.text.light_trees import LightTree

__all__ = ["repair"]

IsRole = Callable[[str], bool]

_PHRASE = frozenset({"ADJ", "ADV", "DET", "NOUN", "NUM", "PROPN", "PRON"})
_WHO = frozenset({"who", "whose", "whom", "which", "that"})


def repair(tree: LightTree, names: Sequence[LightName], is_role: IsRole) -> None:
    """Give people's names, titles, appositions and relative clauses their places in a tree.

    Parameters
    ----------
    tree
        A tree, which is changed.
    names
        The names of its sentence.
    is_role
        Whether a noun says what somebody is.
    """
    people = [name for name in names if name.kind == "person"]
    for name in people:
        _put_title(tree, name)
        _join(tree, name)
        _put_below_subject(tree, name.first)
        _put_beside_noun(tree, name)
    for name in people:
        _put_appositions(tree, name, is_role)
    _put_whose(tree)
    put_clauses(tree)
    raise_main_verb(tree)
    _free_small_words(tree)


def _join(tree: LightTree, name: LightName) -> None:
    """Let the words of a name depend on its first one."""
    places = range(name.first, name.last + 1)
    tree.gather(places, name.first)
    for place in places[1:]:
        tree.labels[place] = "punct" if tree.pairs[place].tag == "PUNCT" else "flat"


def _put_title(tree: LightTree, name: LightName) -> None:
    """Let a title depend on the name, and the words before it on the title."""
    if name.title < 0:
        return
    before = tree.pairs[name.title_first - 1].fine if name.title_first else ""
    if tree.pairs[name.title].tag == "NOUN" and before in {"DT", "PRP$", "POS"}:
        return
    owned = _owned(tree, name)
    tree.gather(range(name.title_first, name.last + 1), name.first)
    if owned >= 0:
        tree.attach(name.first, owned, "nmod:poss")
    tree.labels[name.title] = "nmod:desc"
    for place in range(name.title_first, name.title):
        tree.heads[place], tree.labels[place] = name.title, _premodifier(tree, place)


def _owned(tree: LightTree, name: LightName) -> int:
    """Give the place of what belongs to a person, -1 if nothing does."""
    inside = range(name.first, name.last + 1)
    heads = (tree.heads[place] for place in inside if tree.labels[place] == "nmod:poss")
    return next((head for head in heads if head > name.last), -1)


def _put_beside_noun(tree: LightTree, name: LightName) -> None:
    """Let the name in *his brother Ada Lee* depend on the noun if both do on the same word."""
    noun, first = name.title, name.first
    beside = noun >= 0 and tree.heads[noun] == tree.heads[first] not in (noun, first)
    if beside and all(tree.labels[own].startswith("nsubj") for own in (noun, first)):
        tree.attach(first, noun, "appos")


def _put_below_subject(tree: LightTree, name: int) -> None:
    """Let a name with a preposition depend on the subject before it: it is no second one."""
    marked = any(own < name and tree.labels[own] == "case" for own in tree.children(name))
    if not marked or not tree.labels[name].startswith("nsubj"):
        return
    for own in tree.children(tree.heads[name]):
        if own < name and tree.labels[own].startswith("nsubj"):
            tree.attach(name, own, "nmod")
            return


def _premodifier(tree: LightTree, place: int) -> str:
    tag = tree.pairs[place].tag
    return {"ADJ": "amod", "DET": "det", "NUM": "nummod", "PUNCT": "punct"}.get(tag, "compound")


def _put_appositions(tree: LightTree, name: LightName, is_role: IsRole) -> None:
    """Let *mayor* and *left* in *Ada Lee, mayor of Ardel, who left, said* depend on the name."""
    place = name.last + 1
    for _ in range(3):
        if _text(tree, place) != ",":
            break
        start = place + 1
        end = _apposition(tree, name, start, is_role) or _origin(tree, name, start)
        if not end:
            break
        place = end
    who = place + (_text(tree, place) == ",")
    if _text(tree, who) in _WHO - {"that"} and _is_wh(tree, who):
        put_clause(tree, name.first, who)


def _text(tree: LightTree, place: int) -> str:
    return tree.tokens[place].text.lower() if place < len(tree) else ""


def _is_wh(tree: LightTree, place: int) -> bool:
    return tree.pairs[place].fine in {"WP", "WDT", "WP$"}


def _apposition(tree: LightTree, name: LightName, start: int, is_role: IsRole) -> int:
    """Attach a noun phrase after a comma; give the place after it, or 0 if there is none."""
    end = _phrase_end(tree, start)
    if end == start or _text(tree, end) == "and":
        return 0
    last = end - 1
    age = last == start and tree.pairs[start].tag == "NUM" and len(_text(tree, start)) < 4
    party = _text(tree, start + 1) in {"-", "–"} and last == start + 2
    if not (age or party or (tree.pairs[last].tag == "NOUN" and is_role(_text(tree, last)))):
        return 0
    if not age and not _can_follow(tree, end):
        return 0
    head = start if party else last
    _hold_together(tree, start, end, head)
    tree.attach(head, name.first, "appos" if not age else "amod")
    return _below_end(tree, head, end)


def _origin(tree: LightTree, name: LightName, start: int) -> int:
    """Attach the place in *Ada Lee, of Ardel, said*; give the place after it, or 0."""
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
    place = start
    while place < len(tree) and (
        tree.pairs[place].tag in _PHRASE
        or tree.pairs[place].fine in {"POS", "HYPH"}
        or (place > start and _text(tree, place) in {"-", "–"})
    ):
        if _is_wh(tree, place):
            break
        place += 1
    return place


def _can_follow(tree: LightTree, place: int) -> bool:
    """Whether a phrase that ends here is not the subject of what follows."""
    if place >= len(tree):
        return True
    fine, tag = tree.pairs[place]
    return tag in {"ADP", "PUNCT"} or fine in {"VBN", "VBG", "WP", "WDT", "WP$", "TO", "WRB"}


def _hold_together(tree: LightTree, start: int, end: int, head: int) -> None:
    """Let the words of a phrase that depend on words outside depend on its head."""
    for place in range(start, end):
        if place != head and not start <= tree.heads[place] < end:
            tree.attach(place, head, _premodifier(tree, place))


def _below_end(tree: LightTree, head: int, end: int) -> int:
    """Give the place of the comma after all that belongs to a phrase."""
    last = max(tree.span(head)[1] + 1, end)
    while last < len(tree) and _text(tree, last) != "," and last < end + 12:
        last += 1
    return last if _text(tree, last) == "," else end


def _put_whose(tree: LightTree) -> None:
    """Let *whose* and adjectives after it depend on the noun that follows."""
    for who in range(len(tree)):
        end = who + 1
        while end < len(tree) and tree.pairs[end].tag in {"ADJ", "NOUN", "PROPN"}:
            end += 1
        if tree.pairs[who].fine == "WP$" and end > who + 1:
            _hold_together(tree, who, end, end - 1)
            tree.labels[who] = "nmod:poss"


def _free_small_words(tree: LightTree) -> None:
    """Let nothing depend on marks, articles and possessive pronouns."""
    for place in range(len(tree)):
        head = tree.heads[place]
        while head != tree.heads[head] and (
            tree.pairs[head].tag == "PUNCT" or tree.pairs[head].fine in {"DT", "PRP$", "WP$"}
        ):
            head = tree.heads[head]
        if place != tree.heads[place]:
            tree.heads[place] = head
