"""SQL of contracts: read in the dialect it was written in, held to reading, written anew for Spark."""
