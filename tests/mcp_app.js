// What an MCP app without a library does: the protocol by hand. `told` has what the host said without being asked.
let last = 0;
const waiting = {};
const told = [];

function tell(method, params) {
  parent.postMessage({ jsonrpc: "2.0", method, params }, "*");
}

function ask(method, params) {
  const id = ++last;
  parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
  return new Promise((done) => (waiting[id] = done));
}

addEventListener("message", ({ data }) => {
  if (data.method) {
    told.push(data);
    show("told", told);
  } else {
    waiting[data.id]?.(data.result ?? { refused: data.error });
    delete waiting[data.id];
  }
});

function show(place, value) {
  const element = document.getElementById(place) ?? document.body.appendChild(document.createElement("pre"));
  element.id = place;
  element.textContent = JSON.stringify(value);
}

const ready = ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: {}, appCapabilities: {} }).then((host) => {
  tell("ui/notifications/initialized", {});
  show("host", host);
});
