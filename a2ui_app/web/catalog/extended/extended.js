// What the extended catalog's views need in the browser beyond elements: markup the server prepared, sorting, copying.
import { createElement, useEffect, useState } from "react";
import { useBinding } from "$/public/external/a2ui_app/web/live_surface/runtime.js";
import "./extended.css";

const TAGS = new Set(
  "p h1 h2 h3 h4 h5 h6 strong em s code pre blockquote ul ol li hr br table thead tbody tr th td div span a details summary svg path text".split(" "),
);
// By attribute: what React calls it, and what it may be. Nothing here can run a script or load anything.
const ATTRIBUTES = {
  class: ["className", /^[a-z0-9 -]*$/],
  href: ["href", /^https?:\/\//i],
  start: ["start", /^\d+$/],
  align: ["data-align", /^(start|center|end)$/],
  tone: ["data-tone", /^[a-z0-9]+$/],
  title: ["title", /^/],
  open: ["open", /^true$/],
  d: ["d", /^[MLAZ0-9 ,.-]*$/],
  viewBox: ["viewBox", /^[0-9 ]*$/],
  x: ["x", /^[0-9.-]*$/],
  y: ["y", /^[0-9.-]*$/],
  anchor: ["textAnchor", /^(start|middle|end)$/],
};

// An element of [tag, attributes, ...content], or the text.
export function draw(item, key) {
  if (item === undefined || item === null) return null;
  if (!Array.isArray(item)) return String(item);
  if (Array.isArray(item[0]) || !TAGS.has(item[0])) return item.map(draw);
  const [tag, given, ...content] = item;
  const attributes = { key };
  for (const [name, value] of Object.entries(given)) {
    const [property, allowed] = ATTRIBUTES[name] ?? [];
    if (allowed?.test(value)) attributes[property] = value;
  }
  if (tag === "a") Object.assign(attributes, { target: "_blank", rel: "noopener noreferrer" });
  return createElement(tag, attributes, ...content.map((part, place) => draw(part, place)));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

// Cells are { text, key? }: `key` is what to sort by where that is not the text. What is empty stands last, either way.
function compare(a, b) {
  const [left, right] = [a.key ?? a.text, b.key ?? b.text];
  if (typeof left === "number" && typeof right === "number") return left - right;
  return collator.compare(String(left), String(right));
}

// Rows in the order a person chose by column heads: as they came, up, down. Outlives updates of the rows.
export function useSort(rows) {
  const [{ column, down }, setSort] = useState({ column: null, down: false });
  const isEmpty = (row) => row.cells[column]?.text === "" || row.cells[column] === undefined;
  const sorted = (rows ?? []).slice();
  if (column !== null) {
    sorted.sort((a, b) => {
      if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b);
      return (down ? -1 : 1) * compare(a.cells[column], b.cells[column]);
    });
  }
  return {
    rows: sorted,
    state: (place) => (place !== column ? "none" : down ? "descending" : "ascending"),
    by: (place) => () =>
      setSort(place !== column ? { column: place, down: false } : down ? { column: null, down: false } : { column, down: true }),
  };
}

// Copies a text and says so for two seconds. Without a clipboard (an address without https) nothing is claimed.
export function useCopy(text) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard?.writeText(text ?? "").then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return { copied, copy };
}

const size = (bytes) => (bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

const read = (file) =>
  new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done({ name: file.name, type: file.type, size: file.size, content: reader.result.split(",", 2)[1] ?? "" });
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });

// Files go into the data as a whole list; one that is too large is named, and nothing of the choice is lost on the way.
export function FileInput({ node, fieldId }) {
  const bound = useBinding(node, "value");
  const [problem, setProblem] = useState("");
  const { files = [], accept, multiple, maxBytes, maxTotal } = node.props;
  const onChange = async ({ target }) => {
    const chosen = [...target.files];
    target.value = "";
    const large = chosen.find((file) => file.size > maxBytes);
    if (large) return setProblem(`${large.name} is larger than ${size(maxBytes)}. Choose a smaller file.`);
    const total = chosen.reduce((sum, file) => sum + file.size, 0);
    if (total > maxTotal) return setProblem(`These files have ${size(total)} together; ${size(maxTotal)} fit. Choose fewer.`);
    try {
      bound.set(await Promise.all(chosen.map(read)));
      setProblem("");
    } catch (error) {
      setProblem(`The file could not be read: ${error.message}`);
    }
  };
  return createElement("div", { className: "a2x-upload" },
    createElement("input", { id: fieldId, type: "file", accept, multiple: Boolean(multiple), onChange, className: "a2-input" }),
    files.length > 0 && createElement("ul", null, files.map((file, place) =>
      createElement("li", { key: place }, `${file.name} (${size(file.size)})`))),
    files.length > 0 && createElement("button", { type: "button", onClick: () => bound.set([]) },
      files.length > 1 ? "Remove all" : `Remove ${files[0].name}`),
    problem && createElement("p", { className: "a2-problem", role: "alert" }, problem));
}
