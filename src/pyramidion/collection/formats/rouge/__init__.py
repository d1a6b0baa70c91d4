"""ROUGE-1.5.5 configurations: an XML file that names the files of peers and models."""

from pyramidion.collection.formats.rouge._format import FORMAT, collection_from_rouge, write_rouge

__all__ = ["FORMAT", "collection_from_rouge", "write_rouge"]
