"""A server on this machine that nobody should reach: it counts who does, and answers them."""

import socket
import threading


class Canary:
    """Listens on a port of its own. ``reached`` are the first lines of the requests, "" for a bare connection."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.reached: list[str] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return  # closed
            self.reached.append("")
            place = len(self.reached) - 1
            threading.Thread(target=self._answer, args=[connection, place], daemon=True).start()

    def _answer(self, connection: socket.socket, place: int) -> None:
        with connection:
            connection.settimeout(5)
            try:
                self.reached[place] = connection.recv(65536).decode("latin-1").partition("\r\n")[0]
            except TimeoutError:
                return
            body = b"<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"
            lines = [b"HTTP/1.1 200 OK", b"Content-Type: image/svg+xml", b"Access-Control-Allow-Origin: *"]
            lines += [b"Content-Length: %d" % len(body), b"Connection: close", b"", body]
            connection.sendall(b"\r\n".join(lines))
