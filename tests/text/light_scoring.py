"""How much of what is in a sentence a parser finds, counted as spec/nlp.md counts it."""

from collections import Counter

from text.light_sentences import SENTENCES, Person

__all__ = ["people_gold", "score", "written"]


def written():
    """Return the sentences written for the tests: text, people, relations."""
    return [
        (text, people, [tuple(relation.split(">")) for relation in relations.split("; ")])
        for text, people, relations in SENTENCES
    ]


def people_gold(entries):
    """Return the sentences of people.json in the same form."""
    return [
        (
            entry["text"],
            [
                Person(p["name"], *(p[k] or "" for k in ("premodifier", "apposition", "relative")))
                for p in entry["persons"]
            ],
            [tuple(relation) for relation in entry["relations"]],
        )
        for entry in entries
    ]


def score(parser, sentences):
    """Count what is found, and list what is not."""
    counts, missed = Counter(), []
    for (text, people, relations), words in zip(
        sentences, parser.parse([entry[0] for entry in sentences]), strict=True
    ):
        for what, expected, got in (
            *(
                (what, *pair)
                for person in people
                for what, *pair in _of_person(text, words, person)
            ),
            *(("relation", pair, _heads(text, words, people, *pair)) for pair in relations),
        ):
            right = got is True or (isinstance(got, list) and expected in got)
            counts[what, "all"] += 1
            counts[what] += right
            if not right:
                missed.append((what, expected, got))
    return counts, missed


def _of_person(text, words, person):
    names = [text[words[a].start : words[b].end] for a, b in _people(words)]
    yield "name", person.name, names
    places = _places(text, words, person.name)
    below = [k for k, word in enumerate(words) if word.head in places and k not in places]
    before = [k for k in below if k < places[0] and words[k].relation == "title"]
    if person.title:
        spans = [text[words[min(_below(words, k))].start : words[places[0]].start] for k in before]
        yield "title", person.title, [span.strip() for span in spans]
    for what, relation in (("apposition", "apposition"), ("relative", "relative clause")):
        if getattr(person, what):
            chosen = [k for k in below if words[k].relation == relation]
            yield what, getattr(person, what), [_text(text, words, k) for k in chosen]


def _people(words):
    for index, word in enumerate(words):
        if word.opens and word.entity == "person":
            last = index
            while last + 1 < len(words) and words[last + 1].entity and not words[last + 1].opens:
                last += 1
            yield index, last


def _places(text, words, phrase):
    first = text.index(phrase)
    return [k for k, word in enumerate(words) if first <= word.start < first + len(phrase)]


def _below(words, top):
    subtree = {top}
    while more := {k for k, word in enumerate(words) if word.head in subtree} - subtree:
        subtree |= more
    return sorted(subtree)


def _text(text, words, top):
    places = _below(words, top)
    while words[places[-1]].tag == "PUNCT":
        places.pop()
    while words[places[0]].tag == "PUNCT":
        places.pop(0)
    return text[words[places[0]].start : words[places[-1]].end]


def _heads(text, words, people, head, modifier):
    heads, modifiers = _nodes(text, words, people, head), _nodes(text, words, people, modifier)
    if any(words[k].head in heads for k in modifiers - heads):
        return True
    return [words[words[k].head].text for k in modifiers]


def _nodes(text, words, people, phrase):
    """Find a full name's words, or those that are the word and in no full name."""
    named = {k for person in people for k in _places(text, words, person.name)}
    if any(phrase == person.name for person in people):
        return set(_places(text, words, phrase))
    return {k for k, word in enumerate(words) if word.text == phrase} - named
