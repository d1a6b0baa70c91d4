"""``pyramidion pyramid auto``: annotating and building pyramids without people."""
