"""A text in the rater's own words."""
