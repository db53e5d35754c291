"""The rater's pages: routes, templates, ES modules. May not import analysis, reports, verdicts or review."""
