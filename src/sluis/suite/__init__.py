"""Contract → Great Expectations suite, checkpoint and project."""
