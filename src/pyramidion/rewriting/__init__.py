"""Rewriting: noun phrases, references to people, who is known and who matters."""

__all__: list[str] = []
