"""An agent that speaks the Agent Client Protocol and does what its first argument says; a program of its own."""

import json
import signal
import sys
import time
from typing import Any

SCENARIO = sys.argv[1]
ASKS = "ask" in SCENARIO


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def update(**fields: Any) -> None:
    send(method="session/update", params={"sessionId": "s1", "update": fields})


def say(text: str, kind: str = "agent_message_chunk") -> None:
    update(sessionUpdate=kind, content={"type": "text", "text": text})


def read() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line and "stays" in SCENARIO:  # hears neither the end of its input nor a polite signal
        time.sleep(60)
    if not line:
        sys.exit(0)
    return json.loads(line)


def capabilities() -> dict[str, Any]:
    return {
        "loadSession": "load" in SCENARIO,
        "mcpCapabilities": {"http": "nohttp" not in SCENARIO},
        "sessionCapabilities": {"resume": {}} if "resume" in SCENARIO else {},
    }


def session() -> dict[str, Any]:
    return {
        "sessionId": "s1",
        "modes": {"currentModeId": "auto", "availableModes": [{"id": "auto"}, {"id": "default"}]},
        "configOptions": [{"id": "model", "category": "model", "currentValue": "small"}],
    }


def prompt(id: Any, text: str) -> None:
    if "exit" in SCENARIO:
        print("out of memory", file=sys.stderr, flush=True)
        sys.exit(3)
    if "fail" in SCENARIO:
        send(id=id, error={"code": -32603, "message": "Internal error", "data": {"details": "the model is away"}})
        return
    say("hm", "agent_thought_chunk")
    say("I see: ")
    update(sessionUpdate="tool_call", toolCallId="t1", title="Bash", kind="execute", rawInput={"command": "ls"})
    allowed = True
    if ASKS:
        options = [
            {"optionId": "always", "name": "Always allow", "kind": "allow_always"},
            {"optionId": "once", "name": "Allow", "kind": "allow_once"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"},
        ]
        call = {"toolCallId": "t1", "title": "Bash", "rawInput": {"command": "ls"}}
        send(id=77, method="session/request_permission", params={"toolCall": call, "options": options})
        while (message := read()).get("id") != 77:
            if message.get("method") == "session/cancel":
                send(id=id, result={"stopReason": "cancelled"})
                return
        allowed = message["result"]["outcome"].get("optionId") == "once"
    content = [{"type": "content", "content": {"type": "text", "text": "a.py"}}]
    status = "completed" if allowed else "failed"
    update(sessionUpdate="tool_call_update", toolCallId="t1", status=status, content=content)
    if "hang" in SCENARIO:
        while read().get("method") != "session/cancel" or "deaf" in SCENARIO:
            pass
        send(id=id, result={"stopReason": "cancelled"})
        return
    say(f"you said {text}")
    usage = {"inputTokens": 10, "outputTokens": 3, "cachedReadTokens": 4, "totalTokens": 17}
    send(id=id, result={"stopReason": "max_tokens" if "cut" in SCENARIO else "end_turn", "usage": usage})


def main() -> None:
    if "stays" in SCENARIO:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        message = read()
        id, method, params = message.get("id"), message.get("method"), message.get("params") or {}
        if method == "initialize":
            print("a banner", flush=True)
            methods = [{"id": "key", "name": "An API key"}]
            send(id=id, result={"protocolVersion": 1, "agentCapabilities": capabilities(), "authMethods": methods})
        elif method in ("session/new", "session/load", "session/resume"):
            if "login" in SCENARIO:
                send(id=id, error={"code": -32000, "message": "Authentication required"})
            elif method != "session/new" and params["sessionId"] == "gone":
                send(id=id, error={"code": -32002, "message": "Resource not found"})
            else:
                if method == "session/load":
                    say("what was said before")
                say(json.dumps(params["mcpServers"]))
                send(id=id, result=session())
        elif method == "session/prompt":
            prompt(id, params["prompt"][0]["text"])
        elif id is not None and method is not None:
            print(f"got {method} {json.dumps(params)}", file=sys.stderr, flush=True)
            send(id=id, result={})


main()
