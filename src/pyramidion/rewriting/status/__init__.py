"""Cognitive status: who is known to the reader, and who matters to the story."""

__all__: list[str] = []
