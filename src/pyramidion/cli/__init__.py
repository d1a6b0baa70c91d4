"""The command line: thin, since every command calls a function that Python users can call as well.

Data goes to standard output, messages to standard error. Exit codes: 0, 1 (it ran and the answer
is no), 2 (bad input, reported in one line), 70 (a bug in the program), 130 and 143 (interrupted).
"""

from pyramidion.cli.runtime import ask, main

__all__ = ["ask", "main"]
