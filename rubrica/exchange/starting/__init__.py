"""New studies like the bundled ones, over somebody's own files.

A kind of study (`m3bench`, `vtt`, `incar`) finds its own items among the files it is given, copies them
into the new study's folder and writes `items:` and whatever else in the study file depends on them.
Questions, guidelines and practice are the bundled study's.
"""
