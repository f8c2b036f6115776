"""Measurements: each prints a ratio of two times taken in the same run, so that machines can be compared."""
