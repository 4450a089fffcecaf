"""The player's controls."""

import reflex as rx

from ...states.gallery import GalleryState
from .widgets import Scrubber

SPEEDS = ("0.5", "1", "2", "4")


def transport() -> rx.Component:
    """Restart, back, play, forward; the scrubber; the speed."""
    return rx.el.div(
        rx.el.div(
            control("skip-back", "To the start", "first"),
            control("step-back", "Back", "back"),
            rx.el.button(
                rx.cond(GalleryState.playing, rx.icon("pause", size=18), rx.icon("play", size=18)),
                type="button",
                on_click=GalleryState.press("toggle"),
                class_name="g-play",
                custom_attrs={"aria-label": rx.cond(GalleryState.playing, "Pause", "Play"), "title": "Space"},
            ),
            control("step-forward", "Forward", "forward"),
            control("skip-forward", "To the end", "last"),
            class_name="g-controls",
        ),
        Scrubber.create(value=GalleryState.position, max=GalleryState.steps.length(), on_seek=GalleryState.seek),
        rx.el.output(
            rx.el.b(GalleryState.position),
            " / ",
            GalleryState.steps.length(),
            class_name="g-count",
            custom_attrs={"aria-label": "Messages shown"},
        ),
        rx.el.div(
            *(
                rx.el.button(
                    f"{speed}\N{MULTIPLICATION SIGN}",
                    type="button",
                    on_click=GalleryState.set_speed(speed),
                    custom_attrs={"aria-pressed": rx.cond(GalleryState.speed == speed, "true", "false")},
                )
                for speed in SPEEDS
            ),
            class_name="g-speed",
            role="group",
            custom_attrs={"aria-label": "Speed"},
        ),
        class_name="g-transport",
        role="group",
        custom_attrs={"aria-label": "Player"},
    )


def control(icon: str, label: str, key: str) -> rx.Component:
    """A button that does what a key does."""
    return rx.el.button(
        rx.icon(icon, size=17),
        type="button",
        on_click=GalleryState.press(key),
        class_name="g-control",
        custom_attrs={"aria-label": label, "title": label},
    )
