"""What an agent tells beside the conversation: statuses, widgets, the working message, notices."""

import reflex as rx

from .dialog_dock import LIBRARY


class Statuses(rx.Component):
    """The statuses, and the widgets below the prompt."""

    library = LIBRARY
    tag = "Statuses"


class Widgets(rx.Component):
    """The widgets above the prompt, or ``below`` it."""

    library = LIBRARY
    tag = "Widgets"

    below: rx.Var[bool]


class WorkingMessage(rx.Component):
    """What the agent says it is doing."""

    library = LIBRARY
    tag = "WorkingMessage"


class Toasts(rx.Component):
    """New notices, for a few seconds; an error stays until it is closed."""

    library = LIBRARY
    tag = "Toasts"


class Notices(rx.Component):
    """The notices so far."""

    library = LIBRARY
    tag = "Notices"
