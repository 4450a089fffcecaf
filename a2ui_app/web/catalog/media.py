"""Image, Video and AudioPlayer. An address that a page must not load never reaches it; a placeholder stands there."""

import reflex as rx

from ..live_surface import Node, Wire, component, spread, when, with_props
from ..urls import media_url


def prepare_image(node: Wire) -> Wire:
    return _checked(node, url=media_url(node["props"].get("url"), image=True))


def prepare_video(node: Wire) -> Wire:
    poster = media_url(node["props"].get("posterUrl"), image=True)
    return _checked(node, url=media_url(node["props"].get("url")), posterUrl=poster)


def prepare_audio(node: Wire) -> Wire:
    return _checked(node, url=media_url(node["props"].get("url")))


def _checked(node: Wire, **urls: str | None) -> Wire:
    refused = True if node["props"].get("url") and urls["url"] is None else None
    return with_props(node, **urls, refused=refused)


def missing(node: Node, icon: str) -> rx.Component:
    """Where there is nothing to load: no address yet, or one that is not allowed."""
    words = rx.cond(node.description, node.description, rx.cond(node.refused, "This address cannot be shown.", ""))
    return rx.el.div(rx.icon(icon, size=20), rx.el.span(words), class_name="a2-missing", role="note", **node.attrs)


@component("Image", prepare=prepare_image)
def image(node: Node) -> rx.Component:
    return rx.cond(
        node.url,
        rx.el.img(
            src=node.url,
            alt=rx.cond(node.description, node.description, ""),
            class_name="a2-image",
            loading="lazy",
            referrer_policy="no-referrer",
            custom_attrs={"data-fit": node.fit, "data-variant": node.variant},
            **node.attrs,
        ),
        missing(node, "image-off"),
    )


@component("Video", prepare=prepare_video)
def video(node: Node) -> rx.Component:
    return rx.cond(
        node.url,
        rx.el.video(
            src=node.url,
            poster=node.posterUrl,
            controls=True,
            preload="metadata",
            class_name="a2-video",
            **node.attrs,
        ),
        missing(node, "video-off"),
    )


@component("AudioPlayer", prepare=prepare_audio)
def audio_player(node: Node) -> rx.Component:
    return rx.cond(
        node.url,
        rx.el.figure(
            when(node.description, rx.el.figcaption(node.description, class_name="a2-label")),
            rx.el.audio(src=node.url, controls=True, preload="metadata", **spread(node.aria)),
            class_name="a2-audio",
            **spread(node.box),
        ),
        missing(node, "volume-off"),
    )
