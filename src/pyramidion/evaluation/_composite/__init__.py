"""Composite scores: principal components of all measures."""
