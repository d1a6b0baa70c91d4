"""Asking a language model to judge summaries."""
