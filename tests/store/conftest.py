"""Databases for the tests: a SQLite file, and a PostgreSQL server of our own where its programs are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import URL

from a2ui_app.store import Store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a2ui.db"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The folder of the socket of a PostgreSQL server that only this run can reach. Skips where there is none."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed: no initdb on PATH nor in /usr/lib/postgresql/*/bin")
    folder = Path(tempfile.mkdtemp(prefix="a2ui-pg-", dir="/tmp"))  # a socket's path has 107 characters at most
    other = "nobody" if os.getuid() == 0 else None  # it refuses to run as root
    if other is not None:
        shutil.chown(folder, other)

    def run(program: str, *arguments: str) -> None:
        command = [str(programs / program), "-D", str(folder / "data"), *arguments]
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        subprocess.run(
            command, check=True, cwd=folder, env=environment, user=other, stdout=subprocess.DEVNULL, timeout=60
        )

    try:
        run("initdb", "-A", "trust", "-U", "a2ui", "-E", "UTF8", "--no-sync")
        log = str(folder / "log")
        run("pg_ctl", "start", "-w", "-l", log, "-o", f"-c listen_addresses='' -c fsync=off -k {folder}")
        yield str(folder)
        run("pg_ctl", "stop", "-w", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres: str) -> str:
    """A new database on that server."""
    import psycopg

    name = f"t{uuid4().hex}"
    with psycopg.connect(host=postgres, user="a2ui", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return URL.create("postgresql", "a2ui", database=name, query={"host": postgres}).render_as_string()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """An empty database: each kind in turn."""
    return f"sqlite:///{file}" if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()


def _programs() -> Path | None:
    places = sorted(glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)
    found = places[0] if places else shutil.which("initdb")
    return Path(found).resolve().parent if found else None
