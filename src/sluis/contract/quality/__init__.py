"""What contracts demand in other languages: library metrics, SQL, SodaCL, Great Expectations."""

from sluis.contract.quality.items import allows_none, rules

__all__ = ["allows_none", "rules"]
