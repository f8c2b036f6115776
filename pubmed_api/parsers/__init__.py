"""What upstreams answered, read into models: bytes or decoded JSON in, frozen dataclasses out.

Rule of this folder: pure. No input or output, no Flask, no requests. A function ``parse_<node>`` reads that
node and nothing above it.
"""
