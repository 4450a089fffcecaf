"""Reflex states: what a tab's events do."""
