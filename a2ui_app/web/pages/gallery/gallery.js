// What the gallery does in the browser: coloured JSON, an editor for it, a scrubber, keys, and files that are dropped or pasted.
import { createElement as h, memo, useEffect, useMemo, useRef, useState } from "react";

// --- Coloured JSON

const TOKEN = /("(?:\\.|[^"\\])*"?)(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function kindOf(token, key, colon) {
  if (key) return colon ? (key[1] === "@" ? "at" : "key") : "string";
  return /^[tfn]/.test(token) ? "word" : "number";
}

const COLOURED = 60_000; // characters; a longer text is shown plain, so that typing stays quick

const sizeOf = (text) => new Blob([text]).size;
const tooLarge = (name, limit) => `${name} is larger than ${limit / 1024} KB. Cut the stream, or post it to a channel with curl.`;

function coloured(line) {
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    const text = string ?? token;
    parts.push(line.slice(end, match.index), h("span", { key: match.index, className: `j-${kindOf(token, string, colon)}` }, text));
    end = match.index + text.length;
  }
  parts.push(line.slice(end));
  return parts;
}

const Line = memo(({ text, fresh, wrong }) =>
  h("span", { className: "j-line", "data-fresh": fresh || undefined, "data-wrong": wrong || undefined }, coloured(text), "\n"),
);

// Lines that were not there before light up once: their key holds the count of the change that brought them.
export function JsonView({ text, flash, label }) {
  const box = useRef({ text, change: 0, lines: [] }).current;
  const lines = useMemo(() => {
    const before = new Map();
    for (const line of box.lines) before.set(line.text, [...(before.get(line.text) ?? []), line]);
    box.change += 1;
    const same = box.text === text && box.lines.length;
    box.text = text;
    box.lines = text.split("\n").map((line) => before.get(line)?.shift() ?? { text: line, since: flash && !same && box.change > 1 ? box.change : 0 });
    return box.lines;
  }, [text]);
  return h("pre", { className: "j-view", tabIndex: 0, "aria-label": label, role: "region" },
    lines.map((line, index) => h(Line, { key: `${index}:${line.since}`, text: line.text, fresh: line.since > 0 })));
}

// A textarea over its coloured twin. `version` grows when the text comes from elsewhere; then what is typed here gives way.
export function JsonEditor({ text, version, wrongLine, label, placeholder, delay, limit, onEdit }) {
  const [local, setLocal] = useState(text);
  const own = useRef({}).current;
  const area = useRef(null);
  const paper = useRef(null);
  const send = () => {
    clearTimeout(own.timer);
    if (own.unsent !== undefined && sizeOf(own.unsent) <= limit) onEdit(own.unsent);
    own.unsent = undefined;
  };
  useEffect(() => {
    clearTimeout(own.timer);
    own.unsent = undefined;
    setLocal(text);
    if (area.current) area.current.scrollTop = 0;
  }, [version]);
  useEffect(() => () => clearTimeout(own.timer), []);
  const onChange = ({ target }) => {
    setLocal(target.value);
    own.unsent = target.value;
    clearTimeout(own.timer);
    own.timer = setTimeout(send, delay ?? 350);
  };
  const onScroll = ({ target }) => {
    paper.current.scrollTop = target.scrollTop;
    paper.current.scrollLeft = target.scrollLeft;
  };
  const shown = local ?? "";
  const lines = shown.length > COLOURED ? [] : shown.split("\n");
  return h("div", { className: "j-editor", "data-plain": shown.length > COLOURED || undefined },
    h("pre", { className: "j-paper", ref: paper, "aria-hidden": true },
      lines.map((line, index) => h(Line, { key: index, text: line, wrong: index + 1 === wrongLine }))),
    shown.length * 3 > limit && sizeOf(shown) > limit && h("p", { className: "j-over", role: "alert" }, tooLarge("This", limit)),
    h("textarea", {
      ref: area, value: shown, onChange, onBlur: send, onScroll, spellCheck: false, autoCapitalize: "off", autoComplete: "off", wrap: "off",
      "aria-label": label, placeholder, "aria-invalid": wrongLine > 0 || undefined,
    }));
}

// --- The list of messages. The current one stays in sight, without moving the page.

export function StepList({ current, label, children }) {
  const list = useRef(null);
  useEffect(() => {
    const row = list.current?.children[current];
    if (!row) return;
    const above = row.offsetTop - list.current.offsetTop;
    const { scrollTop, clientHeight } = list.current;
    if (above < scrollTop + 8) list.current.scrollTop = above - 8;
    else if (above + row.offsetHeight > scrollTop + clientHeight - 8) list.current.scrollTop = above + row.offsetHeight - clientHeight + 8;
  }, [current]);
  return h("ol", { ref: list, className: "g-steps", "aria-label": label }, children);
}

// --- The scrubber. The knob follows the finger; the page follows the server.

export function Scrubber({ value, max, onSeek }) {
  const [held, setHeld] = useState(null);
  useEffect(() => setHeld(null), [value]);
  const shown = held ?? value;
  const onChange = ({ target }) => {
    setHeld(target.valueAsNumber);
    onSeek(target.valueAsNumber);
  };
  return h("input", {
    type: "range", className: "g-scrubber", min: 0, max, step: 1, value: shown, onChange, "aria-label": "Message",
    "aria-valuetext": `${shown} of ${max} messages`, style: { "--share": max ? shown / max : 0 }, onKeyDown: (event) => event.stopPropagation(),
  });
}

// --- Keys, and text that is dropped or pasted anywhere on the page

const TYPING = "input, textarea, select, [contenteditable], video, audio, [role=tab], [role=dialog]";
const BUTTONS = "button, a, summary";
const KEYS = { " ": "toggle", ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last" };

export function Desk({ onKey, onText, limit, children }) {
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState("");
  const handlers = useRef({});
  handlers.current = { onKey, onText };
  useEffect(() => {
    const take = (text, name) => {
      const over = sizeOf(text) > limit;
      setRefused(over ? tooLarge(name, limit) : "");
      if (!over) handlers.current.onText(text);
    };
    const read = async (file) => (file.size > limit ? setRefused(tooLarge(file.name, limit)) : take(await file.text(), file.name));
    const on = {
      keydown(event) {
        const { target, key } = event;
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        if (target.closest?.(TYPING) || document.querySelector("dialog[open]")) return;
        if (key === "/") {
          event.preventDefault();
          document.getElementById("gallery-search")?.focus();
        }
        if (!KEYS[key] || (key === " " && target.closest?.(BUTTONS))) return;
        event.preventDefault();
        handlers.current.onKey(KEYS[key]);
      },
      paste(event) {
        const text = event.clipboardData?.getData("text");
        if (!text || event.target.closest?.("input, textarea, [contenteditable]")) return;
        take(text, "What you pasted");
      },
      dragenter(event) {
        if (event.dataTransfer?.types.includes("Files") || event.dataTransfer?.types.includes("text/plain")) setOver(true);
      },
      dragover: (event) => event.preventDefault(),
      dragleave: (event) => event.relatedTarget === null && setOver(false),
      drop(event) {
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (!file && event.target.closest?.("input, textarea")) return;
        event.preventDefault();
        const text = event.dataTransfer.getData("text");
        if (file) read(file);
        else if (text) take(text, "What you dropped");
      },
      change(event) {
        const { target } = event;
        if (target.id !== "gallery-file" || !target.files[0]) return;
        read(target.files[0]);
        target.value = "";
      },
    };
    for (const [name, handler] of Object.entries(on)) window.addEventListener(name, handler);
    return () => Object.entries(on).forEach(([name, handler]) => window.removeEventListener(name, handler));
  }, []);
  return [
    h("div", { key: "content", className: "g-desk" }, children),
    over && h("div", { key: "over", className: "g-drop", role: "status" }, "Drop A2UI messages to see them"),
    refused && h("div", { key: "refused", className: "g-refused", role: "alert" }, refused, h("button", { type: "button", onClick: () => setRefused("") }, "Close")),
  ];
}
