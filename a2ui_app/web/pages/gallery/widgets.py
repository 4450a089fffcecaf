"""The gallery's own widgets in the browser (gallery.js)."""

import reflex as rx

LIBRARY = rx.asset("gallery.js", shared=True).importable_path


class JsonView(rx.Component):
    """JSON text in colours; with ``flash``, lines that changed light up."""

    library = LIBRARY
    tag = "JsonView"

    text: rx.Var[str]
    flash: rx.Var[bool]
    label: rx.Var[str]


class JsonEditor(rx.Component):
    """JSON text to edit. ``on_edit`` gets the text after a pause; a new ``version`` replaces what is being typed.

    A text of more than ``limit`` bytes is not sent, and the editor says so.
    """

    library = LIBRARY
    tag = "JsonEditor"

    text: rx.Var[str]
    version: rx.Var[int]
    wrong_line: rx.Var[int]
    label: rx.Var[str]
    placeholder: rx.Var[str]
    delay: rx.Var[int]
    limit: rx.Var[int]
    on_edit: rx.EventHandler[lambda text: [text]]


class StepList(rx.Component):
    """The list of messages; the ``current`` one stays in sight."""

    library = LIBRARY
    tag = "StepList"

    current: rx.Var[int]
    label: rx.Var[str]


class Scrubber(rx.Component):
    """A slider over the messages."""

    library = LIBRARY
    tag = "Scrubber"

    value: rx.Var[int]
    max: rx.Var[int]
    on_seek: rx.EventHandler[lambda position: [position]]


class Desk(rx.Component):
    """Everything on the page. ``on_key`` hears keys; ``on_text`` gets text that is dropped, pasted or chosen."""

    library = LIBRARY
    tag = "Desk"

    limit: rx.Var[int]
    on_key: rx.EventHandler[lambda key: [key]]
    on_text: rx.EventHandler[lambda text: [text]]
