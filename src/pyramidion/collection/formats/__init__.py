"""Every format, each in a file of its own that reads and writes it."""
