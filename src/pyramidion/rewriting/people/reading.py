"""People of a single text, in one call."""

from pyramidion.rewriting.articles import Articles
from pyramidion.rewriting.people.chains import find_people
from pyramidion.rewriting.people.mention import Person
from pyramidion.text._parsing import load_parser

__all__ = ["people_in"]


def people_in(text: str, pipeline: str = "") -> list[Person]:
    """Find everybody who is named in a text.

    Parameters
    ----------
    text
        The text.
    pipeline
        What parses it, see `load_parser`.

    Examples
    --------
    >>> [person.name for person in people_in("Sen. Mary Lock won. Lock was glad.", "light")]
    ['Mary Lock']
    """
    return find_people(Articles.of_texts({"1": text}, load_parser(pipeline)))
