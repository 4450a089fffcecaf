"""The built page: made once for each state of its sources, and kept: the next start needs no build and no network.

`.build/web` is Reflex's working folder for production builds; each finished build is a folder of its own, named by the
hash of the sources. So a server that is running keeps its files while another build is made.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILDS = ROOT / ".build"
KEEP = 4  # finished builds

_SOURCES = ("rxconfig.py", "requirements.txt", "bunfig.toml", ".npmrc", "reflex.lock", "assets", "a2ui_app")
_NOT_SOURCES = {"__pycache__", "external"}  # assets/external holds links that Reflex makes
_SERVED = ("build/client", "backend", "routes.json")  # what a server reads of Reflex's working folder


class BuildError(Exception):
    """The page could not be built; the message ends with what the build said last."""


def _source_files() -> Iterator[Path]:
    for name in _SOURCES:
        path = ROOT / name
        if path.is_file():
            yield path
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(set(folders) - _NOT_SOURCES)
            yield from (Path(folder, file) for file in sorted(files))


def source_hash() -> str:
    """Identify the page's sources by their names and contents."""
    digest = hashlib.blake2b(digest_size=8)
    for path in _source_files():
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT)} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def serving_environment(build: Path) -> dict[str, str]:
    """Give the environment variables under which Reflex serves `build` as it is, without compiling anything."""
    return {
        "REFLEX_ENV_MODE": "prod",
        "REFLEX_WEB_WORKDIR": str(build),
        "__REFLEX_SKIP_COMPILE": "true",
        "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    }


def ensure_build() -> Path:
    """Return the folder of the build of today's sources, making it first when there is none. Raises BuildError."""
    BUILDS.mkdir(exist_ok=True)
    with (BUILDS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two builds at once would share .build/web
        build = BUILDS / source_hash()
        if not build.exists():
            _export()
            _keep(BUILDS / "web", build)
        build.touch()  # the newest in use, see _forget_old_builds
        _forget_old_builds()
    return build


def _export() -> None:
    print("Building the page (only when its sources changed; about 20 seconds) …", file=sys.stderr, flush=True)
    environment = {name: value for name, value in os.environ.items() if "REFLEX" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"],
        cwd=ROOT,
        env=environment | {"REFLEX_WEB_WORKDIR": ".build/web"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    (BUILDS / "build.log").write_text(done.stdout, encoding="utf-8")
    if done.returncode:
        last_lines = "\n".join(done.stdout.splitlines()[-30:])
        raise BuildError(f"The page could not be built (whole log: {BUILDS / 'build.log'}).\n{last_lines}")


def _keep(web: Path, build: Path) -> None:
    """Copy what a server needs; the rename makes the build appear whole or not at all."""
    unfinished = BUILDS / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    for name in _SERVED:
        source, target = web / name, unfinished / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    unfinished.rename(build)


def _forget_old_builds() -> None:
    builds = [path for path in BUILDS.iterdir() if (path / "build" / "client").is_dir() and path.name != "web"]
    builds.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for old in builds[KEEP:]:
        shutil.rmtree(old)
