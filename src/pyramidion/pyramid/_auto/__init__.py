"""Annotating and building pyramids without people."""
