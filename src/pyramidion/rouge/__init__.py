"""ROUGE in all its variants, exact to the digit and sound."""
