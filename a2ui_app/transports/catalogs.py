"""The catalog documents of this app, for agents to read: GET /catalogs/extended.json."""

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..catalogs.extended import document


async def extended(request: Request) -> Response:
    return Response(orjson.dumps(document(), option=orjson.OPT_INDENT_2), media_type="application/json")


routes = [Route("/catalogs/extended.json", extended, methods=["GET"])]
"""To be added to the app's HTTP routes."""
