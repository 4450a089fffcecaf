"""Who may use the HTTP routes: one place, so that tokens are added here."""

from urllib.parse import urlsplit

from starlette.requests import Request


class Refused(Exception):
    """A request that must not be served; the text says why and what to do."""


def check(request: Request) -> None:
    """Raise `Refused` for what a web page of another origin makes a browser send.

    A browser sends plain posts anywhere without asking, and says in ``Origin`` (or in ``Sec-Fetch-Site``, for requests
    that carry no Origin) whose page they are. Agents and curl send neither. No CORS header is ever sent either, so no
    other page can read a reply.
    """
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower():
        raise Refused(
            f"Requests from pages of {origin[:100]} are refused; send them from a program or from this server's pages."
        )
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise Refused("Requests from pages of another site are refused; open this address itself.")
