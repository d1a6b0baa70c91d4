"""References to people: found, taken apart, put in chains, and rewritten."""
