"""demo: an agent that is built in and needs nothing, so that a newcomer sees everything and tests have an agent.

It plays scripts (scripts.py): small coroutines on a stage (stage.py). All they tell is made up: no command is run and
no file is touched. The backend around them (backend.py) keeps to the same contract as that of every other agent.
"""

from .backend import DemoBackend

__all__ = ["DemoBackend"]
