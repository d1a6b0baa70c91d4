"""How scores and ranks settle as a pyramid grows."""
