"""Hypothesis strategies for ROUGE: values, and texts over few words so that they overlap."""

from hypothesis import strategies as st

from pyramidion import Rouge

WORDS = ("rain", "rains", "fell", "the", "of", "road", "roads", "geese", "closed", "3", "A", "x")

gaps = st.none() | st.integers(-3, 9)
either = st.booleans()
RULES = ("average", "best", "best-r", "best-f", "mean")


@st.composite
def rouges(draw, *, exact=either, limits=True):
    """Every combination of variants and options that makes sense."""
    is_exact = draw(exact)
    limit = draw(st.sampled_from((None, "words", "bytes"))) if limits else None
    least = 0.01 if is_exact else 1.0
    n = draw(st.lists(st.integers(1, 9), max_size=3, unique=True))
    return Rouge(
        n=tuple(n),
        l=draw(st.booleans()) or not n,
        w=draw(st.none() | st.floats(least, 4)),
        s=draw(gaps),
        su=draw(gaps),
        stem=draw(st.sampled_from((False, True, "rouge", *([] if is_exact else ["nltk"])))),
        stop_words=draw(st.booleans()),
        alpha=draw(st.floats(0, 1)),
        models=draw(st.sampled_from(RULES[:3] if is_exact else RULES)),
        sentences="split" if is_exact else draw(st.sampled_from(("split", "lines", "whole"))),
        tokenizer="rouge" if is_exact else draw(st.sampled_from(("rouge", "unicode"))),
        exceptions=draw(st.booleans()),
        exact=is_exact,
        **({limit: draw(st.integers(1, 50))} if limit else {}),
    )


sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
texts = st.lists(sentences, min_size=1, max_size=4).map("\n".join)
reference_sets = st.lists(texts, min_size=1, max_size=4)
items = st.tuples(texts, reference_sets)
