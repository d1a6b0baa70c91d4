"""How difficult inputs are."""
