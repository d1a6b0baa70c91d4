"""The public names, and the modules they are loaded from."""

from pyramidion.stats._adjust import adjust_p as adjust_p
from pyramidion.stats._agreement import cohen_kappa as cohen_kappa
from pyramidion.stats._agreement import krippendorff_alpha as krippendorff_alpha
from pyramidion.stats._agreement import percent_agreement as percent_agreement
from pyramidion.stats._agreement import scott_pi as scott_pi
from pyramidion.stats._anova import two_way_anova as two_way_anova
from pyramidion.stats._bootstrap import bootstrap_interval as bootstrap_interval
from pyramidion.stats._bradley_terry import BradleyTerry as BradleyTerry
from pyramidion.stats._bradley_terry import bradley_terry as bradley_terry
from pyramidion.stats._clustered import clustered_correlation as clustered_correlation
from pyramidion.stats._clustered import clustered_difference as clustered_difference
from pyramidion.stats._clustered import (
    clustered_difference_interval as clustered_difference_interval,
)
from pyramidion.stats._clustered import clustered_interval as clustered_interval
from pyramidion.stats._correlation import kendall as kendall
from pyramidion.stats._correlation import pearson as pearson
from pyramidion.stats._correlation import spearman as spearman
from pyramidion.stats._correlation import tau_ap as tau_ap
from pyramidion.stats._correlation_tests import correlation_difference as correlation_difference
from pyramidion.stats._correlation_tests import correlation_interval as correlation_interval
from pyramidion.stats._effects import cohen_dz as cohen_dz
from pyramidion.stats._effects import hodges_lehmann as hodges_lehmann
from pyramidion.stats._effects import mean_difference as mean_difference
from pyramidion.stats._effects import rank_biserial as rank_biserial
from pyramidion.stats._effects import walsh_probability as walsh_probability
from pyramidion.stats._effects import wilcoxon_efficiency as wilcoxon_efficiency
from pyramidion.stats._kruskal import friedman as friedman
from pyramidion.stats._kruskal import kruskal_wallis as kruskal_wallis
from pyramidion.stats._kruskal import resampled_kruskal_wallis as resampled_kruskal_wallis
from pyramidion.stats._mixed import linear_mixed_model as linear_mixed_model
from pyramidion.stats._multiple_comparisons import blocked_tukey as blocked_tukey
from pyramidion.stats._multiple_comparisons import mean_rank_tukey as mean_rank_tukey
from pyramidion.stats._multiple_comparisons import simultaneous_intervals as simultaneous_intervals
from pyramidion.stats._ordinal_mixed import ordinal_mixed_model as ordinal_mixed_model
from pyramidion.stats._pair_permutation import least_resamples as least_resamples
from pyramidion.stats._pair_permutation import permute_pairs as permute_pairs
from pyramidion.stats._pair_resampling import resample_pairs as resample_pairs
from pyramidion.stats._paired_tests import paired_t as paired_t
from pyramidion.stats._paired_tests import permutation_test as permutation_test
from pyramidion.stats._paired_tests import unpaired_t as unpaired_t
from pyramidion.stats._paired_tests import wilcoxon as wilcoxon
from pyramidion.stats._power import power_curve as power_curve
from pyramidion.stats._power import required_topics as required_topics
from pyramidion.stats._prediction_powered import PredictionPowered as PredictionPowered
from pyramidion.stats._prediction_powered import prediction_powered_mean as prediction_powered_mean
from pyramidion.stats._regression import canonical_correlation as canonical_correlation
from pyramidion.stats._regression import nonnegative_regression as nonnegative_regression
from pyramidion.stats._regression import robust_regression as robust_regression
from pyramidion.stats._verdicts import agreement_on_significance as agreement_on_significance
from pyramidion.stats._verdicts import all_must_agree as all_must_agree
