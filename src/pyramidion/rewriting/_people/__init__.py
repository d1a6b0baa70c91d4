"""References to people: found, analyzed, linked into chains, and rewritten."""
