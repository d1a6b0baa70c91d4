"""Statistics on arrays; this room has never heard of a summary.

Functions follow SciPy's new style: options are keyword-only, ``rng=`` takes a generator or a
seed, the result is an object. Topics are always the blocks. Where the papers are odd, docstrings
name the reading chosen by its number in ``docs/readings.md``.

>>> from pyramidion.stats import wilcoxon
>>> round(wilcoxon([3, 5, 4, 6, 5], [1, 4, 5, 2, 2]).p, 4)
0.1041
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.stats.adjust import adjust_p as adjust_p
    from pyramidion.stats.anova import two_way_anova as two_way_anova
    from pyramidion.stats.blocked_ranks import friedman as friedman
    from pyramidion.stats.bootstrap import bootstrap_interval as bootstrap_interval
    from pyramidion.stats.clustered import clustered_correlation as clustered_correlation
    from pyramidion.stats.clustered_bootstrap import (
        clustered_difference_interval as clustered_difference_interval,
    )
    from pyramidion.stats.clustered_bootstrap import clustered_interval as clustered_interval
    from pyramidion.stats.clustered_permutation import clustered_difference as clustered_difference
    from pyramidion.stats.correlation import kendall as kendall
    from pyramidion.stats.correlation import pearson as pearson
    from pyramidion.stats.correlation import spearman as spearman
    from pyramidion.stats.correlation_intervals import correlation_interval as correlation_interval
    from pyramidion.stats.correlation_tests import correlation_difference as correlation_difference
    from pyramidion.stats.effects import cohen_dz as cohen_dz
    from pyramidion.stats.effects import hodges_lehmann as hodges_lehmann
    from pyramidion.stats.effects import mean_difference as mean_difference
    from pyramidion.stats.effects import rank_biserial as rank_biserial
    from pyramidion.stats.effects import walsh_probability as walsh_probability
    from pyramidion.stats.efficiency import wilcoxon_efficiency as wilcoxon_efficiency
    from pyramidion.stats.kappa import cohen_kappa as cohen_kappa
    from pyramidion.stats.kappa import percent_agreement as percent_agreement
    from pyramidion.stats.kappa import scott_pi as scott_pi
    from pyramidion.stats.krippendorff import krippendorff_alpha as krippendorff_alpha
    from pyramidion.stats.kruskal import kruskal_wallis as kruskal_wallis
    from pyramidion.stats.multiple_comparisons import blocked_tukey as blocked_tukey
    from pyramidion.stats.multiple_comparisons import mean_rank_tukey as mean_rank_tukey
    from pyramidion.stats.pair_permutation import least_resamples as least_resamples
    from pyramidion.stats.pair_permutation import permute_pairs as permute_pairs
    from pyramidion.stats.pair_resampling import resample_pairs as resample_pairs
    from pyramidion.stats.permutation import permutation_test as permutation_test
    from pyramidion.stats.planning import required_topics as required_topics
    from pyramidion.stats.power import power_curve as power_curve
    from pyramidion.stats.regression import canonical_correlation as canonical_correlation
    from pyramidion.stats.regression import nonnegative_regression as nonnegative_regression
    from pyramidion.stats.resampled_kruskal import (
        resampled_kruskal_wallis as resampled_kruskal_wallis,
    )
    from pyramidion.stats.robust import robust_regression as robust_regression
    from pyramidion.stats.signed_ranks import wilcoxon as wilcoxon
    from pyramidion.stats.simultaneous import simultaneous_intervals as simultaneous_intervals
    from pyramidion.stats.t_tests import paired_t as paired_t
    from pyramidion.stats.t_tests import unpaired_t as unpaired_t
    from pyramidion.stats.top_correlation import tau_ap as tau_ap
    from pyramidion.stats.verdicts import agreement_on_significance as agreement_on_significance
    from pyramidion.stats.verdicts import all_must_agree as all_must_agree

# Loaded when first used: together they take a second, and most commands need one or two.
_MODULES = {
    "adjust_p": "adjust",
    "agreement_on_significance": "verdicts",
    "all_must_agree": "verdicts",
    "blocked_tukey": "multiple_comparisons",
    "bootstrap_interval": "bootstrap",
    "canonical_correlation": "regression",
    "clustered_correlation": "clustered",
    "clustered_difference": "clustered_permutation",
    "clustered_difference_interval": "clustered_bootstrap",
    "clustered_interval": "clustered_bootstrap",
    "cohen_dz": "effects",
    "cohen_kappa": "kappa",
    "correlation_difference": "correlation_tests",
    "correlation_interval": "correlation_intervals",
    "friedman": "blocked_ranks",
    "hodges_lehmann": "effects",
    "kendall": "correlation",
    "krippendorff_alpha": "krippendorff",
    "kruskal_wallis": "kruskal",
    "least_resamples": "pair_permutation",
    "mean_difference": "effects",
    "mean_rank_tukey": "multiple_comparisons",
    "nonnegative_regression": "regression",
    "paired_t": "t_tests",
    "pearson": "correlation",
    "percent_agreement": "kappa",
    "permutation_test": "permutation",
    "permute_pairs": "pair_permutation",
    "power_curve": "power",
    "rank_biserial": "effects",
    "required_topics": "planning",
    "resample_pairs": "pair_resampling",
    "resampled_kruskal_wallis": "resampled_kruskal",
    "robust_regression": "robust",
    "scott_pi": "kappa",
    "simultaneous_intervals": "simultaneous",
    "spearman": "correlation",
    "tau_ap": "top_correlation",
    "two_way_anova": "anova",
    "unpaired_t": "t_tests",
    "walsh_probability": "effects",
    "wilcoxon": "signed_ranks",
    "wilcoxon_efficiency": "efficiency",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
