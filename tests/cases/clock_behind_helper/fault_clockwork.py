"""Helpers of fault_service.py."""

from datetime import datetime, timezone


def stamp():
    return datetime.now(timezone.utc).isoformat()
