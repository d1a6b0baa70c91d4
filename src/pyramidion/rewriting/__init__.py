"""Rewriting: noun phrases, references to people, who is known and who matters."""

from pyramidion.rewriting.articles import Articles, ParsedSentence
from pyramidion.rewriting.edits import Replacement, edited
from pyramidion.rewriting.noun_phrases import NounPhraseRewriter
from pyramidion.rewriting.options import RewriteOptions
from pyramidion.rewriting.people.chains import find_people
from pyramidion.rewriting.people.mention import Description, Mention, Person
from pyramidion.rewriting.people.rewrite import PeopleRewriter, RewrittenPeople
from pyramidion.rewriting.rewriter import Rewriter, RewriteSession, Rewritten
from pyramidion.rewriting.status.model import Status, status_of
from pyramidion.rewriting.status.who import WhoIs, who_is, who_is_who

__all__ = [
    "Articles",
    "Description",
    "Mention",
    "NounPhraseRewriter",
    "ParsedSentence",
    "PeopleRewriter",
    "Person",
    "Replacement",
    "RewriteOptions",
    "RewriteSession",
    "Rewriter",
    "Rewritten",
    "RewrittenPeople",
    "Status",
    "WhoIs",
    "edited",
    "find_people",
    "status_of",
    "who_is",
    "who_is_who",
]
