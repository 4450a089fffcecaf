"""The A2UI session: plain data in, effects out. Needs no Reflex and no server.

from a2ui_app.session import Session, effects
"""

from . import effects, errors
from .nodes import Patch
from .session import Outcome, Session
from .surface import Surface

__all__ = ["Outcome", "Patch", "Session", "Surface", "effects", "errors"]
