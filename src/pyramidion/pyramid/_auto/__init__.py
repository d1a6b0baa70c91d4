"""Annotation and pyramids by similarity: one small model weighs words and finds units."""
