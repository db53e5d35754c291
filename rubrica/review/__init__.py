"""Looking at results: what only coordinators and reviewers may do.

What lives here: bringing ratings, items and judges' scores together for the analysis, who looked at
results and when, what a plan needs. Everything that is left out on the way is counted with its reason.

What may not: estimates (analysis makes them), pages and files (reports and coordinator show them), SQL.
Rater-facing rooms can never import it.
"""
