"""The chapters of the report, in reading order."""
