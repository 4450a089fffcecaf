"""The commands of `python -m a2ui_app`, one a module."""
