"""Stock and sales → one row per article in stock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def calculate_last_sales(stock: DataFrame, sales: DataFrame, *, now: datetime | None = None) -> DataFrame:
    """Give every article in stock the moment of its last sale.

    Sales of articles that are not in stock are left out.

    Args:
        stock: `sku` (STRING) and `quantity` (BIGINT), a row per article.
        sales: `sku` (STRING) and `timestamp` (TIMESTAMP), a row per sale.
        now: The moment of processing, with its time zone; by default the present one.

    Returns:
        `sku`, `quantity`, `last_sale_timestamp` (NULL for what was never sold) and `processing_timestamp`.
    """
    from pyspark.sql import functions as F

    last_sales = sales.groupBy("sku").agg(F.max("timestamp").alias("last_sale_timestamp"))
    # A constant, not `current_timestamp`: what is validated and what is written are computed one after the other.
    moment = F.lit(now or datetime.now(UTC)).alias("processing_timestamp")
    return stock.join(last_sales, "sku", "left").select("sku", "quantity", "last_sale_timestamp", moment)
