"""The commands: which question each asks, and which files it can write."""

from pyramidion.commands._list import COMMANDS, DEFAULTS, GROUPS, HEADINGS, Listed

__all__ = ["COMMANDS", "DEFAULTS", "GROUPS", "HEADINGS", "Listed"]
