"""Summaries made of the sentences of an input; one file a method."""

__all__: list[str] = []
