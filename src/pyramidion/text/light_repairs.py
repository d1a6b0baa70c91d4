"""Rules that put right what a learned tree gets wrong around names."""

from collections.abc import Callable, Sequence

from pyramidion.text.light_name_words import LightName
from pyramidion.text.light_trees import LightTree

__all__ = ["repair"]

#: A main verb is not looked for farther from a relative clause.
_FAR = 60

IsRole = Callable[[str], bool]

_PHRASE = frozenset({"ADJ", "ADV", "DET", "NOUN", "NUM", "PROPN", "PRON"})
_TELL = frozenset(
    {"tell", "tells", "told", "warned", "informed", "reminded", "assured", "convinced", "promised"}
)
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
    for name in people:
        _put_appositions(tree, name, is_role)
    _put_whose(tree)
    _put_clauses(tree)
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
    tree.gather(range(name.title_first, name.last + 1), name.first)
    tree.labels[name.title] = "nmod:desc"
    for place in range(name.title_first, name.title):
        tree.heads[place], tree.labels[place] = name.title, _premodifier(tree, place)


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
        _put_clause(tree, name.first, who)


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


def _put_clause(tree: LightTree, noun: int, who: int) -> None:
    """Let the verb of a relative clause depend on the noun."""
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
    if tree.heads[noun] != noun:
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


def _put_clauses(tree: LightTree) -> None:
    """Let the verb after *troops that* depend on *troops*."""
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
    if _text(tree, that) != "that" or _text(tree, above) not in _TELL:
        return False
    if not any(tree.labels[k].startswith("nsubj") and k != that for k in tree.children(verb)):
        return False
    tree.attach(verb, above, "ccomp")
    tree.labels[that] = "mark"
    return True


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
