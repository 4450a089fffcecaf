"""The doors for agents that are not this process's own."""
