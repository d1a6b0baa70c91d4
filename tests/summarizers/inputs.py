"""Inputs for tests: made-up sentences, and the demo's topics."""

from collections.abc import Sequence
from typing import ClassVar

from hypothesis import strategies as st

from pyramidion.collection import Document
from pyramidion.summarizers import CandidateRules, Choice, Limit, Source, Summarizer

#: Everything may be chosen.
ANY = CandidateRules.nothing_left_out()

NOUNS = ("rain", "mud", "goat", "road", "Ardel", "flood", "bridge", "school", "1998")
WORDS = st.sampled_from((*NOUNS, "the", "of", "sold", "closed", "fell"))
SENTENCES = st.lists(WORDS, min_size=1, max_size=7).map(
    lambda words: " ".join(words).capitalize() + "."
)
TEXTS = st.lists(SENTENCES, min_size=1, max_size=8)
UNIQUE_TEXTS = st.lists(SENTENCES, min_size=1, max_size=8, unique=True)


def source_of(*texts, rules=ANY, **options):
    """Make an input of texts in which everything may be chosen."""
    return Source.of_texts(texts, rules=rules, **options)


def documents(*dated):
    """Make documents of (date, text)."""
    return [Document(f"d{n}", text, date=date) for n, (date, text) in enumerate(dated, start=1)]


def preset(numbers: Sequence[int]) -> Summarizer:
    """Return a method that chooses these sentences."""

    class Preset(Summarizer):
        name: ClassVar[str] = "preset"

        def choose(self, source: Source, limit: Limit) -> Choice:
            return Choice(tuple(numbers), (1.0,) * len(numbers))

    return Preset()
