"""Stems, and the words of a text as ROUGE-1.5.5 counts them."""

from functools import cache
from pathlib import Path

from pyramidion import kernels
from pyramidion.text import stopwords
from pyramidion.text.tokens import Tokenizer, tokenize

__all__ = ["lexicon", "stem", "words"]


def stem(word: str, *, exceptions: bool = True) -> str:
    """Stem an English word as ROUGE-1.5.5 does.

    Words of up to three characters stay as they are. An irregular form of WordNet's tables
    becomes its base form, which is not stemmed again; any other word goes through the Porter
    variant of :mod:`pyramidion.kernels.porter`. So an irregular plural need not meet its own
    singular: ``geese`` becomes ``goose``, but ``goose`` becomes ``goos``.

    Parameters
    ----------
    word
        One word; capitals are lowered.
    exceptions
        Whether irregular forms are looked up. Many installations of the Perl script have an
        empty table; False does as they do.

    Returns
    -------
    str
        The stem.

    Examples
    --------
    >>> stem("professional"), stem("geese"), stem("ran")
    ('profess', 'goose', 'ran')
    >>> stem("geese", exceptions=False)
    'gees'
    """
    return lexicon(exceptions=exceptions).stem(word.lower())


def words(
    text: str | bytes,
    *,
    tokenizer: Tokenizer = "rouge",
    stem: bool = False,
    stop_words: bool = False,
    exceptions: bool = True,
) -> list[str]:
    """Split a text into the words that count.

    In this order: the text is tokenized, stop words are dropped, what is left is stemmed.

    Parameters
    ----------
    text
        The text.
    tokenizer
        See :func:`~pyramidion.text.tokenize`.
    stem
        Whether words are stemmed, see :func:`~pyramidion.text.stem`.
    stop_words
        Whether the stop list is applied, that is, its words are dropped.
    exceptions
        Whether the stemmer looks up irregular forms.

    Returns
    -------
    list of str
        The words in their order.

    Examples
    --------
    >>> words("The geese were flying South.", stem=True, stop_words=True)
    ['goose', 'fly', 'south']
    """
    found = tokenize(text, tokenizer)
    known = lexicon(exceptions=exceptions)
    if stop_words:
        found = [word for word in found if not known.is_stop_word(word)]
    return [known.stem(word) for word in found] if stem else found


@cache
def lexicon(*, exceptions: bool = True) -> kernels.Lexicon:
    """Return the irregular forms and stop words of ROUGE-1.5.5, for the kernels.

    Parameters
    ----------
    exceptions
        Whether it holds the irregular forms.

    Returns
    -------
    kernels.Lexicon
        The same object at each call.

    Examples
    --------
    >>> vocabulary = kernels.Vocabulary(lexicon(), stem=True)
    >>> ids, _, _ = vocabulary.encode(["Geese fly.", "A goose flies."])
    >>> vocabulary.words
    ['goose', 'fly', 'a', 'goos', 'fli']
    """
    table = _irregular_forms() if exceptions else {}
    return kernels.Lexicon(table, stopwords.STOP_WORDS)


def _irregular_forms() -> dict[str, str]:
    path = Path(__file__).parent / "data" / "stem-exceptions.tsv"
    rows = path.read_text(encoding="ascii").splitlines()
    return {form: base for form, _, base in (row.partition("\t") for row in rows)}
