"""Agreement of people who annotated the same peers, or built pyramids of the same references."""
