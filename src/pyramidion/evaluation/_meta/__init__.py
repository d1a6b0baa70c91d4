"""Which metrics can stand in for people."""
