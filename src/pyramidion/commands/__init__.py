"""The commands: which question each asks, and which files it can write."""

from pyramidion.commands._list import COMMANDS, GROUPS, HEADINGS, Listed

__all__ = ["COMMANDS", "GROUPS", "HEADINGS", "Listed"]
