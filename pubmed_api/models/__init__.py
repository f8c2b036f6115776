"""What we talk about: frozen dataclasses in the words of the field.

Rule of this folder: nothing but the standard library; no input or output, no Flask, no requests.
Absent is ``None`` or an empty tuple, never ``""``.
"""
