"""Who gets in: keys that are kept, sessions and tokens made from them, and the gate in front of every door."""

from .gate import Gate
from .keys import Keys

__all__ = ["Gate", "Keys"]
