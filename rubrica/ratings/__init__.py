"""The rating record, its rules, derived scores, and how ratings are kept.

Lives here: what a rating is, which submissions are accepted, scores that rules derive. May not live
here: who the rater is, what comes next, statistics, SQL.
"""
