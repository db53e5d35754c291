"""Judges' scores and every other hidden field of an item.

Lives here: what a verdict is and how hidden fields are kept. May not be imported by the rater-facing
rooms, which would break the blinding.
"""
