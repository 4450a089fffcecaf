"""The catalog document is served as it is."""

import httpx
from starlette.applications import Starlette

from a2ui_app.catalogs.extended import document
from a2ui_app.transports.catalogs import routes


async def get(path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=Starlette(routes=routes))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.get(path)


async def test_the_extended_catalog_is_served():
    answer = await get("/catalogs/extended.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == document()
