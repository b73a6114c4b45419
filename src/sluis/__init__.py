"""Sluis: data flows into Delta only when its contract holds."""
