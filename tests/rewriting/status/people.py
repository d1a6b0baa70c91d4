"""People made by hand, without a parser."""

import re

from pyramidion.rewriting import Description, Mention, Person
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord

_WORD = re.compile(r"(?:[A-Z]\.)+|(?:Sen|Gov|Dr|Mr|Capt|Inc)\.|'s|[\w-]+|[^\w\s]")


def sentence(text, document="d1", index=0, *, persons=(), bodies=(), tags=None, heads=None):
    """Make a sentence; words in brackets of persons or bodies are names."""
    marked = {}
    for kind, names in (("person", persons), ("organization", bodies)):
        for name in names:
            at = text.index(name)
            marked[at] = (kind, at + len(name))
    words = []
    for position, match in enumerate(_WORD.finditer(text)):
        entity = next((k for s, (k, e) in marked.items() if s <= match.start() < e), "")
        token = match.group()
        tag = (tags or {}).get(token) or _tag(token)
        head, relation = (heads or {}).get(token, (0, "modifier" if position else "root"))
        words.append(
            ParsedWord(
                token,
                token.lower(),
                tag,
                head,
                relation,
                match.start(),
                "NNP" if tag == "PROPN" else "NN",
                entity,
                entity != "" and match.start() in marked,
            )
        )
    return ParsedSentence(text, tuple(words), document, index)


def _tag(token):
    if not token[0].isalnum() and token != "'s":
        return "PUNCT"
    if token.lower() in ("a", "an", "the"):
        return "DET"
    if token.isdigit():
        return "NUM"
    return "PROPN" if token[0].isupper() else "NOUN"


def find(parsed, phrase):
    """Return the places of the first and last word of a phrase."""
    at = parsed.text.index(phrase)
    places = [n for n, w in enumerate(parsed.words) if at <= w.start < at + len(phrase)]
    return places[0], places[-1]


def mention(parsed, name, *, post="none", after="", **fields):
    """Make a mention of a name in a sentence."""
    first, last = find(parsed, name)
    form = "full" if len(name.split()) > 1 else "last"
    if after:
        fields["post_first"], fields["post_last"] = find(parsed, after)
    return Mention(parsed, first, last, form, post=post, **fields)


def description(kind, parsed, phrase):
    return Description(kind, parsed, *find(parsed, phrase))


def person(name, mentions=(), descriptions=()):
    return Person(name, name.split()[-1], tuple(mentions), tuple(descriptions))
