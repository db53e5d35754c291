"""Numbers that hold up: pure functions from a tidy table and a random generator to estimates.

What lives here: agreement, systems, preferences, judges, raters, planning, and `analyse`, which runs
all of it over one study's table. Every estimate comes with an interval, every omission is counted,
and what cannot be said is None with a note in words.

What may not: reading files or databases, drawing, wording for a page, names of people, the clock, a
random generator of its own. NumPy and SciPy are all it stands on.
"""
