"""The gallery's samples: A2UI message streams, one JSON document each, beside this file.

A document has ``name`` (that of the file), ``title``, ``group``, ``description``, ``tags`` and ``messages``; and where
they differ from the defaults of `Sample`, ``play``, ``pace_ms``, ``validation`` and ``shows_errors``.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import orjson

FOLDER: Final = Path(__file__).parent
GROUPS: Final = (
    "Start here",
    "Coding agents",
    "Forms",
    "Live updates",
    "Data",
    "Components",
    "Extended catalog",
    "Functions",
    "Edge cases",
    "Older versions",
)
"""The groups in the order a list shows them."""


@dataclass(frozen=True)
class Sample:
    """A message stream with what a person wants to know about it.

    ``play``: it is about what happens over time, so a player starts at once. ``pace_ms``: from one message to the next.
    ``validation``: the strictest level at which a session takes it; a stream that shows half a tree is not "strict".
    ``shows_errors``: it is meant to bring out errors and diagnostics; every other sample has none.
    """

    name: str
    title: str
    group: str
    description: str
    tags: tuple[str, ...]
    messages: tuple[dict[str, Any], ...]
    play: bool = False
    pace_ms: int = 700
    validation: Literal["strict", "relaxed"] = "strict"
    shows_errors: bool = False


@lru_cache(maxsize=1)
def all_samples() -> tuple[Sample, ...]:
    """Every sample, by group and then by title. Raises ValueError, naming the file, for a document out of form."""
    samples = [_read(path) for path in FOLDER.glob("*.json")]
    return tuple(sorted(samples, key=lambda sample: (GROUPS.index(sample.group), sample.title.casefold())))


def find_sample(name: str) -> Sample | None:
    """The sample called ``name``, if there is one."""
    return next((sample for sample in all_samples() if sample.name == name), None)


def _read(path: Path) -> Sample:
    document = orjson.loads(path.read_bytes())
    try:
        sample = Sample(**document | {"tags": tuple(document["tags"]), "messages": tuple(document["messages"])})
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path.name}: {error}") from error
    if sample.name != path.stem or sample.group not in GROUPS:
        raise ValueError(f"{path.name}: its name must be the file's, its group one of {', '.join(GROUPS)}")
    return sample
