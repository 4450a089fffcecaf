"""A2UI App: one page that any coding agent can draw on."""
