"""The conversation page's own widgets in the browser (conversation.js). They read the run and the board themselves."""

import reflex as rx
from reflex.event import no_args_event_spec

LIBRARY = rx.asset("conversation.js", shared=True).importable_path


class Scroller(rx.Component):
    """The timeline. It follows its end, and calls ``on_earlier`` with its first chunk when its start comes near."""

    library = LIBRARY
    tag = "Scroller"

    on_earlier: rx.EventHandler[lambda first: [first]]


class RunState(rx.Component):
    """What the agent is doing."""

    library = LIBRARY
    tag = "RunState"


class PromptBox(rx.Component):
    """Where people write. ``uploads`` is the address that takes files for ``conversation``."""

    library = LIBRARY
    tag = "PromptBox"

    conversation: rx.Var[str]
    uploads: rx.Var[str]
    on_send: rx.EventHandler[lambda text, files: [text, files]]
    on_stop: rx.EventHandler[no_args_event_spec]


class Queue(rx.Component):
    """Prompts that wait, to be edited, taken out, or sent after a stop."""

    library = LIBRARY
    tag = "Queue"

    on_edit: rx.EventHandler[lambda index, text: [index, text]]
    on_resume: rx.EventHandler[no_args_event_spec]
