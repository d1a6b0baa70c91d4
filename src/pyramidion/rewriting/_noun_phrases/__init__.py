"""Noun phrases: found and rewritten."""
