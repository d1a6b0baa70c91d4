"""Articles before descriptions."""

from pyramidion.rewriting.status.words import status_words

__all__ = ["a_or_an", "with_article"]

_AN = ("hour", "honest", "heir", "honor", "honour")
_A = ("uni", "eu", "one", "once", "use", "usu", "u.s", "u.k", "ubi", "uto", "ura")
_SPELLED_VOWELS = set("AEFHILMNORSX")


def a_or_an(phrase: str) -> str:
    """Choose the article that goes with a phrase's sound.

    Parameters
    ----------
    phrase
        Words without an article.

    Examples
    --------
    >>> [a_or_an(word) for word in ("astronomer", "U.S. senator", "unionist", "FBI agent", "heir")]
    ['an', 'a', 'a', 'an', 'an']
    """
    first = next(iter(phrase.split()), "")
    if len(first) > 1 and first.isupper() and "." not in first:
        vowel = first[0] in _SPELLED_VOWELS
    else:
        low = first.lower()
        vowel = low.startswith(_AN) or (low[:1] in tuple("aeiou") and not low.startswith(_A))
    return "an" if vowel else "a"


def with_article(phrase: str, head: str, *, of_something: bool) -> str:
    """Put an article before a description.

    Parameters
    ----------
    phrase
        The description without an article.
    head
        The base form of its main noun.
    of_something
        Whether it says of what: then there is one president, otherwise one of many.

    Examples
    --------
    >>> with_article("Italian prime minister", "minister", of_something=True)
    'the Italian prime minister'
    >>> with_article("senator", "senator", of_something=False)
    'a senator'
    """
    words = phrase.lower().replace("-", " ").split()
    single = head.lower() in status_words("offices") and of_something
    if single and not any(word in status_words("one_of_many") for word in words):
        return f"the {phrase}"
    return f"{a_or_an(phrase)} {phrase}"
