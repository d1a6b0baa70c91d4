"""Cognitive status: who is known to the reader, and who matters to the story."""
