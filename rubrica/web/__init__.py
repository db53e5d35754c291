"""What both web sides share: sessions, CSRF, headers, the error shape, static files, limits.

Lives here: everything about HTTP, HTML and languages that is neither a rater's nor a coordinator's.
May not live here: any route of either side, SQL, items, ratings.
"""
