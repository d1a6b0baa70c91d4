"""The public names and the modules they are loaded from."""

from pyramidion.stats._adjust import adjust_p as adjust_p
from pyramidion.stats._agreement import Level as Level
from pyramidion.stats._agreement import cohen_kappa as cohen_kappa
from pyramidion.stats._agreement import fleiss_kappa as fleiss_kappa
from pyramidion.stats._agreement import krippendorff_alpha as krippendorff_alpha
from pyramidion.stats._agreement import percent_agreement as percent_agreement
from pyramidion.stats._agreement import scott_pi as scott_pi
from pyramidion.stats._attenuation import CorrectedCorrelation as CorrectedCorrelation
from pyramidion.stats._attenuation import PersonTopics as PersonTopics
from pyramidion.stats._attenuation import corrected_correlation as corrected_correlation
from pyramidion.stats._attenuation import jackknife_interval as jackknife_interval
from pyramidion.stats._attenuation import person_topics as person_topics
from pyramidion.stats._bradley_terry import BradleyTerry as BradleyTerry
from pyramidion.stats._bradley_terry import bradley_terry as bradley_terry
from pyramidion.stats._kruskal import friedman as friedman
from pyramidion.stats._kruskal import kruskal_wallis as kruskal_wallis
from pyramidion.stats._mixed import MixedModel as MixedModel
from pyramidion.stats._mixed import MixedPairs as MixedPairs
from pyramidion.stats._mixed import linear_mixed_model as linear_mixed_model
from pyramidion.stats._model_power import ModelTesting as ModelTesting
from pyramidion.stats._model_power import Spreads as Spreads
from pyramidion.stats._ordinal_mixed import ordinal_mixed_model as ordinal_mixed_model
from pyramidion.stats._pair_intervals import CriticalScale as CriticalScale
from pyramidion.stats._pair_intervals import pair_intervals as pair_intervals
from pyramidion.stats._pair_permutation import PairwiseTest as PairwiseTest
from pyramidion.stats._pair_permutation import least_resamples as least_resamples
from pyramidion.stats._pair_permutation import permute_pairs as permute_pairs
from pyramidion.stats._pair_resampling import resample_pairs as resample_pairs
from pyramidion.stats._paired_tests import TTest as TTest
from pyramidion.stats._paired_tests import paired_t as paired_t
from pyramidion.stats._paired_tests import permutation_test as permutation_test
from pyramidion.stats._paired_tests import unpaired_t as unpaired_t
from pyramidion.stats._paired_tests import wilcoxon as wilcoxon
from pyramidion.stats._power import power_curve as power_curve
from pyramidion.stats._power import required_topics as required_topics
from pyramidion.stats._prediction_powered import CalibrationMethod as CalibrationMethod
from pyramidion.stats._prediction_powered import PredictionPowered as PredictionPowered
from pyramidion.stats._prediction_powered import calibrate_judge as calibrate_judge
from pyramidion.stats._prediction_powered import (
    prediction_powered_differences as prediction_powered_differences,
)
from pyramidion.stats._prediction_powered import prediction_powered_mean as prediction_powered_mean
from pyramidion.stats._prediction_powered import (
    prediction_powered_means as prediction_powered_means,
)
from pyramidion.stats._prediction_powered import topics_of_both as topics_of_both
from pyramidion.stats._sequential import ConfidenceSequence as ConfidenceSequence
from pyramidion.stats._sequential import confidence_sequence as confidence_sequence
from pyramidion.stats._sequential import sequential_topics as sequential_topics
from pyramidion.stats._topic_choice import inclusion_probabilities as inclusion_probabilities
from pyramidion.stats._topic_choice import spread_sample as spread_sample
from pyramidion.stats.anova import two_way_anova as two_way_anova
from pyramidion.stats.clustered import clustered_correlation as clustered_correlation
from pyramidion.stats.clustered import clustered_difference as clustered_difference
from pyramidion.stats.clustered import (
    clustered_difference_interval as clustered_difference_interval,
)
from pyramidion.stats.clustered import clustered_interval as clustered_interval
from pyramidion.stats.correlation import kendall as kendall
from pyramidion.stats.correlation import pearson as pearson
from pyramidion.stats.correlation import spearman as spearman
from pyramidion.stats.correlation import tau_ap as tau_ap
from pyramidion.stats.correlation_tests import correlation_difference as correlation_difference
from pyramidion.stats.correlation_tests import correlation_interval as correlation_interval
from pyramidion.stats.multiple_comparisons import blocked_tukey as blocked_tukey
from pyramidion.stats.multiple_comparisons import mean_rank_tukey as mean_rank_tukey
from pyramidion.stats.multiple_comparisons import simultaneous_intervals as simultaneous_intervals
from pyramidion.stats.regression import canonical_correlation as canonical_correlation
from pyramidion.stats.regression import nonnegative_regression as nonnegative_regression
from pyramidion.stats.regression import robust_regression as robust_regression
