"""``pyramidion study frequent-words``, ``word-classes`` and ``lognormal``: words of the input."""

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, working
from pyramidion.cli.study.options import (
    AbsentOption,
    AllWordsOption,
    FigureOption,
    PeersOption,
    SourceArgument,
    SourceFormatOption,
    StemOption,
    TaskOption,
    TokenizerOption,
    TopicOption,
    TopOption,
    numbers_of,
    request_of,
)

__all__ = ["frequent_words", "lognormal", "word_classes"]


def frequent_words(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    top: TopOption = "5,8,12",
    peers: PeersOption = None,
    all_words: AllWordsOption = False,
    stem: StemOption = True,
    tokenizer: TokenizerOption = "unicode",
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """How many of the input's most frequent words people and machines use (Tables 4.1, 4.4)."""
    from pyramidion.report.study_words import frequent_words_answer

    request = request_of(
        topic, task, source_format,
        peers=peers, all_words=all_words, stem=stem, tokenizer=tokenizer,
    )  # fmt: skip
    tops = numbers_of(top)
    with working(f"counting in {source}"):
        answer = frequent_words_answer(source, request, tops=tops, figure=figure)
    return emit(answer, format, output)


def word_classes(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    peers: PeersOption = None,
    all_words: AllWordsOption = False,
    stem: StemOption = True,
    tokenizer: TokenizerOption = "unicode",
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """How frequent in the input the words are that people agree on (Table 4.2)."""
    from pyramidion.report.study_words import word_classes_answer

    request = request_of(
        topic, task, source_format,
        peers=peers, all_words=all_words, stem=stem, tokenizer=tokenizer,
    )  # fmt: skip
    with working(f"counting in {source}"):
        answer = word_classes_answer(source, request, figure=figure)
    return emit(answer, format, output)


def lognormal(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    absent: AbsentOption = 0.0005,
    all_words: AllWordsOption = False,
    stem: StemOption = True,
    tokenizer: TokenizerOption = "unicode",
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Fit a lognormal model of the input's words, beside relative frequencies (section 6.1).

    Both models are held against what people write: the better one gives the words of the
    references higher probabilities. Only relative frequencies need --absent.
    """
    from pyramidion.report.study_lognormal import lognormal_answer

    request = request_of(
        topic, task, source_format, all_words=all_words, stem=stem, tokenizer=tokenizer
    )
    with working(f"fitting models to {source}"):
        answer = lognormal_answer(source, request, absent=absent, figure=figure)
    return emit(answer, format, output)
