"""How importance is distributed over content units, words and sentences."""
