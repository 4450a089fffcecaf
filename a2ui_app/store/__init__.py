"""What outlives the process: conversations, their timelines and surfaces, runs and what they cost, settings."""

from .store import Store
from .trouble import StoreError

__all__ = ["Store", "StoreError"]
