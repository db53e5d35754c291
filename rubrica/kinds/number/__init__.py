"""A number."""
