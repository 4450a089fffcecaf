"""Which addresses a page may load for an agent."""

import re

_WEB = re.compile(r"https?://[^\s\x00-\x1f\\]+", re.IGNORECASE)
_OWN = re.compile(r"/(?![/\\])[^\s\x00-\x1f\\]*")
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp)[;,][^\s]*", re.IGNORECASE)


def media_url(value: object, *, image: bool = False) -> str | None:
    """``value`` if a page may load it as media, else None.

    Allowed are http, https, and an absolute path on this server; with ``image`` also ``data:`` of PNG, JPEG, GIF and
    WebP. A browser drops blanks around an address, and controls inside it, before it reads the scheme: any refuses it.
    """
    if not isinstance(value, str):
        return None
    allowed = (_WEB, _OWN, _IMAGE) if image else (_WEB, _OWN)
    return value if any(pattern.fullmatch(value) for pattern in allowed) else None
