"""What leaving out the worst assessors changes."""
