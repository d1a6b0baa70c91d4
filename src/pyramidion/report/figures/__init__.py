"""Figures of commands that are not converted yet."""

__all__: list[str] = []
