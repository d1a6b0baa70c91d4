"""How texts refer to people: what is counted, which model foretells it, how it is shown."""
