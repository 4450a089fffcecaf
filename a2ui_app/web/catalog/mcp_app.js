// An embedded MCP app: the outer frame, and the host's side of the conversation with the app inside (MCP Apps).
// The app is foreign code. A message counts only if it comes from the frame's own window and the sandbox's origin; what
// asks for anything goes to the server, which decides (session/mcp_app.py). What concerns only this page is answered here.
import { createElement, Fragment, useEffect, useRef, useState } from "react";
import { ask, cellOf } from "$/public/external/a2ui_app/web/live_surface/runtime.js";

const VERSIONS = ["2026-01-26", "2025-11-21"]; // of the MCP Apps protocol, the newest first
const FROM_APP = 65_536; // characters of one message; the server counts bytes and depth again
const TO_APP = 1_048_576;
const AT_ONCE = 32; // requests that wait for the server
const RESERVED = { toolInput: "tool-input", toolResult: "tool-result", modelContext: null };
const PATIENCE = 10_000; // milliseconds for the sandbox to load
const REFUSED = -32000;
const INVALID_PARAMS = -32602;

export function AppFrame({ node, title, content, port, policy, allow }) {
  const origin = `${location.protocol}//${location.hostname}:${port}`;
  // Another app or other rights are another frame: nothing of the old one goes on.
  return createElement(Frame, { key: `${content} ${origin} ${policy}`, node, title, origin, policy, allow });
}

function Frame({ node, title, origin, policy, allow }) {
  const frame = useRef(null);
  const [size, setSize] = useState({ height: 150, width: 0 });
  const [state, setState] = useState("loading");
  useEffect(() => {
    const host = new Host(node, frame.current, origin, setSize, () => setState("there"));
    frame.current.src = `${origin}/?${policy}`; // now that somebody hears what the frame says
    const timer = setTimeout(() => setState((was) => (was === "there" ? was : "missing")), PATIENCE);
    return () => {
      clearTimeout(timer);
      host.close();
    };
  }, []);
  const style = { height: size.height, minWidth: size.width ? `min(${size.width}px, 100%)` : undefined };
  const missing = `The app does not load: ${origin} cannot be reached from here.`;
  return createElement(
    Fragment,
    null,
    state === "missing" && createElement("p", { className: "a2-note", role: "note" }, missing),
    createElement("iframe", { ref: frame, title, allow, style, referrerPolicy: "no-referrer" }),
  );
}

class Host {
  constructor(ref, frame, origin, resize, loaded) {
    Object.assign(this, { ref, frame, origin, resize, loaded });
    this.cell = cellOf(ref);
    this.known = Object.create(null); // by key of data.paths: what the app has, as JSON
    this.waiting = 0;
    this.changes = new Map(); // by key and subpath: what the app changed while too much was waiting
    this.leave = [this.cell.subscribe(() => this.share())];
    this.listen(window, "message", (event) => this.hear(event));
    this.listen(window, "resize", () => this.tell({ containerDimensions: this.dimensions() }));
    const theme = new MutationObserver(() => this.tell({ theme: themeOf() }));
    theme.observe(document.documentElement, { attributeFilter: ["class"] });
    this.leave.push(() => theme.disconnect());
  }

  listen(target, name, listener) {
    target.addEventListener(name, listener);
    this.leave.push(() => target.removeEventListener(name, listener));
  }

  close() {
    this.closed = true;
    this.leave.forEach((leave) => leave());
  }

  // --- To the app

  post(message) {
    if (!this.closed) this.frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, this.origin);
  }

  reply(id, reply) {
    if (id === undefined || !reply) return;
    const long = JSON.stringify(reply).length > TO_APP;
    this.post({ id, ...(long ? error(REFUSED, `The result is over ${TO_APP} characters.`) : reply) });
  }

  notify(name, params) {
    if (this.initialized && JSON.stringify(params).length <= TO_APP) this.post({ method: `ui/notifications/${name}`, params });
  }

  tell(changed) {
    this.notify("host-context-changed", changed);
  }

  // Shared data that the app does not have yet. While its own change is under way the server's value is the older one.
  share() {
    const shared = this.cell.get()?.props.data?.paths ?? {};
    for (const [key, value] of Object.entries(shared)) {
      const text = JSON.stringify(value);
      if (!this.initialized || this.changing || this.known[key] === text) continue;
      this.known[key] = text;
      const name = Object.hasOwn(RESERVED, key) ? RESERVED[key] : undefined;
      if (name === undefined) this.notify("data-model-update", { key, value });
      else if (name && value != null) this.notify(name, key === "toolInput" ? { arguments: value } : value);
    }
  }

  context() {
    const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return {
      theme: themeOf(),
      locale: navigator.language || locale,
      timeZone,
      displayMode: "inline",
      availableDisplayModes: ["inline"],
      containerDimensions: this.dimensions(),
      platform: "web",
      userAgent: "a2ui-app",
    };
  }

  dimensions() {
    return { maxWidth: this.frame.parentElement?.clientWidth ?? this.frame.clientWidth, maxHeight: 2000 };
  }

  // --- From the app

  hear({ source, origin, data }) {
    if (this.closed || source !== this.frame.contentWindow || origin !== this.origin) return;
    if (data?.jsonrpc !== "2.0" || typeof data.method !== "string") return;
    const { id, method } = data;
    if (id !== undefined && typeof id !== "string" && typeof id !== "number") return;
    const params = written(data.params);
    if (params === undefined || method.length > 200) {
      return this.reply(id, error(INVALID_PARAMS, `A message may have ${FROM_APP} characters of JSON.`));
    }
    this.handle(id, method, JSON.parse(params) ?? {}, params);
  }

  handle(id, method, params, text) {
    switch (method) {
      case "ui/notifications/sandbox-proxy-ready":
        return this.load();
      case "ui/initialize":
        return this.reply(id, { result: this.welcome(params) });
      case "ui/notifications/initialized":
        this.initialized = true;
        this.known = Object.create(null); // an app that loaded itself again knows nothing
        return this.share();
      case "ui/notifications/size-changed":
        return this.fit(params);
      case "ui/notifications/data-model-change":
        return this.change(params, text);
      case "notifications/message":
        return console.info("The app says:", params.level, params.data);
      case "ui/open-link":
        // A click in a frame counts for the pages around it.
        if (navigator.userActivation?.isActive) return this.request(id, method, text);
        return this.reply(id, error(REFUSED, "A link opens only when a person clicks."));
      default:
        return this.request(id, method, text);
    }
  }

  // The sandbox is there: the server gives the HTML for it.
  load() {
    this.loaded();
    this.initialized = false;
    ask(this.ref, "ui/notifications/sandbox-proxy-ready", "{}", (reply) => {
      if (reply?.result) this.post({ method: "ui/notifications/sandbox-resource-ready", params: reply.result });
    });
  }

  welcome({ protocolVersion }) {
    const text = { text: {} };
    return {
      protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
      hostInfo: { name: "a2ui-app", version: "1.0" },
      hostCapabilities: { openLinks: {}, serverTools: {}, logging: {}, message: text, updateModelContext: text },
      hostContext: this.context(),
    };
  }

  request(id, method, text) {
    if (this.waiting >= AT_ONCE) return this.reply(id, error(REFUSED, "Too many requests at once."));
    this.waiting++;
    ask(this.ref, method, text, (reply) => {
      this.waiting--;
      this.reply(id, reply);
      this.nextChange();
    });
  }

  // A value that changes many times a second goes out as often as the server takes it, and the last one always does.
  change(params, text) {
    this.changes.set(JSON.stringify([params.key, params.subpath ?? ""]), { params, text });
    this.nextChange();
  }

  nextChange() {
    if (this.changing || this.closed) return;
    const [next] = this.changes;
    if (!next) return this.share();
    const [place, { params, text }] = next;
    this.changes.delete(place);
    this.changing = true;
    const had = JSON.parse(this.known[params.key] ?? "null");
    this.known[params.key] = JSON.stringify(put(had, steps(params.subpath), params.value));
    ask(this.ref, "ui/notifications/data-model-change", text, () => {
      this.changing = false;
      this.nextChange();
    });
  }

  // At most ten times a second, and not for less than five pixels.
  fit({ width, height }) {
    this.wanted = { height: clamp(height, 100, 2000), width: clamp(width, 200, 3000) };
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.closed) return;
      const { height: h, width: w } = this.wanted;
      const fits = (was, is) => is === undefined || Math.abs(was - is) < 5;
      this.resize((was) => (fits(was.height, h) && fits(was.width, w) ? was : { height: h ?? was.height, width: w ?? was.width }));
    }, 100);
  }
}

const clamp = (value, least, most) =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, Math.ceil(value))) : undefined;

const error = (code, message) => ({ error: { code, message } });

const steps = (pointer) => String(pointer ?? "").split("/").filter(Boolean);

function put(target, [step, ...rest], value) {
  if (step === undefined) return value;
  const copy = Array.isArray(target) ? [...target] : { ...target };
  copy[step] = put(copy[step], rest, value);
  return copy;
}

const themeOf = () => (document.documentElement.classList.contains("dark") ? "dark" : "light");

// `params` as JSON, or undefined when it is too long or no JSON.
function written(params = {}) {
  try {
    const text = JSON.stringify(params);
    return text.length <= FROM_APP ? text : undefined;
  } catch {
    return undefined;
  }
}
