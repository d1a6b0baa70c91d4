"""What the tests of the kernels share."""

from types import SimpleNamespace

import pytest

from pyramidion.kernels import (
    lexicon,
    overlap,
    porter,
    resampling,
    stops,
    subsequences,
    tokens,
    units,
    vocabulary,
)

PYTHON = SimpleNamespace(
    Lexicon=lexicon.Lexicon,
    Stops=stops.Stops,
    Vocabulary=vocabulary.Vocabulary,
    ascii_letters=tokens.ascii_letters,
    bootstrap_sums=resampling.bootstrap_sums,
    lcs_hits=subsequences.lcs_hits,
    ngram_hits=overlap.ngram_hits,
    porter_stem=porter.porter_stem,
    rouge_tokens=tokens.rouge_tokens,
    shared_units=units.shared_units,
    skip_hits=overlap.skip_hits,
    weighted_lcs_hits=subsequences.weighted_lcs_hits,
)


def compiled_kernels():
    reason = "the native kernels are not built"
    return pytest.importorskip("pyramidion.kernels._native", reason=reason)


@pytest.fixture(scope="session")
def native():
    """Return the compiled kernels, or skip the test."""
    return compiled_kernels()


@pytest.fixture(scope="session", params=["python", "native"])
def kernel(request):
    """Return the kernels in Python, then the compiled ones."""
    return PYTHON if request.param == "python" else compiled_kernels()
