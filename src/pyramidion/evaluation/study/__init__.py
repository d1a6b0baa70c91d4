"""How people summarize: the studies that motivate frequency, pyramids and their tests.

They follow chapters 2, 4.1, 5 and 6.1 of Nenkova's thesis, "Understanding the process of
multi-document summarization" (2006), and take the words, judgments and content units of any
collection. `pyramidion study` runs them.

Names are loaded when they are first used, since few programs ask all questions.
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.evaluation.study._affiliations import affiliations_of as affiliations_of
    from pyramidion.evaluation.study._affiliations import include_affiliation as include_affiliation
    from pyramidion.evaluation.study._affiliations import postmodify as postmodify
    from pyramidion.evaluation.study._affiliations import salience_list as salience_list
    from pyramidion.evaluation.study._composition import ComposedScore as ComposedScore
    from pyramidion.evaluation.study._composition import composition as composition
    from pyramidion.evaluation.study._content_units import UnitStudy as UnitStudy
    from pyramidion.evaluation.study._content_units import content_units as content_units
    from pyramidion.evaluation.study._every import EveryStudy as EveryStudy
    from pyramidion.evaluation.study._every import every_study as every_study
    from pyramidion.evaluation.study._likelihood import SummarizerLikelihood as SummarizerLikelihood
    from pyramidion.evaluation.study._likelihood import likelihood as likelihood
    from pyramidion.evaluation.study._lognormal import LognormalFit as LognormalFit
    from pyramidion.evaluation.study._lognormal import ModeledTopic as ModeledTopic
    from pyramidion.evaluation.study._lognormal import fit_lognormal as fit_lognormal
    from pyramidion.evaluation.study._lognormal import lognormal as lognormal
    from pyramidion.evaluation.study._quality import QualityCategories as QualityCategories
    from pyramidion.evaluation.study._quality import quality as quality
    from pyramidion.evaluation.study._references.measure import FeatureStudy as FeatureStudy
    from pyramidion.evaluation.study._references.measure import ReferenceStudy as ReferenceStudy
    from pyramidion.evaluation.study._references.view import ReferencesResult as ReferencesResult
    from pyramidion.evaluation.study._references.view import references as references
    from pyramidion.evaluation.study._status import StatusFindings as StatusFindings
    from pyramidion.evaluation.study._status import StatusResult as StatusResult
    from pyramidion.evaluation.study._status import status as status
    from pyramidion.evaluation.study._systems import SystemsStudy as SystemsStudy
    from pyramidion.evaluation.study._systems import systems as systems
    from pyramidion.evaluation.study._tiling import Tiling as Tiling
    from pyramidion.evaluation.study._tiling import tiling as tiling
    from pyramidion.evaluation.study._utility import ExtractScore as ExtractScore
    from pyramidion.evaluation.study._utility import JudgedSentences as JudgedSentences
    from pyramidion.evaluation.study._utility import ScoredExtract as ScoredExtract
    from pyramidion.evaluation.study._utility import SentenceMarks as SentenceMarks
    from pyramidion.evaluation.study._utility import utility as utility
    from pyramidion.evaluation.study._vocabulary import FrequencyClasses as FrequencyClasses
    from pyramidion.evaluation.study._vocabulary import VocabularyStudy as VocabularyStudy
    from pyramidion.evaluation.study._vocabulary import vocabulary as vocabulary
    from pyramidion.evaluation.study._words import FrequentShares as FrequentShares
    from pyramidion.evaluation.study._words import InputClasses as InputClasses
    from pyramidion.evaluation.study._words import frequent_words as frequent_words
    from pyramidion.evaluation.study._words import word_classes as word_classes

_MODULES = {
    "_affiliations": "affiliations_of include_affiliation postmodify salience_list",
    "_composition": "ComposedScore composition",
    "_content_units": "content_units UnitStudy",
    "_every": "every_study EveryStudy",
    "_likelihood": "likelihood SummarizerLikelihood",
    "_lognormal": "fit_lognormal lognormal LognormalFit ModeledTopic",
    "_quality": "quality QualityCategories",
    "_references.measure": "FeatureStudy ReferenceStudy",
    "_references.view": "references ReferencesResult",
    "_status": "status StatusFindings StatusResult",
    "_systems": "systems SystemsStudy",
    "_tiling": "tiling Tiling",
    "_utility": "ExtractScore JudgedSentences ScoredExtract SentenceMarks utility",
    "_vocabulary": "FrequencyClasses vocabulary VocabularyStudy",
    "_words": "frequent_words FrequentShares InputClasses word_classes",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
