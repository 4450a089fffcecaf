"""The views of the basic catalogs. Importing this package registers them; one more component is one more file here."""

from . import (  # noqa: F401
    button,
    check_box,
    choice_picker,
    containers,
    date_time_input,
    dialogs,
    divider,
    extended,
    icon,
    mcp_app,
    media,
    modal,
    placeholders,
    slider,
    tabs,
    text,
    text_field,
)
