"""The views of the dialogs catalog. Importing this package registers them."""

from . import confirm, select, text  # noqa: F401
