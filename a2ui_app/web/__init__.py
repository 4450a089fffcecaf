"""The page: Reflex states, pages, and one Python view a catalog component."""
