"""The process is killed while it writes: what the database holds is sound, and at most a second short."""

import random
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from a2ui_app.store.migrate import SCRIPTS

LOSS = 1.0  # seconds of a stream that a crash may take
SEED = 20_261_201

STREAM = """
import sys, time
from a2ui_app.store import Store
from a2ui_app.store.tables import Conversation, Entry, SurfaceMessage

store = Store("sqlite:///" + sys.argv[1])
store.put(Conversation, id="c1")
number = 0
while True:
    text = ""
    for word in range(40):
        text += f"{number}.{word} "
        store.put(Entry, conversation="c1", number=number, text=text, body={"words": word + 1})
        store.put(Conversation, id="c1", entries=number + 1)
        print(number, word + 1, flush=True)
        time.sleep(0.002)
    store.put(SurfaceMessage, conversation="c1", number=number, message={"n": number})
    number += 1
"""


@pytest.mark.parametrize("round", range(6))
def test_a_kill_at_any_moment_leaves_a_sound_prefix(file: Path, round: int) -> None:
    after = random.Random(SEED + round).uniform(0.2, 2.5)
    told, killed_at = streamed_until_killed(file, after)
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        entries = connection.execute("SELECT number, text FROM entry ORDER BY number").fetchall()
        drawn = [number for (number,) in connection.execute("SELECT number FROM surfacemessage ORDER BY number")]
    connection.close()
    assert [number for number, _ in entries] == list(range(len(entries)))
    assert drawn == list(range(len(drawn)))
    for number, text in entries[:-1]:
        assert text == words(number, 40)
    last, text = entries[-1]
    count = len(text.split())
    assert text == words(last, count)
    safe = max(place for at, place in told if at < killed_at - LOSS) if told[0][0] < killed_at - LOSS else (0, 0)
    assert (last, count) >= safe


def streamed_until_killed(file: Path, seconds: float) -> tuple[list[tuple[float, tuple[int, int]]], float]:
    """When the child told that it had put which word of which entry; and when it was killed."""
    child = subprocess.Popen([sys.executable, "-c", STREAM, str(file)], stdout=subprocess.PIPE, cwd=SCRIPTS.parent)
    told: list[tuple[float, tuple[int, int]]] = []
    begun = threading.Event()

    def listen() -> None:
        assert child.stdout is not None
        for line in child.stdout:
            number, word = line.split()
            told.append((time.monotonic(), (int(number), int(word))))
            if int(number) >= 1:
                begun.set()

    listener = threading.Thread(target=listen)
    listener.start()
    assert begun.wait(60)
    time.sleep(seconds)  # the moment is what is tested
    killed_at = time.monotonic()
    child.kill()
    child.wait()
    listener.join()
    assert child.stdout is not None
    child.stdout.close()
    return told, killed_at


def words(number: int, count: int) -> str:
    return "".join(f"{number}.{word} " for word in range(count))
