"""Marshmallow pieces that several operations share.

Rule of this folder: declarations only; what a field accepts and how it is described, never what is done with it.
"""
