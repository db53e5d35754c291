"""Settling disagreements, looking at results: what only coordinators and reviewers may do."""
