"""The whole life of a summary: write it, judge it, score it, compare, check."""

__version__ = "0.1.0"
