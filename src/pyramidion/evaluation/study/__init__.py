"""How people summarize: the studies that motivate frequency, pyramids and their tests.

They follow chapters 2, 4.1, 5 and 6.1 of Nenkova's thesis, "Understanding the process of
multi-document summarization" (2006), and take the words, judgments and content units of any
collection. `pyramidion study` runs them.

Names are loaded when they are first used, since few programs ask all questions.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.evaluation.study._content_units import UnitStudy as UnitStudy
    from pyramidion.evaluation.study._content_units import content_units as content_units
    from pyramidion.evaluation.study._frequent_words import FrequentShares as FrequentShares
    from pyramidion.evaluation.study._frequent_words import frequent_words as frequent_words
    from pyramidion.evaluation.study._likelihood import SummarizerLikelihood as SummarizerLikelihood
    from pyramidion.evaluation.study._likelihood import likelihood as likelihood
    from pyramidion.evaluation.study._lognormal import LognormalFit as LognormalFit
    from pyramidion.evaluation.study._lognormal import ModelledTopic as ModelledTopic
    from pyramidion.evaluation.study._lognormal import fit_lognormal as fit_lognormal
    from pyramidion.evaluation.study._lognormal import lognormal as lognormal
    from pyramidion.evaluation.study._vocabulary import FrequencyClasses as FrequencyClasses
    from pyramidion.evaluation.study._vocabulary import VocabularyStudy as VocabularyStudy
    from pyramidion.evaluation.study._vocabulary import vocabulary as vocabulary
    from pyramidion.evaluation.study._word_classes import InputClasses as InputClasses
    from pyramidion.evaluation.study._word_classes import word_classes as word_classes
    from pyramidion.evaluation.study.quality import QualityCategories as QualityCategories
    from pyramidion.evaluation.study.quality import quality_categories as quality_categories
    from pyramidion.evaluation.study.quality import quality_scales as quality_scales
    from pyramidion.evaluation.study.systems import SystemsStudy as SystemsStudy
    from pyramidion.evaluation.study.systems import linked_blocks as linked_blocks
    from pyramidion.evaluation.study.systems import study_systems as study_systems
    from pyramidion.evaluation.study.utility import ExtractScore as ExtractScore
    from pyramidion.evaluation.study.utility import JudgedSentences as JudgedSentences
    from pyramidion.evaluation.study.utility import gather_utility as gather_utility

__all__ = [
    "ExtractScore",
    "FrequencyClasses",
    "FrequentShares",
    "InputClasses",
    "JudgedSentences",
    "LognormalFit",
    "ModelledTopic",
    "QualityCategories",
    "SummarizerLikelihood",
    "SystemsStudy",
    "UnitStudy",
    "VocabularyStudy",
    "content_units",
    "fit_lognormal",
    "frequent_words",
    "gather_utility",
    "likelihood",
    "linked_blocks",
    "lognormal",
    "quality_categories",
    "quality_scales",
    "study_systems",
    "vocabulary",
    "word_classes",
]

_MODULES = {
    "ExtractScore": "utility",
    "FrequencyClasses": "_vocabulary",
    "FrequentShares": "_frequent_words",
    "InputClasses": "_word_classes",
    "JudgedSentences": "utility",
    "LognormalFit": "_lognormal",
    "ModelledTopic": "_lognormal",
    "QualityCategories": "quality",
    "SummarizerLikelihood": "_likelihood",
    "SystemsStudy": "systems",
    "UnitStudy": "_content_units",
    "VocabularyStudy": "_vocabulary",
    "content_units": "_content_units",
    "fit_lognormal": "_lognormal",
    "frequent_words": "_frequent_words",
    "gather_utility": "utility",
    "likelihood": "_likelihood",
    "linked_blocks": "systems",
    "lognormal": "_lognormal",
    "quality_categories": "quality",
    "quality_scales": "quality",
    "study_systems": "systems",
    "vocabulary": "_vocabulary",
    "word_classes": "_word_classes",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'pyramidion.evaluation.study' has no attribute {name!r}")
    return getattr(import_module(f"pyramidion.evaluation.study.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
