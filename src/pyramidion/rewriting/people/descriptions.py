"""What is said about people: appositions, relative clauses and copulas; and a listing of it all."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pyramidion.rewriting.people.clauses import clause_end
from pyramidion.rewriting.people.mention import Description, Mention, Person
from pyramidion.rewriting.people.words import words_of

__all__ = ["chain_listing", "copula_of", "described"]

_COPULAS: Final = frozenset({"is", "was", "became", "becomes", "remains", "remained"})
_AUXILIARIES: Final = frozenset({"will", "would", "has", "had", "may", "might", "should", "could"})
_LONGEST_HEAD: Final = 7
_LETTERS: Final = {
    "pronoun": "PR",
    "apposition": "AP",
    "relative clause": "RC",
    "copula": "IS",
}


def described(person: Person) -> Person:
    """Add the appositions, relative clauses and copulas that stand with somebody's mentions.

    Parameters
    ----------
    person
        Somebody, with mentions.

    Examples
    --------
    >>> described(Person("Ann Orr", "Orr", ())).descriptions
    ()
    """
    found = [own for mention in person.mentions for own in _descriptions(mention)]
    return replace(person, descriptions=tuple(found))


def copula_of(mention: Mention) -> Description | None:
    """Find what the sentence says somebody is: *Sakharov was a physicist*.

    Parameters
    ----------
    mention
        A mention.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.text._parsing import ParsedWord
    >>> words = [ParsedWord(w, w, t, 0, "dep", s) for w, t, s in
    ...          [("Orr", "PROPN", 0), ("is", "AUX", 4), ("a", "DET", 7), ("nurse", "NOUN", 9)]]
    >>> copula_of(Mention(ParsedSentence("Orr is a nurse", tuple(words)), 0, 0, "last")).text
    'a nurse'
    """
    words = mention.sentence.words
    place = _after(mention)
    if mention.possessive or not mention.head or place >= len(words):
        return None
    if words[place].text in _AUXILIARIES and place + 1 < len(words):
        place += 1
    verb = words[place]
    if verb.text not in _COPULAS and verb.text not in {"be", "been"}:
        return None
    first = place + 1
    if first >= len(words) or not _says_who(mention, first):
        return None
    return Description("copula", mention.sentence, first, _noun_phrase_end(mention, first))


def chain_listing(person: Person) -> str:
    """List how documents refer to somebody, as Figure 5.12 of the thesis does.

    *IR* is the first mention of a document, *CO* a later one, *PR* a pronoun, *AP* an
    apposition, *RC* a relative clause and *IS* a copula.

    Parameters
    ----------
    person
        Somebody.

    Examples
    --------
    >>> print(chain_listing(Person("Ann Orr", "Orr", ())))
    Ann Orr
    """
    lines = [person.name]
    for document in person.documents:
        lines.append(f"{document}: {' '.join(_entries(person, document))}")
    return "\n".join(lines)


def _descriptions(mention: Mention) -> Iterator[Description]:
    if mention.post == "apposition":
        yield Description("apposition", mention.sentence, mention.post_first, mention.post_last)
        clause = _clause_after(mention)
        if clause is not None:
            yield clause
    if mention.post == "relative clause":
        yield Description(
            "relative clause", mention.sentence, mention.post_first, mention.post_last
        )
    copula = copula_of(mention)
    if copula is not None:
        yield copula


def _clause_after(mention: Mention) -> Description | None:
    """Find a relative clause after an apposition: *R-Maine, who chairs the committee*."""
    words, place = mention.sentence.words, mention.post_last + 2
    if (
        place >= len(words)
        or words[place - 1].text != ","
        or words[place].text not in {"who", "whose", "whom"}
    ):
        return None
    return Description("relative clause", mention.sentence, place, clause_end(words, place))


def _after(mention: Mention) -> int:
    """Give the place after a mention and what follows its name."""
    words = mention.sentence.words
    place = max(mention.last, mention.post_last) + 1
    closed = mention.post in {"apposition", "relative clause", "other"}
    return place + 1 if closed and place < len(words) and words[place].text == "," else place


def _says_who(mention: Mention, first: int) -> bool:
    """Tell whether a noun phrase with a role begins at a place."""
    words = mention.sentence.words
    for word in words[first : first + _LONGEST_HEAD]:
        if word.text in words_of("roles") | words_of("relations"):
            return True
        noun_like = word.tag in {"DET", "ADJ", "NOUN", "PROPN", "NUM", "ADV", "PART"}
        if not noun_like and word.text not in {"-", "her", "his"}:
            return False
    return False


def _noun_phrase_end(mention: Mention, first: int) -> int:
    """Give the last word before the phrase ends: at a comma, a clause or the sentence's end."""
    words = mention.sentence.words
    for at in range(first + 1, len(words)):
        word = words[at]
        mark = not word.text[0].isalnum() and word.text not in {"-", "'s", "’s", "&"}
        if mark or word.text in {"when", "who", "and", "but", "that", "which"}:
            return at - 1
    return len(words) - 1


def _entries(person: Person, document: str) -> Iterator[str]:
    """Give the references of a document in their order."""
    mentions = person.in_document(document)
    places: list[tuple[int, int, str]] = []
    for number, own in enumerate(mentions):
        letters = "CO" if number else "IR"
        text = f"{own.premodifier} {own.name}".strip()
        places.append((own.sentence.index, own.first, f"[{letters}] {text}"))
    for said in person.descriptions:
        if said.sentence.document == document:
            entry = f"[{_LETTERS[said.kind]}] {said.text}"
            places.append((said.sentence.index, said.first, entry))
    return (entry for _, _, entry in sorted(places))
