"""The outer frame of an embedded MCP app: a page that stands between the app and ours, on an origin of its own.

MCP Apps, "Sandbox proxy": the host page and the sandbox have different origins (here: ports), and the app is a frame
inside the sandbox. The app's frame is made from ``srcdoc`` without ``allow-same-origin``, so that it has an opaque
origin: no cookies, no storage, no way to either page but messages. It inherits this page's Content-Security-Policy,
which is a header and so out of its reach, and the policy's ``frame-src`` also stops it from leaving for another page.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

DOMAINS: Final = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
FEATURES: Final = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboardWrite": "clipboard-write",
}
"""A permission of the component, and the browser's name of that feature."""

DENIED: Final = ("clipboard-read", "display-capture", "fullscreen", "payment", "publickey-credentials-get", "usb")
"""Features that no component can be granted."""

_SOURCE = re.compile(r"(https?|wss?)://((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::([0-9]{1,5}))?/?", re.IGNORECASE)
_HOST = re.compile(r"[A-Za-z0-9.:-]+")
_LOOPBACK = re.compile(r"(?:.*\.)?localhost|127(?:\.[0-9]+){3}|0\.0\.0\.0", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": 80, "ws": 80, "https": 443, "wss": 443}


@dataclass(frozen=True)
class Policy:
    """What an app's component grants: the origins of each list of ``csp`` in `DOMAINS`, and names of `FEATURES`."""

    domains: Mapping[str, tuple[str, ...]]
    features: tuple[str, ...] = ()

    @classmethod
    def of_component(cls, csp: Any, permissions: Any) -> "Policy":
        """The policy of a component's properties ``csp`` and ``permissions``; what is no origin grants nothing."""
        lists = csp if isinstance(csp, Mapping) else {}
        domains = {name: tuple(filter(is_origin, _list(lists.get(name)))) for name in DOMAINS}
        granted = permissions if isinstance(permissions, Mapping) else {}
        # MCP Apps grants with an empty object, the catalog also with true.
        features = tuple(name for name in FEATURES if granted.get(name) is True or isinstance(granted.get(name), dict))
        return cls(domains, features)

    @classmethod
    def of_query(cls, query: QueryParams) -> "Policy":
        """The policy that `query` wrote."""
        return cls.of_component(
            {name: query.getlist(name) for name in DOMAINS}, dict.fromkeys(query.getlist("allow"), True)
        )

    def query(self) -> str:
        """The policy as the query of the sandbox page's address."""
        pairs = [(name, origin) for name in DOMAINS for origin in self.domains[name]]
        return urlencode(pairs + [("allow", name) for name in self.features])

    @property
    def allow(self) -> str:
        """The features for a frame's ``allow`` attribute."""
        return "; ".join(f"{FEATURES[name]} *" for name in self.features)

    def without(self, here: str, ports: tuple[int, ...]) -> "Policy":
        """The policy without the origins of this very server, which has host name ``here`` and ``ports``.

        An app that may fetch from our pages could act in its person's name.
        """
        foreign = {
            name: tuple(origin for origin in origins if not _is_ours(origin, here, ports))
            for name, origins in self.domains.items()
        }
        return replace(self, domains=foreign)

    def content_security(self) -> str:
        """The Content-Security-Policy: nothing is loaded from anywhere but the origins that the component names.

        There is no ``'self'``, since that is ours.
        """

        def sources(declared: str, *fixed: str) -> str:
            return " ".join([*fixed, *self.domains[declared]]) or "'none'"

        inline, own = "'unsafe-inline'", ("data:", "blob:")
        directives = {
            "default-src": "'none'",
            "script-src": sources("resourceDomains", inline, "'unsafe-eval'", *own),
            "style-src": sources("resourceDomains", inline, *own),
            "img-src": sources("resourceDomains", *own),
            "font-src": sources("resourceDomains", *own),
            "media-src": sources("resourceDomains", *own),
            "worker-src": " ".join(own),
            "connect-src": sources("connectDomains"),
            "frame-src": sources("frameDomains"),
            "base-uri": sources("baseUriDomains"),
            "form-action": "'none'",
            "object-src": "'none'",
        }
        return "; ".join(f"{name} {value}" for name, value in directives.items())

    def connections(self) -> str:
        """The Connection-Allowlist, for what no Content-Security-Policy forbids: WebRTC, preconnect, DNS prefetch.

        Chromium has it from version 152 on.
        """
        origins = {origin.removesuffix("/") for origins in self.domains.values() for origin in origins}
        patterns = sorted({re.sub("^ws", "http", origin, flags=re.IGNORECASE) for origin in origins})
        return f"({' '.join(json.dumps(pattern) for pattern in patterns)});webrtc=block"

    def permissions(self) -> str:
        """The Permissions-Policy: what is not granted is off for every frame inside."""
        granted = [FEATURES[name] for name in self.features]
        denied = [name for name in (*FEATURES.values(), *DENIED) if name not in granted]
        return ", ".join([*(f"{name}=*" for name in granted), *(f"{name}=()" for name in denied)])


@dataclass
class Sandbox:
    """Where this process serves the sandbox: a port of the host that its pages are on; None: nowhere."""

    port: int | None = None


SANDBOX: Final = Sandbox()
"""Set by whoever serves; read when a component is drawn."""


def app(page_port: int) -> Starlette:
    """The sandbox for pages that are served on ``page_port`` of the same host."""

    async def sandbox(request: Request) -> Response:
        host = request.url.hostname or ""
        if not _HOST.fullmatch(host):
            return PlainTextResponse("The Host header names no host.", status_code=400)
        page = f"{request.url.scheme}://{_bracketed(host)}:{page_port}"
        ports = (page_port, request.url.port or _DEFAULT_PORTS[request.url.scheme])
        policy = Policy.of_query(request.query_params).without(host, ports)
        ancestors = page if ":" not in host else f"{request.url.scheme}:"  # a policy cannot name an IPv6 address
        headers = {
            "Content-Security-Policy": f"{policy.content_security()}; frame-ancestors {ancestors}",
            "Connection-Allowlist": policy.connections(),
            "Permissions-Policy": policy.permissions(),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-DNS-Prefetch-Control": "off",
            "Origin-Agent-Cluster": "?1",
            "Cache-Control": "no-store",
        }
        return HTMLResponse(_PAGE.replace("{page}", page).replace("{allow}", policy.allow), headers=headers)

    return Starlette(routes=[Route("/", sandbox)])


def is_origin(value: Any) -> bool:
    """Whether ``value`` names an origin, maybe with ``*.`` before its host: nothing else gets into a policy.

    A blank, a quote, a comma or a semicolon would add sources or directives of its own.
    """
    return isinstance(value, str) and len(value) <= 300 and _SOURCE.fullmatch(value) is not None


def _is_ours(origin: str, here: str, ports: tuple[int, ...]) -> bool:
    """Whether ``origin`` leads to this server."""
    match = _SOURCE.fullmatch(origin)
    if match is None:
        return True
    scheme, host, written = match[1].lower(), match[2].lower(), match[3]
    port = int(written) if written else _DEFAULT_PORTS[scheme]
    if port not in ports:
        return False
    # On a port of ours any name may lead here; the web's own ports are everybody's.
    named = _LOOPBACK.fullmatch(host) or host == here.lower() or (host[0] == "*" and here.lower().endswith(host[1:]))
    return bool(named) or port not in _DEFAULT_PORTS.values()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_PAGE: Final = r"""<!doctype html>
<meta charset="utf-8">
<title>Sandbox</title>
<style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; overflow: hidden }</style>
<script>
"use strict";
const PAGE = "{page}";
const SANDBOX = "ui/notifications/sandbox-";
let app = null; // the app's frame

// The first script of the app's frame. Other apps on the page can reach its window and post to it in the host's name:
// only what the frame around it, itself and its own frames say is let through. (A comment's start and a script's, as
// they are written in HTML, would make the parser miss the end of this script.)
const GUARD = `<${"script"}>addEventListener("message", (event) => {
  const from = event.source;
  if (from !== parent && from !== window && from?.parent !== window) event.stopImmediatePropagation();
}, true)<${"/script"}>`;
const guarded = (html) => html.replace(/^(?:\s|<!\-\-[^]*?-->)*(?:<!doctype[^>]*>)?/i, (start) => start + GUARD);

function load(html) {
  app = document.createElement("iframe");
  app.sandbox = "allow-scripts allow-forms allow-modals";
  app.allow = "{allow}";
  app.srcdoc = guarded(html);
  document.body.append(app);
}

// Who speaks is told by the window and the origin a message came from; without allow-same-origin that is "null".
addEventListener("message", ({ source, origin, data }) => {
  const reserved = typeof data?.method === "string" && data.method.startsWith(SANDBOX);
  if (source === parent && origin === PAGE) {
    if (!reserved) app?.contentWindow.postMessage(data, "*");
    else if (data.method === SANDBOX + "resource-ready" && !app) load(String(data.params?.html));
  } else if (app && source === app.contentWindow && origin === "null" && !reserved) {
    parent.postMessage(data, PAGE);
  }
});
addEventListener("DOMContentLoaded", () => {
  if (parent !== window) parent.postMessage({ jsonrpc: "2.0", method: SANDBOX + "proxy-ready", params: {} }, PAGE);
});
</script>
"""
