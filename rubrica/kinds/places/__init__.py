"""A short list the rater writes."""
