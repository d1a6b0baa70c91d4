"""The public names, and the modules they are loaded from."""

from pyramidion.checks._description import CollectionDescription as CollectionDescription
from pyramidion.collection import Source
from pyramidion.rendering import Result

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.checks._description import describe
def describe(
    source: Source, *, source_format: str | None = None
) -> Result[CollectionDescription]: ...
