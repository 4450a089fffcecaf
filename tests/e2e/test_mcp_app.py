"""Embedded MCP apps in a browser: what an app may do, and what it cannot."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from a2ui_app.access import Keys
from a2ui_app.catalogs.mcp import MCP_1_0
from a2ui_app.live.channel import Channel
from a2ui_app.live.conversation import Setup
from a2ui_app.transports.mcp_client import McpServers
from a2ui_app.transports.sandbox import SANDBOX
from a2ui_app.web.home import CONVERSATIONS

from .canary import Canary
from .surface_board import BASIC_1_0, Board, at, column, eventually, text

TESTS = Path(__file__).parents[1]
PROTOCOL = (TESTS / "mcp_app.js").read_text()


def html(script: str = "", body: str = "") -> str:
    """An app: the protocol, then ``script``, which may await `ready` and `show` what it finds."""
    return f"<!doctype html><body>{body}<script>{PROTOCOL}\n(async () => {{ {script} }})()</script></body>"


def app(content: Any, **properties: Any) -> dict[str, Any]:
    """An McpApp."""
    return {"id": "app", "component": "McpApp", "catalogId": MCP_1_0, "htmlContent": content, **properties}


def inside(page: Page) -> FrameLocator:
    """The (first) app's own frame."""
    return page.frame_locator(".a2-app iframe").first.frame_locator("iframe")


def shown(page: Page, place: str = "out") -> Any:
    """What the app shows, once it does."""
    return json.loads(inside(page).locator(f"#{place}").text_content() or "")


def told(page: Page) -> list[tuple[str, Any]]:
    """What the host told the app without being asked."""
    return [(message["method"].removeprefix("ui/notifications/"), message["params"]) for message in shown(page, "told")]


@pytest.fixture
def board(server) -> Board:
    return Board(server)


@pytest.fixture
def run(board: Board, page: Page) -> Callable[..., Any]:
    """Runs a script in an app with the properties given; what it shows."""

    def in_app(script: str, model: dict[str, Any] | None = None, **properties: Any) -> Any:
        content = html(f"await ready; show('out', await (async () => {{ {script} }})() ?? null)")
        board.draw(column("app"), app(content, **properties), data=model)
        page.goto(board.url)
        return shown(page)

    return in_app


@pytest.fixture
def quiet_page(browser: Browser) -> Iterator[Page]:
    """A page whose console may say what was refused."""
    context = browser.new_context()
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def canary() -> Iterator[Canary]:
    canary = Canary()
    yield canary
    canary.close()


@contextmanager
def tools_of(program: Path, server: Any) -> Iterator[None]:
    """Channels made meanwhile use the tools of a real MCP server."""
    config = {"mcpServers": {"test": {"command": sys.executable, "args": [str(program)]}}}
    servers = McpServers.from_config(config)
    Channel.process_tools = servers
    try:
        yield
    finally:
        Channel.process_tools = None
        asyncio.run_coroutine_threadsafe(servers.close(), server.loop).result(20)


@pytest.fixture
def tools(server) -> Iterator[None]:
    """The tools of ``tests/mcp_server.py``."""
    with tools_of(TESTS / "mcp_server.py", server):
        yield


# --- What an app may do


def test_an_app_is_greeted_with_theme_and_locale(board, new_page):
    page = new_page(locale="de-DE", color_scheme="dark", timezone_id="Europe/Berlin")
    board.draw(column("app"), app(html(body="<h1>Clock</h1>"), title="A clock"))
    page.goto(board.url)
    expect(page.get_by_title("A clock")).to_be_visible()
    expect(inside(page).get_by_role("heading")).to_have_text("Clock")
    host = shown(page, "host")
    assert host["protocolVersion"] == "2026-01-26" and host["hostInfo"]["name"] == "a2ui-app"
    context = host["hostContext"]
    assert (context["theme"], context["locale"], context["timeZone"]) == ("dark", "de-DE", "Europe/Berlin")
    page.get_by_role("button", name="Light or dark").click()
    eventually(lambda: told(page), [("host-context-changed", {"theme": "light"})])


def test_an_app_is_told_by_css_whether_the_page_is_dark(board, new_page):
    page = new_page(color_scheme="null")
    board.draw(column("app"), app("<!doctype html><meta name='color-scheme' content='light dark'><h1>Clock</h1>"))
    page.goto(board.url)
    dark = "() => matchMedia('(prefers-color-scheme: dark)').matches"
    heading = inside(page).get_by_role("heading")
    assert heading.evaluate(dark) is False
    page.get_by_role("button", name="Light or dark").click()
    eventually(lambda: heading.evaluate(dark), True)


def test_an_app_of_a_real_server_calls_a_tool_and_a_function_changes_data_and_speaks(tools, board, page):
    call = {"@call": "callMcpTool", "catalogId": MCP_1_0, "args": {"name": "clock", "targetDataPath": "/app"}}
    board.draw(
        column("start", "app", "zone"),
        {"id": "start", "component": "Button", "child": "label", "action": {"functionCall": call}},
        text("label", "Show the clock"),
        app(
            at("/app/htmlContent"),
            allowedTools=["clock"],
            allowedFunctions={"split": {"type": "object"}},
            data={"paths": {"state": "/state", "toolInput": "/app/toolInput", "toolResult": "/app/toolResult"}},
        ),
        text("zone", "/state/zone"),
        data={"state": {"zone": "UTC"}},
    )
    page.goto(board.url)
    page.get_by_role("button", name="Show the clock").click()
    expect(inside(page).get_by_role("heading")).to_have_text("Clock")
    eventually(lambda: [name for name, _ in told(page)], ["data-model-update", "tool-input", "tool-result"])
    assert told(page)[0] == ("data-model-update", {"key": "state", "value": {"zone": "UTC"}})
    assert told(page)[2][1]["structuredContent"] == {"zone": "UTC", "time": "12:00"}

    def press(name: str) -> None:
        inside(page).get_by_role("button", name=name).click()

    press("Refresh")
    expect(inside(page).locator("#tool")).to_contain_text('"zone":"CET"')
    assert shown(page, "tool")["structuredContent"] == {"zone": "CET", "time": "12:00"}
    press("Split")
    expect(inside(page).locator("#function")).to_have_text('{"status":"success","result":["a","b"]}')
    press("Choose")
    expect(page.get_by_text("CET", exact=True)).to_be_visible()
    board.holds("/state/zone", "CET")
    board.set("/state/zone", "PST")
    eventually(lambda: told(page)[3:], [("data-model-update", {"key": "state", "value": {"zone": "PST"}})])
    press("Say")
    said = {"role": "user", "content": {"type": "text", "text": "It is late"}}
    eventually(lambda: board.actions, [("clock", {"zone": "CET"}), ("ui/message", said)])


def test_the_example_of_the_documentation_works(board, page, server, tmp_path):
    words = (TESTS.parent / "docs" / "mcp-apps.md").read_text()
    program = next(block for block in re.findall(r"```python\n(.*?)```", words, re.DOTALL) if "# clock.py" in block)
    message = next(block for block in re.findall(r"```json\n(.*?)```", words, re.DOTALL) if "createSurface" in block)
    (tmp_path / "clock.py").write_text(program)
    with tools_of(tmp_path / "clock.py", server):
        assert board.post(json.loads(message))["ok"]
        page.goto(board.url)
        page.get_by_role("button", name="Show the clock").click()
        expect(inside(page).locator("#time")).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
        inside(page).locator("#time").evaluate("(time) => { time.textContent = 'late' }")
        inside(page).get_by_role("button", name="Refresh").click()
        expect(inside(page).locator("#time")).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
        assert board.actions == [("clock", {"zone": "UTC"})]


def test_a_link_opens_when_a_person_clicks_and_only_then(board, page):
    ask_link = "ask('ui/open-link', {url: 'http://127.0.0.1:9/x'})"
    # The test looks at the server, since looking at the page counts as a click.
    script = f"await ready; tell('ui/notifications/data-model-change', {{key: 'k', value: (await {ask_link}).refused}})"
    button = f"<button onclick=\"{ask_link}.then((reply) => show('link', reply))\">Open</button>"
    board.draw(column("app"), app(html(script, button), data={"paths": {"k": "/k"}}), data={"k": {}})
    page.goto(board.url)
    board.holds("/k/message", "A link opens only when a person clicks.")
    with page.context.expect_page() as opened:
        inside(page).get_by_role("button", name="Open").click()
    assert opened.value.evaluate("opener") is None
    assert shown(page, "link") == {}


def test_an_app_has_the_size_it_asks_for_within_bounds(run, page):
    run("tell('ui/notifications/size-changed', {height: 400, width: 300})")
    frame = page.locator(".a2-app iframe")
    expect(frame).to_have_css("height", "400px")
    in_app = page.frames[-1]
    for asked, got in ((99_999, "2000px"), (-5, "100px"), ("7", "100px")):
        in_app.evaluate("(height) => tell('ui/notifications/size-changed', { height })", asked)
        expect(frame).to_have_css("height", got)


def test_quick_changes_arrive_and_the_last_one_stays(run, board, page):
    script = "for (let n = 1; n <= 50; n++) tell('ui/notifications/data-model-change', {key: 'n', value: n})"
    run(script, {"n": 0}, data={"paths": {"n": "/n"}})
    board.holds("/n", 50)
    assert [value for name, value in told(page)] == [{"key": "n", "value": 0}]  # and no echo of its own


# --- What an app cannot do

REACHES = {
    "the page": "parent.parent.document.title",
    "the page by top": "top.document.cookie",
    "the sandbox": "parent.document.body",
    "the page's address": "top.location.href",
    "another address for the page": "top.location = 'about:blank'",
    "another address for the sandbox": "parent.location = 'about:blank'",
    "its own frame": "frameElement.ownerDocument.title",
    "cookies": "document.cookie",
    "a cookie of its own": "document.cookie = 'a=1'",
    "local storage": "localStorage.length",
    "session storage": "sessionStorage.length",
    "databases": "indexedDB.open('x')",
    "caches": "caches.keys()",
    "a service worker": "navigator.serviceWorker.register('/x.js')",
    "another window": "if (!open('about:blank')) throw new Error('no window')",
    "the camera": "navigator.mediaDevices.getUserMedia({video: true})",
    "the place": "new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail))",
    "the clipboard": "navigator.clipboard.readText()",
}


def test_an_app_reaches_neither_the_page_nor_storage_nor_devices(board, quiet_page, server):
    quiet_page.context.add_cookies([{"name": "secret", "value": "cookie", "url": server.url}])
    tries = ", ".join(f"{json.dumps(name)}: async () => {{ {_body(code)} }}" for name, code in REACHES.items())
    script = f"""
      const tries = {{ {tries} }}, found = {{}};
      for (const name in tries) found[name] = await tries[name]().then(() => 'reached', () => 'no');
      show('out', found);
    """
    board.draw(column("app"), app(html(script)))
    quiet_page.goto(board.url)
    assert shown(quiet_page) == dict.fromkeys(REACHES, "no")
    assert quiet_page.evaluate("document.cookie") == "secret=cookie"  # it is there, for the page


def _body(code: str) -> str:
    return code if code.startswith("if") else f"return {code}"


NETWORK = {
    "fetch": "await fetch(U)",
    "no-cors": "await fetch(U, {mode: 'no-cors'})",
    "request": "{ const r = new XMLHttpRequest(); r.open('GET', U); r.send() }",
    "socket": "new WebSocket(U.replace('http', 'ws'))",
    "events": "new EventSource(U)",
    "beacon": "navigator.sendBeacon(U, 'x')",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('${U}')`])))",
    "worker-script": "new Worker(URL.createObjectURL(new Blob([`importScripts('${U}')`])))",
    "module": "await import(U)",
    "window": "open(U)",
    "peer": (
        "{ const urls = U.replace('http://', 'turn:').replace(/\\/peer$/, '?transport=tcp');"
        "  const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'u', credential: 'c' }] });"
        "  peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) }"
    ),
    "parent": "parent.location = U",
    "top": "top.location = U",
} | {
    name: f"document.body.append(Object.assign(document.createElement('{tag}'), {{ {attributes} }}))"
    for name, tag, attributes in (
        ("image", "img", "src: U"),
        ("script", "script", "src: U"),
        ("style", "link", "rel: 'stylesheet', href: U"),
        ("import", "style", "textContent: `@import '${U}'`"),
        ("background", "style", "textContent: `body { background: url(${U}) }`"),
        ("font", "style", "textContent: `@font-face { font-family: x; src: url(${U}) } body { font-family: x }`"),
        ("video", "video", "src: U"),
        ("poster", "video", "poster: U"),
        ("frame", "iframe", "src: U"),
        ("nested", "iframe", "srcdoc: `<img src=${U}>`"),
        ("object", "object", "data: U"),
        ("embed", "embed", "src: U"),
        ("preconnect", "link", "rel: 'preconnect', href: U"),
        ("prefetch", "link", "rel: 'prefetch', href: U"),
        ("preload", "link", "rel: 'preload', as: 'image', href: U"),
    )
}
"""Ways to a server at U that leave the app where it is."""

LEAVING = {
    "form": "const f = document.createElement('form'); f.action = U; document.body.append(f); f.submit()",
    "address": "location.href = U",
    "refresh": (
        "document.head.append(Object.assign(document.createElement('meta'),"
        " { httpEquiv: 'refresh', content: `0;url=${U}` }))"
    ),
}


def attempts(ways: dict[str, str], url: str) -> str:
    """A script that tries every way, each at an address of its own; what it shows when they had time to arrive."""
    tries = "".join(f"try {{ const U = '{url}/{name}'; {code} }} catch {{}}\n" for name, code in ways.items())
    return f"{tries} await new Promise((done) => setTimeout(done, 1000)); show('out', 'tried')"


def test_an_app_reaches_no_server(board, quiet_page, canary):
    board.draw(column("app"), app(html(attempts(NETWORK, canary.url))))
    quiet_page.goto(board.url)
    assert shown(quiet_page) == "tried"
    assert canary.reached == []


def test_these_ways_lead_to_a_server_where_nothing_forbids_them(quiet_page, canary):
    """What makes the test above a test."""
    ways = {name: code for name, code in NETWORK.items() if name not in ("parent", "top", "window")}
    quiet_page.set_content(html(attempts(ways, canary.url)))
    expect(quiet_page.locator("#out")).to_have_text('"tried"')
    arrived = {line.split()[1].strip("/") for line in canary.reached if line.startswith(("GET", "POST"))}
    assert set(ways) - arrived == {"preconnect", "peer"}  # these two connect, and ask for no address
    assert len(canary.reached) >= len(arrived) + 2


@pytest.mark.parametrize("way", LEAVING)
def test_an_app_cannot_leave_for_a_server(board, quiet_page, canary, way):
    script = f"const U = '{canary.url}/{way}'; await ready; tell('ui/message', {{}}); {LEAVING[way]}"
    board.draw(column("app"), app(html(script)))
    with quiet_page.expect_event("console", lambda message: "Content Security Policy" in message.text):
        quiet_page.goto(board.url)
    assert canary.reached == []


def test_an_app_reaches_the_servers_its_component_names(board, quiet_page, canary, server):
    own = [server.url, f"http://localhost:{server.port}", f"http://127.0.0.1:{SANDBOX.port}"]
    script = f"""
      await ready;
      const found = {{ fetch: (await fetch('{canary.url}/fetch')).status }};
      for (const url of {own}) found[url] = await fetch(url, {{ mode: 'no-cors' }}).then(() => 'reached', () => 'no');
      const image = Object.assign(new Image(), {{ src: '{canary.url}/image' }});
      await image.decode();
      show('out', found);
    """
    csp = {"connectDomains": [canary.url, *own, "* 'self'; script-src *"], "resourceDomains": [canary.url]}
    board.draw(column("app"), app(html(script), csp=csp))
    quiet_page.goto(board.url)
    assert shown(quiet_page) == {"fetch": 200} | dict.fromkeys(own, "no")
    assert {line.split()[1] for line in canary.reached} == {"/fetch", "/image"}


def test_a_forged_message_is_ignored(board, quiet_page, server):
    board.draw(column("app"), app(html("await ready; show('out', 1)"), data={"paths": {"k": "/k"}}), data={"k": 1})
    page = quiet_page
    page.goto(board.url)
    assert shown(page) == 1
    forged = {"jsonrpc": "2.0", "id": 1, "method": "ui/message", "params": {"role": "user", "content": "forged"}}
    taken = {
        "jsonrpc": "2.0",
        "method": "ui/notifications/sandbox-resource-ready",
        "params": {"html": "<h1>taken</h1>"},
    }
    result = {"jsonrpc": "2.0", "method": "ui/notifications/tool-result", "params": {"content": ["forged"]}}
    # From a frame of another origin on the page: to the page, and to the sandbox in the app's and in the page's name.
    script = f"""
      parent.postMessage({json.dumps(forged)}, '*');
      for (const message of [{json.dumps(forged)}, {json.dumps(taken)}, {json.dumps(result)}])
        for (let n = 0; n < parent.length; n++) parent[n].postMessage(message, '*');
      parent.document; // throws: it is another origin
    """
    page.evaluate(
        "(html) => new Promise((done) => {"
        " const frame = Object.assign(document.createElement('iframe'), { srcdoc: html, sandbox: 'allow-scripts' });"
        " frame.onload = done; document.body.append(frame) })",
        f"<script>{script}</script>",
    )
    # From the page's own window, and from the app past the sandbox to the page.
    page.evaluate("(message) => window.postMessage(message, '*')", forged)
    app_frame = next(frame for frame in page.frames if frame.parent_frame and frame.parent_frame.parent_frame)
    app_frame.evaluate("(message) => top.postMessage(message, '*')", forged)
    # From the app in the sandbox's name.
    app_frame.evaluate("(message) => parent.postMessage(message, '*')", taken)
    app_frame.evaluate("tell('ui/notifications/sandbox-proxy-ready', {})")
    app_frame.evaluate("ask('ui/message', {role: 'user', content: 'real'}).then((r) => show('real', r))")
    assert shown(page, "real") == {}  # what was sent before it has been heard by now
    assert [context["content"] for _, context in board.actions] == ["real"]
    expect(page.locator("h1", has_text="taken")).to_have_count(0)
    expect(inside(page).locator("h1", has_text="taken")).to_have_count(0)
    board.set("/k", 2)  # the app is still there for the host, and has heard the host only
    updates = [("data-model-update", {"key": "k", "value": value}) for value in (1, 2)]
    eventually(lambda: told(page), updates)


def test_an_app_cannot_speak_to_another_in_the_hosts_name(board, quiet_page):
    page = quiet_page
    forged = json.dumps({"jsonrpc": "2.0", "method": "ui/notifications/tool-result", "params": {"content": ["forged"]}})
    attack = f"await ready; for (let n = 0; n < top.length; n++) top[n][0]?.postMessage({forged}, '*'); show('out', 1)"
    own = "parent.postMessage({method: 'mine', params: {value: 0}}, '*')"
    frame = f'<iframe srcdoc="<script>{own}</script>"></iframe>'
    victim = html("await ready; show('mode', document.compatMode)", frame)
    board.draw(column("app", "other"), app(victim, data={"paths": {"k": "/k"}}), data={"k": 1})
    page.goto(board.url)
    assert shown(page, "mode") == "CSS1Compat"
    board.update({**app(html(attack)), "id": "other"})
    other = page.frame_locator(".a2-app iframe").last.frame_locator("iframe")
    expect(other.locator("#out")).to_have_text("1")
    board.set("/k", 2)
    eventually(lambda: sorted(message["params"].get("value", "forged") for message in shown(page, "told")), [0, 1, 2])


def test_the_payload_guard_holds(run, board):
    found = run(
        """
        const found = {};
        const change = (value) => ask('ui/notifications/data-model-change', { key: 'k', value });
        found.long = await change('x'.repeat(65536));
        let deep = 1;
        for (let n = 0; n < 12; n++) deep = { deep };
        found.deep = await ask('ui/message', { role: 'user', content: deep });
        found.proto = await ask('ui/message', JSON.parse('{"role": "user", "content": {"__proto__": {"x": 1}}}'));
        found.constructor = await ask('ui/message', { role: 'user', content: { constructor: 1 } });
        found.bytes = await ask('ui/message', { role: 'user', content: '\u20ac'.repeat(30000) });
        found.circle = 0; const circle = {}; circle.circle = circle;
        found.circle = await ask('ui/message', circle);
        found.none = await ask('ui/message', 7);
        found.tool = await ask('tools/call', { name: 'rm' });
        found.function = await ask('ui/requests/function-call', { call: 'split', args: {} });
        found.args = await ask('ui/requests/function-call', { call: 'upper', args: { value: 7 } });
        found.method = await ask('resources/write', {});
        return Object.fromEntries(Object.entries(found).map(([name, reply]) => [name, reply.refused?.code ?? reply]));
        """,
        {"k": 0},
        data={"paths": {"k": "/k"}},
        allowedTools=["clock"],
        allowedFunctions={"upper": {"properties": {"value": {"type": "string"}}}},
    )
    assert found.pop("method") == -32601
    assert found == dict.fromkeys(found, -32602)
    assert board.data == {"k": 0} and board.sent == []


@pytest.mark.parametrize("granted", [False, True])
def test_permissions_are_denied_unless_granted(run, granted):
    permissions = {"permissions": {"camera": {}, "microphone": False, "clipboardWrite": True}} if granted else {}
    features = ["camera", "microphone", "geolocation", "clipboard-write", "clipboard-read", "fullscreen", "usb"]
    allowed = run(f"return {features}.filter((name) => document.featurePolicy.allowsFeature(name))", **permissions)
    assert allowed == (["camera", "clipboard-write"] if granted else [])


def test_a_large_app_and_a_large_result_arrive(board, page):
    content = html("await ready", f"<p>Large</p><!--{'x' * 3_000_000}-->")
    board.draw(column("app"), app(content, data={"paths": {"k": "/k"}}), data={"k": "y" * 500_000})
    page.goto(board.url)
    expect(inside(page).get_by_text("Large")).to_be_visible()
    eventually(lambda: len(told(page)[0][1]["value"]), 500_000)
    board.set("/k", "z" * 2_000_000)  # too much: the app is not told
    board.set("/k", "small")
    eventually(lambda: told(page)[1:], [("data-model-update", {"key": "k", "value": "small"})])


def test_an_app_without_a_sandbox_to_show_it_in_says_so(board, page, server):
    port = SANDBOX.port
    server.call(lambda: setattr(SANDBOX, "port", None))
    try:
        board.draw(column("app"), app(html()))
        page.goto(board.url)
        expect(page.get_by_role("note")).to_contain_text("no sandbox")
        expect(page.locator("iframe")).to_have_count(0)
    finally:
        server.call(lambda: setattr(SANDBOX, "port", port))


def test_a_sandbox_that_cannot_be_reached_is_told(board, quiet_page):
    quiet_page.route(f"http://127.0.0.1:{SANDBOX.port}/**", lambda route: route.abort())
    quiet_page.clock.install()
    board.draw(column("app"), app(html()))
    quiet_page.goto(board.url)
    expect(quiet_page.locator(".a2-app iframe")).to_be_visible()
    expect(quiet_page.get_by_role("note")).to_have_count(0)
    quiet_page.clock.run_for(10_000)
    expect(quiet_page.get_by_role("note")).to_contain_text(f":{SANDBOX.port} cannot be reached")


def test_serve_takes_the_servers_of_a_file(tmp_path):
    (tmp_path / "mcp.json").write_text(
        json.dumps({"mcpServers": {"test": {"command": sys.executable, "args": [str(TESTS / "mcp_server.py")]}}})
    )
    command = [sys.executable, "-m", "a2ui_app", "serve", "--mcp-config", str(tmp_path / "mcp.json")]
    served = subprocess.Popen(
        command, cwd=TESTS.parent, env=os.environ | {"A2UI_DATA": str(tmp_path)}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert served.stdout is not None
        link = urlsplit(served.stdout.readline().removeprefix("Open ").strip())
        address = f"http://{link.netloc}/a2ui/x"
        bearer = {"authorization": f"Bearer {Keys(tmp_path).channel_token('x')}"}
        call = {"@call": "callMcpTool", "catalogId": MCP_1_0, "args": {"name": "clock", "targetDataPath": "/app"}}
        root = {"id": "root", "component": "Text", "text": call}
        body = {"surfaceId": "s", "catalogId": BASIC_1_0, "components": [root], "dataModel": {}}
        assert httpx.post(address, json={"version": "1.0", "createSurface": body}, headers=bearer).json()["ok"]

        def app_uri() -> Any:
            (surface,) = httpx.get(address, headers=bearer).json()["surfaces"]
            return surface["dataModel"].get("app", {}).get("uri")

        eventually(app_uri, "ui://clock/app.html")
    finally:
        served.send_signal(signal.SIGINT)
        assert served.wait(20) == 0


def test_serve_says_what_is_wrong_with_the_file(tmp_path):
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"a": {}}}')
    command = [sys.executable, "-m", "a2ui_app", "serve", "--mcp-config", str(tmp_path / "mcp.json")]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "MCP server 'a' needs a 'command' or a 'url'" in done.stderr


def test_an_app_works_in_a_conversation(page, server):
    conversation = server.call(CONVERSATIONS.create, Setup("demo"))
    change = "tell('ui/notifications/data-model-change', {key: 'k', value: 2})"
    content = html(body=f'<button onclick="{change}">Two</button>')
    components = [{"id": "root"} | column("app"), app(content, data={"paths": {"k": "/k"}})]
    body = {"surfaceId": "s", "catalogId": BASIC_1_0, "components": components, "dataModel": {"k": 1}}
    (reply,) = server.call(conversation.channel.post, {"version": "1.0", "createSurface": body})
    assert reply.error is None
    page.goto(f"{server.url}/c/{conversation.id}")
    inside(page).get_by_role("button", name="Two").click()
    eventually(lambda: server.call(lambda: conversation.channel.session.surface("s").data), {"k": 2})
