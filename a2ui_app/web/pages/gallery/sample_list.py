"""The list of samples, in groups, with a search; known when the page is built, so it costs nothing at run time."""

import reflex as rx

from ....samples import GROUPS, Sample, all_samples
from ...states.gallery import FIRST, OWN, GalleryState

ICONS = {
    "Start here": "sparkles",
    "Coding agents": "bot",
    "Forms": "text-cursor-input",
    "Live updates": "radio",
    "Data": "table-2",
    "Components": "shapes",
    "Extended catalog": "blocks",
    "Functions": "function-square",
    "Edge cases": "triangle-alert",
    "Older versions": "history",
}


def sample_list() -> rx.Component:
    """The column."""
    return rx.el.aside(
        rx.el.div(
            rx.el.label(
                rx.icon("search", size=15),
                rx.el.input(
                    id="gallery-search",
                    type="search",
                    placeholder=f"Search {len(all_samples())} samples",
                    on_change=GalleryState.search,
                    custom_attrs={"aria-label": "Search the samples", "autoComplete": "off"},
                ),
                rx.el.kbd("/"),
                class_name="g-search",
            ),
            rx.el.button(
                rx.icon("clipboard-paste", size=15),
                "Your own messages",
                type="button",
                on_click=GalleryState.compose,
                class_name="g-own",
                custom_attrs={"aria-current": rx.cond(GalleryState.name == OWN, "true", "false")},
            ),
            class_name="g-list-head",
        ),
        rx.el.nav(
            *(group(name) for name in GROUPS),
            rx.cond(
                GalleryState.matches.length() == 0, rx.el.p("No sample matches.", class_name="g-nothing"), rx.fragment()
            ),
            class_name="g-list",
            custom_attrs={"aria-label": "Samples"},
        ),
        class_name="g-samples",
    )


def group(name: str) -> rx.Component:
    """A group; it hides when none of its samples matches."""
    samples = [sample for sample in all_samples() if sample.group == name]
    return rx.el.div(
        rx.el.h2(rx.icon(ICONS[name], size=14), name),
        *(link(sample) for sample in samples),
        class_name="g-group",
    )


def link(sample: Sample) -> rx.Component:
    """A sample; the address bar follows."""
    return rx.link(
        rx.el.span(sample.title),
        rx.cond(sample.play, rx.icon("play", size=11), rx.fragment()) if sample.play else rx.fragment(),
        href=f"/gallery/{sample.name}",
        on_click=GalleryState.show_view("surface"),
        underline="none",
        class_name="g-sample",
        title=sample.description,
        custom_attrs={
            "aria-current": rx.cond(GalleryState.name == sample.name, "page", "false"),
            "hidden": ~GalleryState.matches.contains(sample.name),
            "data-first": sample.name == FIRST,
        },
    )
