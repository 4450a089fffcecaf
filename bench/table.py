"""Timing and printing, shared by the benchmarks."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Timing:
    """Milliseconds of repeated runs."""

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.runs)

    @property
    def least(self) -> float:
        return min(self.runs)

    def __str__(self) -> str:
        return f"{self.median:10.3f} ({self.least:.3f})"


def interleaved(repeat: int, *tasks: Callable[[], Any]) -> list[Timing]:
    """Time each task ``repeat`` times, in turn, so that noise on the machine hits all alike.

    What was made before is put out of the garbage collector's sight, so that each task pays for its own garbage only.
    """
    runs: list[list[float]] = [[] for _ in tasks]
    for _ in range(repeat):
        for task, times in zip(tasks, runs, strict=True):
            gc.collect()
            gc.freeze()
            start = time.perf_counter()
            task()
            times.append((time.perf_counter() - start) * 1000)
    return [Timing(tuple(times)) for times in runs]


def blocks(first: Sequence[Callable[[], Any]], second: Sequence[Callable[[], Any]], size: int = 20) -> list[Timing]:
    """Time single short runs of two kinds, in alternating blocks: each finds the caches as its own kind left them."""
    runs: tuple[list[float], list[float]] = ([], [])
    for start in range(0, max(len(first), len(second)), size):
        for kind, times in zip((first, second), runs, strict=True):
            times += [timed(task) for task in kind[start : start + size]]
    return [Timing(tuple(times)) for times in runs]


def timed(task: Callable[[], Any]) -> float:
    """Milliseconds of one run."""
    start = time.perf_counter()
    task()
    return (time.perf_counter() - start) * 1000


def heading(title: str, *columns: str) -> None:
    print(f"\n{title}")
    print("  " + " ".join(f"{column:>24}" for column in columns))


def row(*cells: Any) -> None:
    print("  " + " ".join(f"{cell!s:>24}" for cell in cells), flush=True)


def goal(name: str, reached: float, limit: float, *, at_least: bool) -> None:
    """One line a goal: what was reached, and whether that is enough."""
    met = reached >= limit if at_least else reached <= limit
    print(
        f"  goal: {name}: {reached:.2f} ({'at least' if at_least else 'at most'} {limit:g}) "
        f"{'MET' if met else 'MISSED'}"
    )
