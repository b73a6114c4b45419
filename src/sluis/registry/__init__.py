"""Contracts and the results of runs → a registry that people look contracts up in."""

from sluis.registry.publish import publish

__all__ = ["publish"]
