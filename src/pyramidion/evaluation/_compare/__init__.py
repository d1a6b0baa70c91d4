"""Which systems really differ: every pair tested, corrected and ranked."""
