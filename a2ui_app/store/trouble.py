"""What can go wrong with a database, in words that say what to do."""


class StoreError(Exception):
    """The store cannot be used; the text is for people."""
