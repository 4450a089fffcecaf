// The browser's half of a live surface: a store of nodes by key, fed by the server's deltas, and input that arrives.
import { useContext, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { DispatchContext, StateStoreContext } from "$/utils/context-registry";

// --- The store. A key is a node's ref or "surfaces"; whoever uses a key is rendered when it changes, and nobody else.

const cells = new Map();

export function cellOf(key) {
  key = String(key);
  const known = cells.get(key);
  if (known) return known;
  // React may subscribe long after it has rendered, and the cell be another by then: both go by the key.
  const cell = {
    value: undefined,
    listeners: new Set(),
    get: () => cells.get(key)?.value,
    subscribe: (listener) => {
      const mine = cellOf(key);
      mine.listeners.add(listener);
      return () => {
        mine.listeners.delete(listener);
        if (!mine.listeners.size && mine.value === undefined && cells.get(key) === mine) cells.delete(key);
      };
    },
  };
  cells.set(key, cell);
  return cell;
}

export function useKey(key) {
  const cell = cellOf(key);
  return useSyncExternalStore(cell.subscribe, cell.get, cell.get);
}

// A delta has a value for each key that changed, null for one that is gone; a snapshot is everything there is.
function apply({ snapshot, ack, replies, open, ...changed }) {
  if (snapshot) for (const key of cells.keys()) changed[key] ??= null;
  for (const [key, value] of Object.entries(changed)) {
    if (value?.props) {
      value.ref = key;
      value.view = value.state ? `@${value.state}` : value.type;
    }
    cellOf(key).value = value ?? undefined;
  }
  for (const key in changed) cellOf(key).listeners.forEach((notify) => notify());
  ack?.forEach((id) => settle(id));
  for (const id in replies) settle(id, replies[id]);
  if (snapshot) deliveries.forEach(({ send }) => send());
  if (open) window.open(open, "_blank", "noopener,noreferrer");
}

let handlers = {};

// Routes the deltas of `state` into the store, and input to the event handlers. What came before this was mounted is in Reflex's own store.
export function Mirror({ state, onWrite, onInvoke, onApp, children }) {
  const store = useContext(StateStoreContext);
  const dispatch = useContext(DispatchContext);
  handlers = { write: onWrite, invoke: onInvoke, app: onApp };
  if (dispatch[state] && dispatch[state] !== apply) {
    apply(store.getSnapshot(state));
    dispatch[state] = apply;
  }
  // The next page starts empty. React's development mode unmounts and mounts at once to test effects: that is no other page.
  const here = useRef({}).current;
  useEffect(() => {
    here.mounted = true;
    return () => {
      here.mounted = false;
      queueMicrotask(() => here.mounted || cells.forEach((cell) => (cell.value = undefined)));
    };
  }, []);
  return children;
}

// --- Input. What is sent stays here until the server has acknowledged it, and goes out again after every reconnect.

const deliveries = new Map();
const unsent = new Set(); // what sends an entry that waits for the one before it
const page = Math.random().toString(36).slice(2, 8);
let count = 0;

function deliver(handler, ref, property, value, done) {
  const id = `${page}${++count}`;
  const send = () => handlers[handler](Number(ref), property, value, id);
  deliveries.set(id, { send, done });
  send();
}

function settle(id, reply) {
  const delivery = deliveries.get(id);
  deliveries.delete(id);
  delivery?.done?.(reply);
}

// An action acts on what the user has entered, so that goes first.
export function invoke(node, property) {
  unsent.forEach((send) => send());
  deliver("invoke", node.ref, property, null);
}

// A request of the embedded app in a node; `done` gets the JSON-RPC reply, null when there is none.
export const ask = (ref, method, params, done) => deliver("app", ref, method, params, done);

// What the user has entered, as the protocol wants it.
function entered({ type, checked, value, valueAsNumber }) {
  if (type === "checkbox") return checked;
  if (type === "range") return valueAsNumber;
  if (type === "datetime-local" && value.length === 16) return `${value}:00`;
  return value;
}

// Binds an input both ways. The user's entry shows until the server has it; one write is on its way at a time, and what
// is entered meanwhile goes out when that one is acknowledged. An input that is bound to nothing keeps its entry for itself.
export function useBinding(node, property) {
  const [local, setLocal] = useState();
  const input = useRef(null);
  const own = useRef({ sending: 0, dirty: false, composing: false }).current;
  const bound = node.writable?.includes(property);
  own.write = () => {
    unsent.delete(own.flush);
    own.dirty = false;
    own.sending += 1;
    deliver("write", node.ref, property, own.value, () => {
      own.sending -= 1;
      send();
    });
  };
  own.flush ??= () => own.write();
  const send = () => {
    if (!bound || own.sending || own.composing) return;
    if (!own.dirty) return setLocal(undefined);
    own.write();
  };
  const set = (value) => {
    own.value = value;
    own.dirty = true;
    if (bound) unsent.add(own.flush);
    setLocal({ value });
    send();
  };
  useEffect(() => () => unsent.delete(own.flush), []);
  const value = local ? local.value : node.props[property];
  // The server changed a field that has the focus: the browser would put the caret at its end.
  const caret = !local && input.current === document.activeElement ? input.current?.selectionStart : null;
  useLayoutEffect(() => {
    if (typeof caret === "number") input.current.setSelectionRange(caret, caret);
  }, [value]);
  const onChange = (event) => set(entered(event.target));
  const onCompositionStart = () => (own.composing = true);
  const onCompositionEnd = () => {
    own.composing = false;
    send();
  };
  return { value, set, onChange, text: { ref: input, value: value ?? "", onChange, onCompositionStart, onCompositionEnd } };
}
