"""The study file: what it may declare, the numbered checks, its version, its JSON Schema.

Lives here: everything that can be known from the study's folder without opening its items. May not
live here: item data, ratings, people, pages.
"""
