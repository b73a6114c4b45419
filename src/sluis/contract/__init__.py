"""Contract documents, read into one model. No Spark and no GX in here."""
