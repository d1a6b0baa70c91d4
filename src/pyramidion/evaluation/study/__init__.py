"""How people summarize: the studies that motivate frequency, pyramids and their tests.

They follow chapters 2, 4.1, 5 and 6.1 of Nenkova's thesis, "Understanding the process of
multi-document summarization" (2006), and take the words, judgments and content units of any
collection. `pyramidion study` runs them.
"""

from pyramidion.evaluation.study._places import (
    StudyPlace,
    TopicWords,
    count_words_of,
    gather_places,
)
from pyramidion.evaluation.study.content_units import UnitStudy, gather_units, study_units
from pyramidion.evaluation.study.frequency_models import ModelledTopic, compare_models
from pyramidion.evaluation.study.frequent import FrequentShares, frequent_words
from pyramidion.evaluation.study.likelihood import LikelihoodStudy, study_likelihood
from pyramidion.evaluation.study.lognormal import LognormalFit, fit_lognormal
from pyramidion.evaluation.study.quality import (
    QualityCategories,
    quality_categories,
    quality_scales,
)
from pyramidion.evaluation.study.systems import SystemsStudy, linked_blocks, study_systems
from pyramidion.evaluation.study.utility import ExtractScore, JudgedSentences, gather_utility
from pyramidion.evaluation.study.vocabulary import (
    FrequencyClasses,
    TextSet,
    compare_classes,
    frequency_classes,
    reference_sets,
)
from pyramidion.evaluation.study.word_classes import InputClasses, input_classes

__all__ = [
    "ExtractScore",
    "FrequencyClasses",
    "FrequentShares",
    "InputClasses",
    "JudgedSentences",
    "LikelihoodStudy",
    "LognormalFit",
    "ModelledTopic",
    "QualityCategories",
    "StudyPlace",
    "SystemsStudy",
    "TextSet",
    "TopicWords",
    "UnitStudy",
    "compare_classes",
    "compare_models",
    "count_words_of",
    "fit_lognormal",
    "frequency_classes",
    "frequent_words",
    "gather_places",
    "gather_units",
    "gather_utility",
    "input_classes",
    "linked_blocks",
    "quality_categories",
    "quality_scales",
    "reference_sets",
    "study_likelihood",
    "study_systems",
    "study_units",
]
