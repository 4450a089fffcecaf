// Small pieces that catalog views share: attributes, rich text, and state that only this browser needs.
import { createElement, useRef, useState } from "react";
import { useKey } from "./runtime.js";

// What every element of a node carries: its ref, its weight in a row or column, and whether it is hidden from assistive tools.
export function box({ ref, props, accessibility }) {
  const attributes = { "data-ref": ref };
  if (typeof props.weight === "number") attributes.style = { flexGrow: props.weight, flexBasis: 0 };
  if (accessibility?.hidden) attributes["aria-hidden"] = true;
  return attributes;
}

// What the element carries that people read or operate: its name, its description, how its changes are announced.
export function aria({ ref, accessibility, valid, errors }) {
  const attributes = {};
  if (accessibility?.label) attributes["aria-label"] = accessibility.label;
  if (accessibility?.description) attributes["aria-description"] = accessibility.description;
  if (accessibility?.live) attributes["aria-live"] = accessibility.live;
  if (valid === false) attributes["aria-invalid"] = true;
  if (errors?.length) attributes["aria-describedby"] = `a2-${ref}-error`;
  return attributes;
}

// Text as the server prepared it: a string, or a list of strings and [tag, attributes, ...content].
export function rich(text) {
  return Array.isArray(text) ? text.map(element) : text;
}

const TAGS = new Set("p h1 h2 h3 h4 h5 h6 strong em s code pre blockquote ul ol li hr br table thead tbody tr th td".split(" "));

function element(item, key) {
  if (!Array.isArray(item)) return item;
  const [tag, { start } = {}, ...content] = item;
  return TAGS.has(tag) ? createElement(tag, { key, start }, ...content.map(element)) : content.map(element);
}

// The open one of `count` tabs: it outlives updates, and starts again when its tab is gone.
export function useIndex(count) {
  const [index, setIndex] = useState(0);
  if (index && index >= count) setIndex(0);
  return [index < count ? index : 0, setIndex];
}

// A modal dialog and what opens it. The dialog is the browser's own, so the focus stays inside and is given back.
export function useDialog(triggerRef) {
  const type = useKey(triggerRef)?.type;
  const [used, setUsed] = useState(false); // its content is built when it is first opened
  const dialog = useRef(null);
  const pressed = useRef(null);
  const open = () => {
    setUsed(true);
    if (!dialog.current.open) dialog.current.showModal();
  };
  const onKeyDown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open();
  };
  return {
    used,
    close: () => dialog.current.close(),
    // A button is reached and pressed by keyboard by itself; anything else has to be made so.
    trigger: type === "Button" ? { onClick: open } : { onClick: open, onKeyDown, role: "button", tabIndex: 0 },
    dialog: {
      ref: dialog,
      onMouseDown: (event) => (pressed.current = event.target),
      // The backdrop belongs to the dialog; a press inside that ends outside is a selection of text.
      onClick: ({ target }) => target === dialog.current && pressed.current === target && target.close(),
    },
  };
}

// What is chosen after a click on `option`.
export function choose(chosen, option, multiple) {
  if (!multiple) return [option];
  return chosen.includes(option) ? chosen.filter((other) => other !== option) : [...chosen, option];
}

export const matching = (options, filter) => options.filter(({ label }) => label.toLowerCase().includes(filter.toLowerCase()));
