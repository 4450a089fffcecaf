// Dialogs in the browser: their age, their keys, and the list to choose from.
import { createElement as h, useEffect, useRef, useState } from "react";
import { invoke, useBinding } from "$/public/external/a2ui_app/web/live_surface/runtime.js";

function span(seconds) {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

// Who asks, for how long already, and when it ends.
export function Facts({ node }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const { origin, opened, deadline } = node.props;
  const now = Date.now() / 1000;
  const age = opened && now - opened > 5 ? `asked ${span(now - opened)} ago` : "";
  const left = deadline ? `ends in ${span(deadline - now)}` : "";
  return h("p", { className: "d-facts" }, [origin, age, left].filter(Boolean).join(" · "));
}

const TYPING = "input, textarea, select, [contenteditable]";

const FIRST = ["input, textarea", ".d-option", "[data-kind=main]", ".d-button"]; // what gets the focus, if it is there

// A dialog takes the focus when it comes, unless its person is writing something.
export function useArrival() {
  const box = useRef(null);
  useEffect(() => {
    const active = document.activeElement;
    const writing = active?.matches?.(TYPING) && (active.value || active.closest(".d-dialog"));
    if (!writing && !active?.closest?.("dialog[open]")) FIRST.map((one) => box.current?.querySelector(one)).find(Boolean)?.focus();
  }, []);
  return box;
}

const on = (node, property, pressed) => (event) => {
  if (event.isComposing || event.nativeEvent?.isComposing || !pressed(event)) return;
  event.preventDefault();
  event.stopPropagation();
  invoke(node, property);
};

// Enter answers, with Ctrl where Enter is part of the text; Escape, anywhere in the dialog, gives no answer.
export const entering = (node) => on(node, "action", ({ key }) => key === "Enter");
export const enteringText = (node) => on(node, "action", ({ key, ctrlKey, metaKey }) => key === "Enter" && (ctrlKey || metaKey));
export const escaping = (node) => on(node, "cancel", ({ key }) => key === "Escape");

const MANY = 7; // choices above which there is a box to filter them

export function Options({ node }) {
  const { options = [], multiple } = node.props;
  const chosen = useBinding(node, "value");
  const [words, setWords] = useState("");
  const list = useRef(null);
  const wanted = words.trim().toLowerCase();
  const shown = options
    .map((option, place) => ({ ...option, place: String(place) }))
    .filter(({ label, description }) => `${label}\n${description ?? ""}`.toLowerCase().includes(wanted));
  const values = chosen.value ?? [];
  const pick = (place) => {
    if (multiple) return chosen.set(values.includes(place) ? values.filter((one) => one !== place) : [...values, place]);
    chosen.set([place]);
    invoke(node, "action");
  };
  const move = (step) => {
    const buttons = [...list.current.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
  };
  const onKeyDown = (event) => {
    const typing = event.target.matches("input");
    const number = !typing && !event.ctrlKey && !event.metaKey && !event.altKey && Number(event.key);
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && typing && shown.length) pick(shown[0].place);
    else if (number >= 1 && number <= shown.length) pick(shown[number - 1].place);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h("div", { className: "d-select", onKeyDown },
    options.length > MANY && h("input", { type: "search", className: "a2-input", placeholder: "Filter", "aria-label": "Filter the choices",
      value: words, onChange: ({ target }) => setWords(target.value) }),
    h("div", { ref: list, className: "d-options", role: multiple ? "group" : "listbox", "aria-label": node.props.title },
      shown.map(({ label, description, place }, index) => {
        const on = values.includes(place);
        return h("button", { key: place, type: "button", className: "d-option", onClick: () => pick(place),
            ...(multiple ? { role: "checkbox", "aria-checked": on } : { role: "option", "aria-selected": on }) },
          h("kbd", { "aria-hidden": true }, multiple ? (on ? "✓" : "") : index < 9 ? index + 1 : ""),
          h("span", null, h("strong", null, label), description && h("small", null, description)));
      }),
      !shown.length && h("p", { className: "a2-note" }, "Nothing has these words.")));
}
