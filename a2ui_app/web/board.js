// What stands around a conversation: the dock of open dialogs, statuses, widgets, the working message, notices.
import { createElement as h, useEffect, useRef, useState } from "react";
import { useKey } from "$/public/external/a2ui_app/web/live_surface/runtime.js";

const CONTROLS = "input, textarea, .d-option, .d-button";

export function Dock({ count, children }) {
  const box = useRef(null);
  useEffect(() => {
    const onKeyDown = (event) => {
      const step = event.altKey && { KeyJ: 1, KeyK: -1 }[event.code];
      const dialogs = [...(box.current?.querySelectorAll(".d-dialog") ?? [])];
      if (!step || !dialogs.length) return;
      event.preventDefault();
      const at = dialogs.findIndex((dialog) => dialog.contains(document.activeElement));
      const next = at < 0 ? (step > 0 ? 0 : dialogs.length - 1) : (at + step + dialogs.length) % dialogs.length;
      dialogs[next].querySelector(CONTROLS)?.focus();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  // The focus goes on to the next question, and at last back to the prompt.
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) {
      (box.current.querySelector(CONTROLS) ?? document.querySelector(".c-box textarea"))?.focus();
    }
    before.current = count;
  }, [count]);
  return h("section", { ref: box, className: "d-dock", "aria-label": "Questions", "aria-live": "polite", hidden: !count },
    count > 1 && h("p", { className: "d-count" }, `${count} questions wait `, h("kbd", null, "Alt+J")), children);
}

export function Statuses() {
  const statuses = useKey("board")?.statuses ?? [];
  if (!statuses.length) return null;
  return h("div", { className: "b-statuses", role: "status", "aria-label": "Status" },
    statuses.map(({ key, text }) => h("span", { key, className: "b-status" }, h("b", null, key), text)));
}

export function Widgets({ below = false }) {
  const widgets = (useKey("board")?.widgets ?? []).filter((widget) => widget.below === below);
  return widgets.map(({ key, lines }) => h("pre", { key, className: "b-widget", "aria-label": key, tabIndex: 0 }, lines.join("\n")));
}

export function WorkingMessage() {
  const working = useKey("board")?.working;
  return working ? h("p", { className: "b-working", role: "status" }, h("i", { "aria-hidden": true }), working) : null;
}

const SHOWN_FOR = 6000; // milliseconds

export function Toasts() {
  const notices = useKey("board")?.notices;
  const seen = useRef(null); // the newest notice that was there when the page opened, or that was shown
  const [shown, setShown] = useState([]);
  const hide = (number) => setShown((all) => all.filter((one) => one.number !== number));
  useEffect(() => {
    if (!notices) return;
    const newest = notices.at(-1)?.number ?? 0;
    const fresh = notices.filter(({ number }) => seen.current !== null && number > seen.current);
    seen.current = newest;
    if (!fresh.length) return;
    setShown((all) => [...all, ...fresh].slice(-4));
    for (const { number, level } of fresh) if (level !== "error") setTimeout(hide, SHOWN_FOR, number);
  }, [notices]);
  return h("div", { className: "b-toasts", role: "log", "aria-label": "New notices", "aria-live": "polite" },
    shown.map(({ number, message, level }) => h("div", { key: number, className: "b-toast", "data-level": level },
      h("span", null, message), h("button", { type: "button", "aria-label": "Close", onClick: () => hide(number) }, "×"))));
}

export function Notices() {
  const notices = useKey("board")?.notices ?? [];
  if (!notices.length) return null;
  const time = (at) => new Date(at * 1000).toLocaleTimeString([], { timeStyle: "short" });
  return h("details", { className: "b-notices" },
    h("summary", { "aria-label": `${notices.length} notices` }, `✉ ${notices.length}`),
    h("ol", null, [...notices].reverse().map(({ number, message, level, at }) =>
      h("li", { key: number, "data-level": level }, h("time", null, time(at)), message))));
}
