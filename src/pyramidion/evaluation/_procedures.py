"""Tests and corrections: their names, what to call them in prose, and which go together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

#: Tests of two systems.
TestName = Literal[
    "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
]
#: Mixed models of single scores, which take the place of a test.
ModelName = Literal["lmm", "ordinal"]
RandomEffect = Literal["topic", "assessor", "run", "system:topic", "system:assessor"]
#: Tests of two metrics: ``permutation`` swaps their values, the others know system means only.
MetaTest = Literal["permutation", "williams", "steiger", "zou", "meng"]
Correction = Literal["maxt", "maxt-single", "holm", "bh", "none"]
#: The same by its name; for mean ranks max-T is Tukey's, for models that of a multivariate t.
Corrected = Correction | Literal["tukey", "mvt"]
StatisticName = Literal["w", "t", "t-unpaired"]

TESTS: tuple[TestName, ...] = get_args(TestName)
MODELS: tuple[ModelName, ...] = get_args(ModelName)
META_TESTS: tuple[MetaTest, ...] = get_args(MetaTest)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
#: Those that look at the largest statistic of each resample.
MAX_T: tuple[Correction, ...] = ("maxt", "maxt-single")
STATISTICS: tuple[StatisticName, ...] = get_args(StatisticName)

#: Tests whose p-values rest on resamples.
RESAMPLING_TESTS: tuple[TestName, ...] = ("permutation", "mc", "hb")
#: Those of them that resample a statistic of choice.
STATISTIC_TESTS: tuple[TestName, ...] = ("mc", "hb")
#: Tests that know which topic a score belongs to.
PAIRED_TESTS: tuple[TestName, ...] = ("permutation", "paired-t", "wilcoxon", "mc", "hb")

# Why max-T, which swaps the two scores of a topic, says nothing about a test.
_NO_MAX_T: Mapping[str, str] = {
    **dict.fromkeys(("unpaired-t", "welch"), "knows no shared topics"),
    **{test: "swaps nothing" for test in META_TESTS if test != "permutation"},
}


def test_label(test: TestName | ModelName, statistic: str | None, continuity: bool) -> str:
    """Name a test with what it resamples, or with its continuity correction."""
    if test in STATISTIC_TESTS:
        return f"{test}({statistic})"
    return f"{test}(continuity)" if continuity and test == "wilcoxon" else test


def effective_correction(correction: Correction, test: TestName | MetaTest) -> Correction:
    """Give the correction, Holm's in the place of max-T for tests that max-T cannot correct."""
    return "holm" if correction in MAX_T and test in _NO_MAX_T else correction


def named_correction(correction: Correction, test: TestName) -> Corrected:
    """Call the correction by its name: max-T of mean ranks is Tukey's."""
    named = effective_correction(correction, test)
    return "tukey" if named in MAX_T and test == "kruskal" else named


def fallback_note(correction: Correction, test: TestName | MetaTest) -> str:
    """Say why another correction than the one asked for was made; empty if none was."""
    if effective_correction(correction, test) == correction:
        return ""
    return f"{test} {_NO_MAX_T[test]}, so Holm's correction takes max-T's place."


@dataclass(frozen=True, slots=True)
class TestText:
    """A test in prose: a short name, and a statement of what was done."""

    __test__ = False  # nothing for pytest to collect

    name: str
    method: str


@dataclass(frozen=True, slots=True)
class CorrectionText:
    """A correction in prose: its short name, as it follows "significant at .05", and its method."""

    name: str
    after: str
    method: str
    metric_method: str


STATISTIC_NAMES: Mapping[StatisticName, str] = {
    "w": "|W|",
    "t": "|T|",
    "t-unpaired": "unpaired |T|",
}

TEST_TEXTS: Mapping[TestName | ModelName, TestText] = {
    "permutation": TestText(
        "sign-flip permutation test",
        "the mean difference over topics was compared with its distribution when the "
        "sign of every topic's difference is random, S = sum Z / sqrt(sum Z^2), the same signs "
        "being used for all pairs (Fisher 1935)",
    ),
    "wilcoxon": TestText(
        "Wilcoxon signed-rank test",
        "the Wilcoxon signed-rank test was used, zero differences dropped, with midranks "
        "and the tie-corrected normal approximation, W+ = sum of ranks of positive differences "
        "(Wilcoxon 1945)",
    ),
    "paired-t": TestText(
        "paired t test",
        "the paired t test was used, t = mean(Z) / (s_Z / sqrt(n)) (Student 1908)",
    ),
    "unpaired-t": TestText(
        "unpaired t test",
        "the two-sample t test with pooled variance was used, which ignores that "
        "topics are shared (Student 1908)",
    ),
    "welch": TestText(
        "Welch's t test",
        "Welch's two-sample t test was used, which ignores that topics are shared (Welch 1947)",
    ),
    "mc": TestText(
        "Monte Carlo resampling test",
        "the statistic was compared with its distribution when the two scores of every topic "
        "are swapped by a fair coin (Monte Carlo resampling; Rankel et al. 2011)",
    ),
    "hb": TestText(
        "bootstrap test",
        "the statistic was compared with its distribution when topics are drawn with "
        "replacement and the two scores of each are swapped by a fair coin (hybrid bootstrap; "
        "Bickel and Ren 2001; Rankel et al. 2011)",
    ),
    "kruskal": TestText(
        "Kruskal-Wallis test",
        "the scores of all systems were ranked together and compared by the Kruskal-Wallis test, "
        "and the mean ranks of two systems by z = difference / sqrt(var (1/n_a + 1/n_b)), var "
        "being corrected for ties, which ignores that topics are shared (Kruskal and Wallis 1952; "
        "Dunn 1964)",
    ),
    "lmm": TestText(
        "linear mixed model",
        "single scores were modeled by systems as fixed and topics, assessors and runs as random "
        "effects, fitted by REML (Bates et al. 2015); differences of least-squares means were "
        "tested by t with Satterthwaite's degrees of freedom (Kuznetsova et al. 2017), and by no "
        "more of them than there are runs within systems",
    ),
    "ordinal": TestText(
        "ordinal mixed model",
        "single judgments were modeled by cumulative logits, with systems as fixed and topics, "
        "assessors and runs as random effects, fitted by Laplace's approximation (Christensen "
        "2018); log odds of systems were compared by t with the degrees of freedom that all "
        "effects leave, and with no more of them than there are runs within systems",
    ),
}

#: ``{over}`` stands for what was swapped.
META_TEST_TEXTS: Mapping[MetaTest, TestText] = {
    "permutation": TestText(
        "permutation test",
        "Two metrics were compared by swapping their standardized values for random "
        "{over}, the same swaps for all pairs (Deutsch et al. 2021).",
    ),
    "williams": TestText(
        "Williams' test",
        "Two metrics were compared by Williams' t test of dependent correlations of the "
        "systems' means, which takes systems as independent and normal.",
    ),
    "steiger": TestText(
        "Steiger's test",
        "Two metrics were compared by Steiger's z test of dependent correlations of the "
        "systems' means, which takes systems as independent and normal.",
    ),
    "zou": TestText(
        "Zou's interval",
        "Two metrics were compared by Zou's interval of the difference between dependent "
        "correlations of the systems' means, which takes systems as independent and normal.",
    ),
    "meng": TestText(
        "Meng's test",
        "Two metrics were compared by the z test of Meng, Rosenthal and Rubin on the systems' "
        "means, which takes systems as independent and normal.",
    ),
}

CORRECTION_TEXTS: Mapping[Corrected, CorrectionText] = {
    "maxt": CorrectionText(
        name="max-T correction",
        after="after max-T correction for the number of pairs",
        method="p-values were corrected for the number of pairs by step-down max-T over shared "
        "resamples (Westfall and Young 1993)",
        metric_method="P-values were corrected for the number of pairs by step-down max-T over the "
        "shared swaps, and after Holm for tests without swaps",
    ),
    "maxt-single": CorrectionText(
        name="single-step max-T correction",
        after="after single-step max-T correction for the number of pairs",
        method="p-values were corrected for the number of pairs by single-step max-T over shared "
        "resamples (Westfall and Young 1993)",
        metric_method="P-values were corrected for the number of pairs by single-step max-T over "
        "the shared swaps, and after Holm for tests without swaps",
    ),
    "holm": CorrectionText(
        name="Holm correction",
        after="after Holm's correction for the number of pairs",
        method="p-values were corrected for the number of pairs after Holm (1979)",
        metric_method="P-values were corrected for the number of pairs after Holm",
    ),
    "bh": CorrectionText(
        name="Benjamini-Hochberg correction",
        after="after control of the false discovery rate (Benjamini and Hochberg)",
        method="the false discovery rate was controlled after Benjamini and Hochberg (1995)",
        metric_method="The false discovery rate was controlled after Benjamini and Hochberg",
    ),
    "none": CorrectionText(
        name="no correction",
        after="without correction for the number of pairs",
        method="p-values were not corrected for the number of pairs",
        metric_method="P-values were not corrected for the number of pairs",
    ),
    "mvt": CorrectionText(
        name="multivariate t correction",
        after="after single-step correction for the number of pairs",
        method="p-values were corrected for the number of pairs by the largest |t| of all pairs, "
        "whose differences are multivariate t (Genz and Bretz 2009)",
        metric_method="",
    ),
    "tukey": CorrectionText(
        name="Tukey's correction",
        after="after Tukey's correction for the number of pairs",
        method="p-values were corrected for the number of pairs by the studentized range "
        "(Hochberg and Tamhane 1987)",
        metric_method="P-values were corrected for the number of pairs by the studentized range",
    ),
}
