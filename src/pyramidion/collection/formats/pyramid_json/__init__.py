"""Pyramids, annotated peers and answers for content units as JSON, one object a line."""

from pyramidion.collection.formats.pyramid_json._format import FORMAT

__all__ = ["FORMAT"]
