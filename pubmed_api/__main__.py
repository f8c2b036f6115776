"""``python -m pubmed_api``: the same as the command ``pubmed-api``."""

from pubmed_api.cli import main

main()
