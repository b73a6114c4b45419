"""What people do with contracts beside running them: compare, convert, infer, prepare tables."""
