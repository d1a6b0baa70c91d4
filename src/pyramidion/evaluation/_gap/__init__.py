"""The gap between people and machines that a metric leaves."""
