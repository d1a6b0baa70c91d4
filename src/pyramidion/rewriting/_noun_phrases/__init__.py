"""Noun phrases: found, told to be about the same, and rewritten."""
