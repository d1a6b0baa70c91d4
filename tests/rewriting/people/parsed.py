"""Sentences parsed for tests, by the parser that comes with the package or by the light one."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec

from pyramidion.rewriting import Articles, Mention, Person, find_people
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import load_parser

PARSERS = ["", "light"] if find_spec("spacy") else ["light"]

Texts = Mapping[str, Sequence[str]]


def articles_of(texts: Texts, pipeline: str) -> Articles:
    return _articles(tuple((id, tuple(sentences)) for id, sentences in texts.items()), pipeline)


@cache
def _articles(texts: tuple[tuple[str, tuple[str, ...]], ...], pipeline: str) -> Articles:
    return Articles.of_sentences(texts, load_parser(pipeline))


def people_in(texts: Texts, pipeline: str) -> dict[str, Person]:
    return {person.name: person for person in find_people(articles_of(texts, pipeline))}


def only_mention(sentence: str, pipeline: str) -> Mention:
    """Return the first mention of a sentence."""
    people = find_people(articles_of({"d1": [sentence]}, pipeline))
    mentions = [mention for person in people for mention in person.mentions]
    return min(mentions, key=lambda mention: mention.first)


def sentences_of(articles: Articles, *places: tuple[str, int]) -> list[ParsedSentence]:
    at = {(sentence.document, sentence.index): sentence for sentence in articles}
    return [at[key] for key in places]
