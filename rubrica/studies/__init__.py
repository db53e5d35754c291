"""The bundled studies: data only, one folder each.

A study's folder holds its file, guidelines, practice and demo items, all made by this project. The
scripts that made the items lie in `make/` and give the same files again; nothing else imports them.
"""
