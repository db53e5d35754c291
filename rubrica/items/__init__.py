"""Items: reading them from files, mapping their fields, keeping apart what may be shown.

Lives here: readers, the mapping of a study's paths onto item data, threads and places, media checks.
May not live here: ratings, people, SQL. What leaves this room towards raters is `shown` and `facts`
only.
"""
