"""The Reflex app: pages, HTTP routes and lifespan, nothing else."""

import reflex as rx

from .live.registry import CHANNELS
from .store.paths import uploads_folder
from .transports import catalogs, files, health, http
from .web import dialog_dock, home
from .web.pages import start, surface
from .web.pages.conversation import page as conversation
from .web.pages.gallery import page as gallery
from .web.shell import HEAD, STYLESHEET
from .web.states.surface import SurfaceState

ROUTES = [
    *files.routes(uploads_folder),
    *home.AGENT_TOOLS.routes(),
    *catalogs.routes,
    *health.routes(lambda: home.CONVERSATIONS.trouble),
]
"""The HTTP routes besides those of channels."""

app = rx.App(
    api_transformer=http.app(CHANNELS, ROUTES),
    stylesheets=[STYLESHEET, dialog_dock.STYLESHEET, conversation.STYLESHEET, gallery.STYLESHEET],
    head_components=HEAD,
)
app.register_lifespan_task(home.lifespan)
app.add_page(start.page, route="/", title="A2UI App", on_load=start.ON_LOAD)
app.add_page(conversation.page, route=conversation.ROUTE, title="A2UI App", on_load=conversation.ON_LOAD)
app.add_page(surface.page, route=surface.ROUTE, title="Surface · A2UI App", on_load=SurfaceState.attach)
app.add_page(gallery.page, route=gallery.ROUTE, title="Gallery · A2UI App", on_load=gallery.ON_LOAD)
