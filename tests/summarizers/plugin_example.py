"""What another package would declare as an entry point."""

from dataclasses import dataclass
from typing import ClassVar

from pyramidion.summarizers import Summarizer, choose_ranked


@dataclass(frozen=True, slots=True)
class Longest(Summarizer):
    """The longest sentences."""

    name: ClassVar[str] = "longest"
    title: ClassVar[str] = "longest"
    summary: ClassVar[str] = "the longest sentences"

    def choose(self, source, limit):
        return choose_ranked(source, limit, source.lengths.astype(float))
