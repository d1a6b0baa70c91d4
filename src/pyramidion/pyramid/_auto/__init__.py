"""Annotation and pyramids by similarity alone: words are weighed and judged by one small model."""
