"""Finding and rewriting noun phrases."""
