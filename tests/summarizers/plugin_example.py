"""What another package would declare as an entry point."""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import ClassVar

from pyramidion.questions import option
from pyramidion.rendering.view import View, columns
from pyramidion.summarizers import (
    Appendix,
    RewriterOptions,
    Summarizer,
    SummaryMaker,
    choose_ranked,
)


@dataclass(frozen=True, slots=True)
class Longest(Summarizer):
    """The longest sentences."""

    name: ClassVar[str] = "longest"
    title: ClassVar[str] = "longest"
    summary: ClassVar[str] = "the longest sentences"

    def choose(self, source, limit):
        return choose_ranked(source, limit, source.lengths.astype(float))


@dataclass(frozen=True)
class LoudMaker(SummaryMaker):
    """Makes summaries in capitals, and lists their words."""

    def summarize(self, method, limit, *, order="source"):
        extract = super().summarize(method, limit, order=order)
        sentences = (
            replace(sentence, text=sentence.text.upper()) for sentence in extract.sentences
        )
        return replace(extract, sentences=tuple(sentences))

    def appendices(self, text):
        rows = tuple(SimpleNamespace(word=word) for word in text.split())
        return (Appendix("shouted", "what was shouted", View("loud", columns("word")), rows),)


@dataclass(frozen=True, slots=True)
class Loud(RewriterOptions):
    """Summaries in capitals."""

    rewrite: tuple[str, ...] = option((), "What to rewrite.")

    @property
    def applied(self):
        return self.rewrite

    def maker(self, source):
        return LoudMaker(source)
