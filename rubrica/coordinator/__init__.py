"""The coordinators' desk: progress, raters, items, results, and the same as JSON under `/api`.

Lives here: what a coordinator, owner or reviewer sees and does, and who may. Every change goes through
one of the endpoints, which pages, programs and the OpenAPI document share. May not live here: SQL,
arithmetic of results (a child process computes them), anything a rater's page needs.
"""
