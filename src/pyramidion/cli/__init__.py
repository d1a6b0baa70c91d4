"""The command line: thin, every command calls a function that Python users can call too.

Data goes to standard output, talk to standard error. Exit codes: 0, 1 (it ran and the answer
is no), 2 (bad input, reported in one line), 70 (a bug in the program), 130 and 143 (interrupted).
"""

from pyramidion.cli.runtime import main

__all__ = ["main"]
