"""Which judges to trust: how consistent, how severe, how much it matters."""
