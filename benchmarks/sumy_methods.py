"""sumy's summarizers, given our sentences and words: its own tokenizer needs a download."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.parsers.parser import DocumentParser
from sumy.summarizers.edmundson import EdmundsonSummarizer
from sumy.summarizers.kl import KLSummarizer
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.lsa import LsaSummarizer
from sumy.summarizers.luhn import LuhnSummarizer
from sumy.summarizers.random import RandomSummarizer
from sumy.summarizers.reduction import ReductionSummarizer
from sumy.summarizers.sum_basic import SumBasicSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer
from sumy.utils import get_stop_words

from pyramidion.text import split_sentences, tokenize, truncate_sentences

__all__ = ["SUMY", "summarize_texts"]

SUMY = {
    "sumy-sumbasic": SumBasicSummarizer,
    "sumy-lexrank": LexRankSummarizer,
    "sumy-textrank": TextRankSummarizer,
    "sumy-luhn": LuhnSummarizer,
    "sumy-lsa": LsaSummarizer,
    "sumy-kl": KLSummarizer,
    "sumy-reduction": ReductionSummarizer,
    "sumy-edmundson": EdmundsonSummarizer,
    "sumy-random": RandomSummarizer,
}


class OurTokenizer:
    """What sumy asks of a tokenizer."""

    def to_sentences(self, paragraph: str) -> tuple[str, ...]:
        """Split a text."""
        return tuple(split_sentences(paragraph, boilerplate="strip"))

    def to_words(self, sentence: str) -> tuple[str, ...]:
        """Split a sentence."""
        return tuple(tokenize(sentence))


def summarize_texts(name: str, texts: Iterable[str], words: int) -> tuple[str, ...]:
    """Summarize by one of sumy's methods to a number of words; the last choice is cut off.

    sumy counts sentences: it is asked for as many as reach the limit, in its own ranking. What
    is cut off is read last, as in our summaries.
    """
    tokenizer = OurTokenizer()
    document = ObjectDocumentModel(
        Paragraph([Sentence(sentence, tokenizer) for sentence in tokenizer.to_sentences(text)])
        for text in texts
    )
    ranked: list[Any] = []
    _summarizer(name)(document, _until(words, ranked))
    *whole, last = ranked
    ordered = [str(info.sentence) for info in sorted(whole, key=lambda info: info.order)]
    return tuple(truncate_sentences([*ordered, str(last.sentence)], words))


def _until(words: int, ranked: list[Any]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Take sentences from the top of the ranking until there are enough words."""

    def choose(infos: Sequence[Any]) -> Sequence[Any]:
        used = 0
        for info in infos:
            if used >= words:
                break
            ranked.append(info)
            used += len(str(info.sentence).split())
        return ranked

    return choose


def _summarizer(name: str) -> Any:
    random.seed(0)
    summarizer = SUMY[name](Stemmer("english"))
    stop_words = get_stop_words("english")
    if isinstance(summarizer, EdmundsonSummarizer):
        summarizer.bonus_words = DocumentParser.SIGNIFICANT_WORDS
        summarizer.stigma_words = DocumentParser.STIGMA_WORDS
        summarizer.null_words = stop_words
    elif hasattr(summarizer, "stop_words"):
        summarizer.stop_words = stop_words
    return summarizer
