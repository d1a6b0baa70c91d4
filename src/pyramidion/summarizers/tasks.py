"""What is asked of a summary: nothing in particular, a question, or the aspects of a category."""

from collections.abc import Sequence
from typing import Literal

from pyramidion.collection.aspects import TAC_CATEGORIES, Category
from pyramidion.collection.topics import Topic
from pyramidion.errors import InputError

__all__ = ["FOCUSES", "Focus", "query_of", "require_one_question"]

#: ``generic``: nothing is asked; ``query``: the topic's title and narrative; ``guided``: these
#: and the aspects of the topic's category.
Focus = Literal["generic", "query", "guided"]

FOCUSES: tuple[Focus, ...] = ("generic", "query", "guided")


def query_of(
    topic: Topic, focus: Focus = "query", categories: Sequence[Category] = TAC_CATEGORIES
) -> str:
    r"""Give the text whose words are asked for.

    Parameters
    ----------
    topic
        What the summary is about.
    focus
        What is asked. A topic without a category has no aspects.
    categories
        The categories there are.

    Examples
    --------
    >>> topic = Topic("T1", title="Ice in Ardel", category="4")
    >>> query_of(topic), query_of(topic, "generic")
    ('Ice in Ardel', '')
    >>> query_of(topic, "guided").splitlines()[2:4]
    ['why it matters', 'threats to the resource']
    """
    if focus not in FOCUSES:
        raise InputError(f"focus is {focus!r}", hint=f"give {' or '.join(FOCUSES)}")
    if focus == "generic":
        return ""
    lines = [topic.title, topic.narrative]
    if focus == "guided":
        own = (category for category in categories if category.id == topic.category)
        lines += [aspect.description or aspect.name for found in own for aspect in found.aspects]
    return "\n".join(line for line in lines if line)


def require_one_question(focus: Focus) -> None:
    """Refuse a focus beside a query, which takes its place.

    Parameters
    ----------
    focus
        What a topic is asked besides; ``query``, the default, gives way.

    Examples
    --------
    >>> require_one_question("query")
    """
    if focus != "query":
        hint = "give one of them: a query takes the place of what the topic asks"
        raise InputError(f"both a query and the focus {focus} are given", hint=hint)
