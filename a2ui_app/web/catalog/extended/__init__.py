"""The views of the extended catalog. Importing this package registers them."""

from . import accordion, chart, code, file_upload, markdown, notes, table, tree  # noqa: F401
