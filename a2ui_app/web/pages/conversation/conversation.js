// What the conversation page does in the browser: following the newest entry, the prompt box, and how the run stands.
import { createElement as h, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useKey } from "$/public/external/a2ui_app/web/live_surface/runtime.js";

export const clock = (at) => new Date(at * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

// --- The timeline. It stays at its end while its reader is there, and asks for more when its reader comes near the start.

const NEAR = 120; // pixels from the end that count as being there
const SENT = "a2ui-sent"; // the reader wrote something: show what becomes of it
const BY_HAND = 1000; // milliseconds after a wheel, touch, key or drag within which scrolling is the reader's
const AHEAD = 600; // pixels from the start at which earlier entries are asked for

export function Scroller({ onEarlier, children }) {
  const box = useRef(null);
  const own = useRef({ follows: true, touched: 0, top: 0, height: 0, asked: -1 }).current;
  const [away, setAway] = useState(false);
  const first = useKey("first")?.at ?? 0;
  const toEnd = () => (box.current.scrollTop = box.current.scrollHeight);
  useEffect(() => {
    const observer = new ResizeObserver(() => own.follows && box.current && toEnd());
    observer.observe(box.current);
    observer.observe(box.current.firstChild);
    const onSent = () => ((own.follows = true), toEnd());
    const onOpen = (event) => event.target.closest("summary") && (own.follows = false); // what is opened stays where it is
    box.current.addEventListener("click", onOpen);
    window.addEventListener(SENT, onSent);
    return () => {
      observer.disconnect();
      window.removeEventListener(SENT, onSent);
    };
  }, []);
  // What was put in above must not move what is being read.
  useLayoutEffect(() => {
    if (own.asked >= 0 && first < own.asked) {
      box.current.scrollTop += box.current.scrollHeight - own.height;
      own.asked = -1;
    }
  }, [first]);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    const end = scrollHeight - scrollTop - clientHeight;
    // Only a reader who scrolls up leaves the end: it also moves by itself, when entries come and dialogs open and close.
    if (end < NEAR) own.follows = true;
    else if (scrollTop < own.top && Date.now() - own.touched < BY_HAND) own.follows = false;
    own.top = scrollTop;
    setAway(!own.follows);
    if (scrollTop < AHEAD && first > 0 && own.asked < 0) {
      own.asked = first;
      own.height = scrollHeight;
      onEarlier(first);
    }
  };
  const touch = () => (own.touched = Date.now());
  const byHand = { onWheel: touch, onTouchMove: touch, onKeyDown: touch, onPointerDown: touch, onPointerMove: (event) => event.buttons && touch() };
  return h("div", { className: "c-scroll" },
    h("div", { className: "c-view", ref: box, onScroll, ...byHand, tabIndex: 0, role: "log", "aria-label": "Conversation" },
      h("div", { className: "c-paper" }, children)),
    away && h("button", { type: "button", className: "c-newest", onClick: () => ((own.follows = true), toEnd()) }, "↓ Newest"));
}

export function useChunks() {
  const last = useKey("timeline")?.last ?? -1;
  const first = useKey("first")?.at ?? 0;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `c${first + index}`);
}

// --- How the run stands: what it does, and for how long it has been silent.

const WORDS = { idle: "Ready", working: "Working", waiting: "Waiting for you", retrying: "Trying again", stopping: "Stopping" };
const SILENT = 30; // seconds without a sign after which people are told

function useSeconds(running) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
}

export function RunState() {
  const run = useKey("run");
  useSeconds(run?.state === "working");
  if (!run) return null;
  const silent = Math.floor(Date.now() / 1000 - run.sign);
  const stuck = run.state === "working" && silent >= SILENT;
  const words = stuck ? `No sign of life for ${silent} s` : (WORDS[run.state] ?? run.state);
  return h("span", { className: "c-run", "data-state": stuck ? "stuck" : run.state, role: "status" },
    h("i", { "aria-hidden": true }), words, run.doing && !stuck && run.state !== "idle" ? h("span", { className: "c-doing" }, run.doing) : null);
}

// A mark in the browser's title for those who look at another tab.
export function useTitle() {
  const run = useKey("run");
  const board = useKey("board");
  useEffect(() => {
    if (!run) return;
    const mark = { waiting: "● ", working: "… ", retrying: "… " }[run.state] ?? "";
    document.title = `${mark}${board?.title || run.title || "New conversation"} · A2UI App`;
  }, [run?.state, run?.title, board?.title]);
}

// --- The prompt box. What is typed is kept for this conversation until it is sent.

const HISTORY = "a2ui-prompts";
const read = (key, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise; // no storage here, or something else in it
  }
};
const keep = (key, value) => {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {} // no storage here: the draft lives as long as the page
};

async function upload(address, file) {
  const answer = await fetch(`${address}?name=${encodeURIComponent(file.name || "pasted")}`, { method: "POST", body: file });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error?.message ?? "The file could not be taken.");
  return told.path;
}

export function PromptBox({ conversation, uploads, onSend, onStop }) {
  const key = `a2ui-draft-${conversation}`;
  const run = useKey("run");
  const board = useKey("board");
  const [text, setText] = useState(() => read(key, ""));
  const [files, setFiles] = useState([]);
  const [problem, setProblem] = useState("");
  const [over, setOver] = useState(false);
  const area = useRef(null);
  const own = useRef({ at: 0 }).current;
  useTitle();
  const working = run && run.state !== "idle";
  const write = (value) => {
    setText(value);
    keep(key, value);
  };
  // The agent put a text into the box, or a person opened another conversation.
  const put = board?.editor?.version ?? 0;
  useEffect(() => {
    if (put && put !== read(`${key}-put`, 0)) write(board.editor.text);
    keep(`${key}-put`, put);
  }, [put]);
  useEffect(() => {
    setText(read(key, ""));
    setFiles([]);
    area.current?.focus();
  }, [key]);
  const send = () => {
    if (!text.trim() && !files.length) return;
    onSend(text, files.map((file) => file.path));
    window.dispatchEvent(new Event(SENT));
    keep(HISTORY, [text, ...read(HISTORY, []).filter((one) => one !== text)].slice(0, 100));
    own.at = 0;
    write("");
    setFiles([]);
  };
  const take = async (list) => {
    setProblem("");
    for (const file of list) {
      try {
        const path = await upload(`${uploads}/${conversation}`, file);
        setFiles((all) => [...all, { name: file.name || "pasted", path }]);
      } catch (error) {
        setProblem(error.message);
      }
    }
  };
  const recall = (step) => {
    const past = read(HISTORY, []);
    own.at = Math.max(0, Math.min(past.length, own.at + step));
    write(own.at ? past[own.at - 1] : "");
    own.recalled = true;
  };
  useLayoutEffect(() => {
    if (own.recalled) area.current.setSelectionRange(text.length, text.length);
    own.recalled = false;
  }, [text]);
  const commands = text.startsWith("/") && !/\s/.test(text)
    ? (run?.commands ?? []).filter(({ name }) => `/${name}`.startsWith(text) && `/${name}` !== text).slice(0, 8) : [];
  const onKeyDown = (event) => {
    if (event.nativeEvent.isComposing) return;
    const coarse = matchMedia("(pointer: coarse)").matches;
    if (event.key === "Enter" && !event.shiftKey && (!coarse || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "Tab" && commands.length) {
      event.preventDefault();
      write(`/${commands[0].name} `);
    } else if (event.key === "Escape" && !text && working) onStop();
    else if ((event.key === "ArrowUp" && (!text || own.at)) || (event.key === "ArrowDown" && own.at)) {
      event.preventDefault();
      recall(event.key === "ArrowUp" ? 1 : -1);
    }
  };
  const onPaste = (event) => {
    const pasted = [...event.clipboardData.files];
    if (!pasted.length) return;
    event.preventDefault();
    take(pasted);
  };
  return h("form", {
      className: "c-box", "data-over": over || undefined,
      onSubmit: (event) => (event.preventDefault(), send()),
      onDragOver: (event) => (event.preventDefault(), setOver(true)),
      onDragLeave: () => setOver(false),
      onDrop: (event) => (event.preventDefault(), setOver(false), take([...event.dataTransfer.files])),
    },
    commands.length > 0 && h("ul", { className: "c-commands", "aria-label": "Commands" }, commands.map(({ name, description }) =>
      h("li", { key: name }, h("button", { type: "button", onClick: () => (write(`/${name} `), area.current.focus()) },
        h("strong", null, `/${name}`), h("span", null, description))))),
    problem && h("p", { className: "c-problem", role: "alert" }, problem),
    files.length > 0 && h("div", { className: "c-files" }, files.map(({ name, path }) =>
      h("span", { key: path, className: "c-file" }, name,
        h("button", { type: "button", "aria-label": `Remove ${name}`, onClick: () => setFiles((all) => all.filter((one) => one.path !== path)) }, "×")))),
    h("textarea", {
      ref: area, value: text, rows: 1, onKeyDown, onPaste, onChange: ({ target }) => ((own.at = 0), write(target.value)),
      "aria-label": "Your prompt", placeholder: working ? "Type the next prompt; it waits its turn" : "Ask the agent anything",
    }),
    h("div", { className: "c-tools" },
      h("label", { className: "c-attach", title: "Attach files" }, "+", h("input", { type: "file", multiple: true, "aria-label": "Attach files",
        onChange: ({ target }) => (take([...target.files]), (target.value = "")) })),
      working && h("button", { type: "button", className: "c-stop", onClick: onStop, disabled: run.state === "stopping" }, "Stop"),
      h("button", { type: "submit", className: "c-send", disabled: !text.trim() && !files.length }, working ? "Queue" : "Send")));
}

// --- What waits: prompts that go out when the run is over.

export function Queue({ onEdit, onResume }) {
  const run = useKey("run");
  const [editing, setEditing] = useState(-1);
  const queue = run?.queue ?? [];
  if (!queue.length) return null;
  return h("section", { className: "c-queue", "aria-label": "Prompts that wait" },
    h("header", null, `${queue.length} waiting`, run.state === "idle" && h("button", { type: "button", onClick: () => onResume() }, "Send now")),
    h("ol", null, queue.map((text, index) => h("li", { key: `${index}:${text}` },
      editing === index
        ? h("input", { defaultValue: text, autoFocus: true, "aria-label": "Edit the prompt",
            onBlur: ({ target }) => (setEditing(-1), target.value !== text && onEdit(index, target.value)),
            onKeyDown: (event) => (event.key === "Enter" && event.target.blur()) || (event.key === "Escape" && setEditing(-1)) })
        : h("button", { type: "button", className: "c-queued", onClick: () => setEditing(index), title: "Edit" }, text),
      h("button", { type: "button", "aria-label": "Take out", onClick: () => onEdit(index, "") }, "×")))));
}
