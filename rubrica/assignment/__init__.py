"""Who rates what next: pure policies over a design, a rater's history and the study's seed.

Lives here: places and their life, policies, orders. May not live here: SQL, clocks, chance without a
seed. A policy proposes; the store reserves atomically.
"""
