"""Whether the process lives and can do its work: GET /healthz, GET /readyz."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route


def routes(trouble: Callable[[], str]) -> list[Route]:
    """The routes; ``trouble`` says why nothing can be kept at the moment, empty when all is well."""

    async def healthz(request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> PlainTextResponse:
        told = trouble()
        return PlainTextResponse(f"{told or 'ok'}\n", 503 if told else 200)

    return [Route("/healthz", healthz, methods=["GET"]), Route("/readyz", readyz, methods=["GET"])]
