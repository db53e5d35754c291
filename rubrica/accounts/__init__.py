"""People, roles and tokens; the only room that knows names.

Lives here: who a rater or coordinator is, how they prove it. Everywhere else a rater is a number.
"""
