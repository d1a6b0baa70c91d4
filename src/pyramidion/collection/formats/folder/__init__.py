"""The collection's own form: a folder, readable and writable by hand."""

from pyramidion.collection.formats.folder._format import FORMAT

__all__ = ["FORMAT"]
