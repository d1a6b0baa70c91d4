"""Models and word counts for English: the files of the package `pyramidion-english`.

They were learned from treebanks under a share-alike license, so they are distributed separately.
"""

from importlib.util import find_spec
from pathlib import Path

from pyramidion.errors import MissingExtraError

PACKAGE = "pyramidion_english"


def english_file(name: str, feature: str) -> Path:
    """Return the path of a file; `feature` names what needs it, as the subject of a sentence.

    Examples
    --------
    >>> english_file("tagger.model", "tagging").name
    'tagger.model'
    """
    if not english_is_installed():
        raise MissingExtraError(feature, package=PACKAGE.replace("_", "-"))
    spec = find_spec(PACKAGE)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / name


def english_is_installed() -> bool:
    """Return whether the models and word counts for English are installed.

    Examples
    --------
    >>> english_is_installed()
    True
    """
    try:
        return find_spec(PACKAGE) is not None
    except ValueError:
        # A module without a specification: the package was hidden on purpose.
        return False
