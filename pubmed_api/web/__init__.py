"""All that is Flask and not an operation: our Api, Blueprint, schemas, parser, error answers and pages.

Rule of this folder: it knows HTTP and OpenAPI, and nothing of PubMed. Clients reach it only as an opaque
object that ``create_app`` hands in.
"""

from pubmed_api.web.blueprint import Blueprint
from pubmed_api.web.extension import clients
from pubmed_api.web.schema import ArgsSchema, Schema

__all__ = ["ArgsSchema", "Blueprint", "Schema", "clients"]
