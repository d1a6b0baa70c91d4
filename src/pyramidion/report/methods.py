"""What was done, in words that can go into a paper."""

from collections.abc import Iterator, Sequence

from pyramidion.evaluation import ComparisonResult
from pyramidion.evaluation.procedures import CORRECTION_TEXTS, TEST_TEXTS

__all__ = ["method_text"]

_CITATIONS = (
    (
        "Fisher 1935",
        "R. A. Fisher. The Design of Experiments. Oliver and Boyd, 1935.",
    ),
    (
        "Wilcoxon 1945",
        "F. Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin 1, 1945.",
    ),
    (
        "Student 1908",
        "Student. The probable error of a mean. Biometrika 6, 1908.",
    ),
    (
        "Welch 1947",
        "B. L. Welch. The generalization of Student's problem. Biometrika 34, 1947.",
    ),
    (
        "Bickel and Ren 2001",
        "P. J. Bickel and J.-J. Ren. The bootstrap in hypothesis testing. IMS Lecture Notes "
        "36, 2001.",
    ),
    (
        "Rankel et al. 2011",
        "P. Rankel, J. M. Conroy, E. V. Slud and D. P. O'Leary. Ranking human and machine "
        "summarization systems. EMNLP 2011.",
    ),
    (
        "Westfall and Young 1993",
        "P. H. Westfall and S. S. Young. Resampling-Based Multiple Testing. Wiley, 1993.",
    ),
    (
        "Holm (1979)",
        "S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian "
        "Journal of Statistics 6, 1979.",
    ),
    (
        "Benjamini and Hochberg (1995)",
        "Y. Benjamini and Y. Hochberg. Controlling the false discovery rate. JRSS B 57, 1995.",
    ),
)


def method_text(results: Sequence[ComparisonResult]) -> Iterator[str]:
    """Describe how systems were compared, and cite what that rests on.

    Parameters
    ----------
    results
        The comparisons.

    Examples
    --------
    >>> from pyramidion.collection import ScoreMatrix
    >>> from pyramidion.evaluation import compare
    >>> matrix = ScoreMatrix([[1, 2], [2, 4], [3, 3]], list("abc"), ["x", "y"], measure="m")
    >>> list(method_text([compare(matrix, test="paired-t", correction="none")]))[-1]
    'Student. The probable error of a mean. Biometrika 6, 1908.'
    """
    first = results[0]
    paragraphs = [
        "Each pair of systems was compared on the topics that both have a score on; a topic is "
        "a block. Several assessors of one summary were averaged. Intervals of means are "
        "percentiles of a bootstrap over topics, the same draws for all systems."
    ]
    for test in dict.fromkeys(result.test for result in results):
        paragraphs.append(f"{test}: {TEST_TEXTS[test].method}.")
    resamples = max(result.n_resamples for result in results)
    drawn = f" P-values of resampling rest on {resamples:,} resamples." if resamples else ""
    correction = CORRECTION_TEXTS[first.correction].method
    paragraphs.append(
        f"{correction[0].upper()}{correction[1:]}; alpha = {first.alpha:g}.{drawn} Counts without "
        "correction stand beside, for comparison with older work."
    )
    yield from paragraphs
    text = " ".join(paragraphs)
    yield from (source for name, source in _CITATIONS if name in text)
