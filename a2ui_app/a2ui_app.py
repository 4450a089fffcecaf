"""The Reflex app: pages, HTTP routes and lifespan, nothing else."""

import reflex as rx

from .live.registry import CHANNELS
from .transports import http
from .web.pages import start, surface
from .web.pages.gallery import page as gallery
from .web.shell import HEAD, STYLESHEET
from .web.states.surface import SurfaceState

app = rx.App(
    api_transformer=http.app(CHANNELS),
    stylesheets=[STYLESHEET, gallery.STYLESHEET],
    head_components=HEAD,
)
app.add_page(start.page, route="/", title="A2UI App")
app.add_page(surface.page, route=surface.ROUTE, title="Surface · A2UI App", on_load=SurfaceState.attach)
app.add_page(gallery.page, route=gallery.ROUTE, title="Gallery · A2UI App", on_load=gallery.ON_LOAD)
