"""`python -m a2ui_app serve`: the built page and its server in one process, on one port."""

import argparse
import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from granian.constants import Interfaces
from granian.errors import FatalError
from granian.log import LOGGING_CONFIG, LogLevels
from granian.server.embed import Server

from a2ui_app import build
from a2ui_app.access import Gate, Keys
from a2ui_app.access.gate import LOOPBACK
from a2ui_app.cli.link import new_link, tell_address
from a2ui_app.live.channel import Channel
from a2ui_app.store.paths import data_folder
from a2ui_app.transports import sandbox

if TYPE_CHECKING:
    from a2ui_app.transports.mcp_client import McpServers

DEFAULT_PORT = 8123


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `serve`."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, help=f"the port (default: {DEFAULT_PORT}, or the next one that is free)")
    parser.add_argument(
        "--mcp-config",
        type=_mcp_servers,
        metavar="FILE",
        help='a JSON file {"mcpServers": {…}}: the MCP servers whose tools surfaces and apps may call',
    )


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted. The exit code is 1 when the build, the port or the app's start fails."""
    try:
        keys = Keys(data_folder())
        hosts = names_of(args.host, keys)
        port = choose_port(args.host, args.port)
        app = load_app()
    except (build.BuildError, NotSafe, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    tell_address(args.host, port)
    return asyncio.run(_serve(guarded(app, keys, port, hosts), args.host, port, keys, args.mcp_config))


class NotSafe(Exception):
    """The server would be open to strangers; the text says what to do first."""


def names_of(host: str, keys: Keys) -> tuple[str, ...]:
    """The host names a browser may use for an address to listen on; none: any. Raises NotSafe."""
    if host in LOOPBACK:
        return LOOPBACK
    if not keys.has_password:
        raise NotSafe(
            f"{host} can be reached from other machines, and whoever reaches this app can run commands on this one. "
            "Set a password first: python -m a2ui_app password"
        )
    return ()


def guarded(app: Any, keys: Keys, port: int, hosts: Sequence[str] = LOOPBACK) -> Gate:
    """``app`` behind the gate; its pages show the tokens that programs need."""
    from a2ui_app.web import home

    home.channel_token = keys.channel_token
    home.address = f"http://127.0.0.1:{port}"
    return Gate(app, keys, port=port, hosts=hosts)


def _mcp_servers(path: str) -> "McpServers":
    """The MCP servers of a configuration file."""
    from a2ui_app.transports.mcp_client import ConfigError, McpServers  # slow to import, and seldom wanted

    try:
        return McpServers.from_file(Path(path))
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def choose_port(host: str, port: int | None, first: int = DEFAULT_PORT) -> int:
    """Return `port` if it is free, or with None the first free one from `first` on. Raises OSError."""
    for candidate in [port] if port is not None else range(first, first + 100):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
            else:
                return candidate
    taken = f"Port {port} is" if port is not None else f"Ports {first} to {first + 99} are all"
    raise OSError(f"{taken} in use. Choose another one, for example: PORT=9000 make run")


def load_app() -> Any:
    """Build the page if need be and return the ASGI app that serves it. Raises build.BuildError."""
    os.chdir(build.ROOT)  # Reflex finds its configuration and folders in the working folder
    os.environ.update(build.serving_environment(build.ensure_build()))
    from a2ui_app.a2ui_app import app

    application = app()
    gc.collect()
    gc.freeze()  # what lives as long as the process is not looked at by every later collection
    return application


def new_server(app: Any, host: str, port: int) -> Server:
    """Return a granian server that runs `app` in this process, on the event loop that awaits its `serve()`.

    It reports on standard error only what went wrong, such as an exception in a request.
    """
    console = {"class": "logging.StreamHandler", "formatter": "generic", "filters": ["faults"]}
    log = {
        "filters": {"faults": {"()": _Faults}},
        "handlers": LOGGING_CONFIG["handlers"] | {"console": console},
    }
    return Server(
        app, address=host, port=port, interface=Interfaces.ASGI, log_level=LogLevels.error, log_dictconfig=log
    )


class _Faults(logging.Filter):
    """Leaves out requests that were cancelled: that is how a connection that a tab keeps open ends with the server."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


async def serve_until_stopped(server: Server, ready: Callable[[], object]) -> None:
    """Run `server` until its `stop()`; call `ready` once it accepts connections.

    Raises FatalError when the app's lifespan does not start; the server has reported why.
    """
    serving = asyncio.create_task(server.serve())
    # granian listens when the app's lifespan has started, which may take a while, and has no hook for that moment.
    while not serving.done() and not await _accepts_connections(server.bind_addr, server.bind_port):
        await asyncio.wait([serving], timeout=0.02)
    if not serving.done():
        ready()
    await serving


async def _accepts_connections(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


@asynccontextmanager
async def sandbox_beside(host: str, page_port: int) -> AsyncIterator[None]:
    """Serve the sandbox of MCP apps on a port of its own while the block runs: another origin than the pages'.

    Raises OSError when no port is free.
    """
    port = choose_port(host, None, first=page_port + 1)
    server = new_server(sandbox.app(page_port), host, port)
    ready = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve_until_stopped(server, lambda: ready.set_result(None)))
    await asyncio.wait([serving, ready], return_when=asyncio.FIRST_COMPLETED)
    sandbox.SANDBOX.port = port
    try:
        yield
    finally:
        sandbox.SANDBOX.port = None
        server.stop()
        await serving


async def _serve(app: Any, host: str, port: int, keys: Keys, tools: "McpServers | None") -> int:
    Channel.process_tools = tools
    server = new_server(app, host, port)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.stop)
    try:
        async with sandbox_beside(host, port):
            await serve_until_stopped(server, lambda: print(f"Open {new_link(keys)}", flush=True))
    except FatalError:
        return 1
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if tools is not None:
            await tools.close()
    return 0
