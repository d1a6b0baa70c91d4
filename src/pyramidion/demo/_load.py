"""The embedded collection."""

from functools import cache
from pathlib import Path

from pyramidion.collection import Collection

_FOLDER = Path(__file__).with_name("collection")


def load_demo() -> Collection:
    """Load the embedded collection.

    Six topics as at TAC (one for each category and one about a person), each with four base and
    four update articles, four references per task, manual pyramids, and judgments of the
    references.

    Examples
    --------
    >>> demo = load_demo()
    >>> len(demo.topics), len(demo.summaries), len(demo.pyramids)
    (6, 48, 12)
    """
    return _load()


@cache
def _load() -> Collection:
    return Collection.load(_FOLDER, format="collection")
