"""One folder per operation: its routes, its schemas, its work. ``OPERATIONS`` lists their blueprints.

Rule of this folder: orchestration belongs to the operation; a provider, a format or a style to the layers below.
A slice never imports another.
"""

from pubmed_api.operations.convert_ids import blp as convert_ids
from pubmed_api.operations.database_info import blp as database_info
from pubmed_api.operations.fetch_articles import blp as fetch_articles
from pubmed_api.operations.search_articles import blp as search_articles
from pubmed_api.operations.spell_check import blp as spell_check

OPERATIONS = (search_articles, fetch_articles, spell_check, convert_ids, database_info)
