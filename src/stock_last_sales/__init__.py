"""The data product `stock_last_sales`: every article in stock, with the moment of its last sale."""

from stock_last_sales.transform import calculate_last_sales

__all__ = ["calculate_last_sales"]
