"""A REST API over PubMed and its neighbours."""
