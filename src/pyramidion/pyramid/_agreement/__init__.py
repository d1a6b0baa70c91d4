"""How far two people agree who annotated the same peers."""
