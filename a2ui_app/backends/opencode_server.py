"""A running `opencode serve` and the turns it plays: the I/O around opencode_serve.py."""

import asyncio
import re
import secrets
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING, Any, Self

import httpx

from .base import BackendError, ExecOptions, Message, MessageType, Outcome
from .conversation import Conversation
from .dialogs import Dialogs
from .environment import merge_env
from .line_backend import Ask, TurnEnded, Withdraw
from .opencode_config import environment
from .opencode_serve import OpencodeServeParser, Post
from .process import LineSplitter, Process, SkippedLine
from .run import Run, Turn

if TYPE_CHECKING:
    from .opencode import OpencodeBackend

_LISTENING = re.compile(rb"listening on (http://127\.0\.0\.1:\d+)")
REQUEST_TIMEOUT = 60.0  # seconds; the first request to a session loads plugins and models


class ServeConversation(Conversation):
    """Prompts to one opencode server; the counterpart of `line_backend.LineConversation`."""

    def __init__(self, backend: "OpencodeBackend", executable: str, options: ExecOptions, keep: bool) -> None:
        super().__init__(options, keep)
        self._backend = backend
        self._executable = executable
        self._server: Server | None = None

    def turn(self, prompt: str) -> Turn:
        return ServeTurn(self, prompt)

    async def server(self, run: Run) -> "Server":
        """Return the living server, started if need be."""
        if self._server is None or not self._server.alive:
            await self.stop(0.0)
            self._backend.warn(self.options, run)
            self._server = await Server.start(self._executable, self._backend, self.options)
        return self._server

    async def stop(self, grace: float) -> None:
        """End the server."""
        server, self._server = self._server, None
        if server is not None:
            await server.stop(grace)


class Server:
    """The process and a client for it. Only who knows the password (this client) may use it."""

    def __init__(self, process: Process, client: httpx.AsyncClient, files: ExitStack) -> None:
        self._process = process
        self._files = files
        self._drain = asyncio.create_task(self._read_on())
        self.client = client

    @classmethod
    async def start(cls, executable: str, backend: "OpencodeBackend", options: ExecOptions) -> Self:
        """Start the server on a free port of the loopback interface."""
        files = ExitStack()
        async with AsyncExitStack() as undo:  # what was begun, if something fails
            undo.callback(files.close)
            password = secrets.token_urlsafe(24)
            env = {**environment(options, files), "OPENCODE_SERVER_PASSWORD": password, **options.env}
            argv = [executable, "serve", "--port", "0", "--hostname", "127.0.0.1", *backend.custom_args(options)]
            process = await Process.spawn(argv, cwd=options.cwd, env=merge_env(env), stdin=False)
            undo.push_async_callback(process.stop, grace=0.0)
            url, auth = await _address(process), ("opencode", password)
            # trust_env: a proxy of the person's is not for this machine itself
            client = httpx.AsyncClient(base_url=url, auth=auth, timeout=REQUEST_TIMEOUT, trust_env=False)
            undo.pop_all()
            return cls(process, client, files)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    def stderr_tail(self) -> str:
        return self._process.stderr_tail()

    async def request(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request. Raises BackendError when there is no connection or the answer is an error (but 404)."""
        try:
            response = await self.client.request(method, path, json=body)
        except httpx.HTTPError as error:
            raise BackendError(f"opencode's server does not answer: {error!r} {self.stderr_tail()}") from error
        if response.is_error and response.status_code != httpx.codes.NOT_FOUND:
            raise BackendError(f"opencode's server refused {path}: {response.status_code} {response.text[:500]}")
        return response

    async def stop(self, grace: float) -> None:
        try:
            await self.client.aclose()
        finally:
            try:
                await self._process.stop(grace=min(grace, 0.1))  # it has no input whose end it could notice
            finally:
                self._drain.cancel()
                self._files.close()

    async def _read_on(self) -> None:
        async for _ in self._process.lines():
            pass


async def _address(process: Process) -> str:
    async for line in process.lines():
        found = None if isinstance(line, SkippedLine) else _LISTENING.search(line)
        if found:
            return found.group(1).decode()
    await process.stop(grace=0.0)  # then all of stderr is there
    raise BackendError(f"opencode's server did not start: {process.stderr_tail() or 'no reason was given'}")


class ServeTurn(Turn):
    """One prompt to a session of the server."""

    def __init__(self, conversation: ServeConversation, prompt: str) -> None:
        self._conversation = conversation
        self._prompt = prompt
        self._server: Server | None = None
        self._parser: OpencodeServeParser | None = None
        self._dialogs: Dialogs | None = None
        self._replies: set[asyncio.Task[None]] = set()

    async def play(self, run: Run) -> None:
        conversation, healthy = self._conversation, False
        try:
            self._server = server = await conversation.server(run)
            run.touch()
            session_id, resumed = await self._session(server, run)
            run.session_id = conversation.session_id = session_id
            details = {"session_id": session_id}
            run.emit(Message(MessageType.STATUS, "Session started", input=details, level="session"))
            self._parser = parser = OpencodeServeParser(session_id, resumed)
            self._dialogs = dialogs = Dialogs(run, conversation.options, self._reply)
            try:
                healthy = await self._events(server, parser, dialogs, run)
            except httpx.HTTPError as error:
                run.emit(Message(MessageType.LOG, f"the connection to opencode's server broke: {error!r}"))
            finally:
                await dialogs.close()
            run.settle()
            await asyncio.gather(*self._replies)
            if not healthy:
                parser.failed(server.stderr_tail() or "the connection to opencode's server was lost")
        finally:
            if not (conversation.keep and healthy):
                await conversation.stop(0.0)

    async def interrupt(self) -> None:
        if self._server is None or self._parser is None:
            raise NotImplementedError
        if self._dialogs is not None:
            await self._dialogs.close()
        await self._server.request("POST", f"/session/{self._conversation.session_id}/abort")

    def outcome(self) -> Outcome:
        return self._parser.outcome() if self._parser is not None else Outcome()

    async def _session(self, server: Server, run: Run) -> tuple[str, bool | None]:
        """Return the id of the session to use, and whether it is the one to be resumed (None: none was)."""
        wanted = self._conversation.session_id
        if wanted:
            if (await server.request("GET", f"/session/{wanted}")).is_success:
                return wanted, True if self._conversation.options.resume_session_id else None
            if not self._conversation.options.fresh_after_failed_resume:
                raise BackendError("opencode does not have the session to resume. Start a new one.")
            text = "The earlier session was not found. A new one was started, without its context."
            run.emit(Message(MessageType.STATUS, text, level="session"))
        created = await server.request("POST", "/session", {})
        return created.json()["id"], False if wanted else None

    async def _events(self, server: Server, parser: OpencodeServeParser, dialogs: Dialogs, run: Run) -> bool:
        """Send the prompt once the events flow, and handle them to the end of the turn; tell whether that came."""
        splitter = LineSplitter()
        async with server.client.stream("GET", "/event", timeout=None) as response:
            sent = False
            async for chunk in response.aiter_bytes():  # not aiter_lines: it also splits at U+2028, inside of JSON
                for line in splitter.feed(chunk):
                    run.touch()
                    if not isinstance(line, bytes) or not line.startswith(b"data:"):
                        continue
                    if self._handle(parser, line[5:], dialogs, run):
                        return True
                if not sent:  # the first event says that we are connected
                    sent = True
                    await self._send_prompt(server)
        return False

    async def _send_prompt(self, server: Server) -> None:
        body: dict[str, Any] = {"parts": [{"type": "text", "text": self._prompt}]}
        model = self._conversation.options.model
        if model:
            provider, _, name = model.partition("/")
            body["model"] = {"providerID": provider, "modelID": name}
        await server.request("POST", f"/session/{self._conversation.session_id}/prompt_async", body)

    def _handle(self, parser: OpencodeServeParser, data: bytes, dialogs: Dialogs, run: Run) -> bool:
        ended = False
        for event in parser.receive(data):
            match event:
                case Message():
                    run.emit(event)
                case Ask(request_id, request):
                    dialogs.open(request_id, request)
                case Withdraw(request_id):
                    dialogs.withdraw(request_id)
                case TurnEnded():
                    ended = True
        return ended

    def _reply(self, request_id: str, answer: Any) -> None:
        if self._parser is not None and self._server is not None:
            task = asyncio.create_task(self._post(self._server, self._parser.answer(request_id, answer)))
            self._replies.add(task)
            task.add_done_callback(self._replies.discard)

    async def _post(self, server: Server, post: Post) -> None:
        await server.request("POST", post.path, post.body)
