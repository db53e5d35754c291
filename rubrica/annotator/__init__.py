"""The rater's pages: routes, templates, ES modules.

Lives here: what a rater sees and how it travels. Decisions are fieldwork's. May not import analysis,
reports, verdicts or review: a rater-facing room cannot leak what it cannot reach.
"""
