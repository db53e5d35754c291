"""Readers of data files, one small module each, registered under `rubrica.readers`.

Lives here: how bytes become records. May not live here: what a study makes of a record.
"""
