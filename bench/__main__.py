"""`make bench`: every benchmark, one after the other; name some to run only those."""

import importlib
import sys

BENCHMARKS = ("session", "browser", "backends")

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHMARKS:
        importlib.import_module(f"bench.{name}").run()
