"""Whether metrics find the differences that people find."""
