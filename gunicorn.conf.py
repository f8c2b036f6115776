"""gunicorn reads this file by itself when it starts here; the values are in ``pubmed_api.serving``."""

from pubmed_api.serving import gunicorn_options, load_settings

globals().update(gunicorn_options(load_settings()))
