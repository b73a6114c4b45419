"""What a person reads about a run: the Data Docs site and the terminal's summary."""
