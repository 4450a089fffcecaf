"""The secret of this installation, and what is signed with it: sessions, links, channel tokens. And the password.

Everything is in two files of the data folder that only its owner may read. `sign_out_everywhere` makes a new secret.
"""

import json
import os
import secrets
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from itsdangerous import BadData, Signer, URLSafeTimedSerializer

LINK_SECONDS = 24 * 3600  # how long a printed link may wait for its first use
SESSION_SECONDS = 30 * 24 * 3600
SHORTEST_PASSWORD = 8


class WeakPassword(ValueError):
    """A password that is too short; the text says what is wanted."""


class Keys:
    """The keys in ``folder``, which is made when it is not there."""

    def __init__(self, folder: Path):
        self._secret_file = folder / "secret.key"
        self._password_file = folder / "password.json"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._used: set[str] = set()
        self._secret = self._read_secret()

    # -- links: each opens the page once ---------------------------------------------------------------------------

    def new_link_token(self) -> str:
        """A token for a link; it can be used once."""
        return self._signer("link").dumps(secrets.token_urlsafe(9))

    def use_link_token(self, token: str) -> bool:
        """Whether ``token`` opens the page; from then on it does not."""
        try:
            nonce = self._signer("link").loads(token, max_age=LINK_SECONDS)
        except BadData:
            return False
        if nonce in self._used:
            return False
        self._used.add(nonce)
        return True

    # -- sessions --------------------------------------------------------------------------------------------------

    def new_session(self) -> str:
        """The value of a session cookie."""
        return self._signer("session").dumps(secrets.token_urlsafe(9))

    def is_session(self, cookie: str) -> bool:
        """Whether ``cookie`` is of a session that has not ended."""
        try:
            self._signer("session").loads(cookie, max_age=SESSION_SECONDS)
        except BadData:
            return False
        return True

    def sign_out_everywhere(self) -> None:
        """End all sessions, links and channel tokens."""
        self._secret_file.unlink(missing_ok=True)
        self._secret = self._read_secret()

    # -- channels --------------------------------------------------------------------------------------------------

    def channel_token(self, channel: str) -> str:
        """What a program sends as bearer token to post to ``channel`` and to read what its surfaces send."""
        return Signer(self._secret, salt="a2ui-app channel").get_signature(channel).decode()

    def is_channel_token(self, channel: str, token: str) -> bool:
        """Whether ``token`` is that of ``channel``."""
        return secrets.compare_digest(self.channel_token(channel).encode(), token.encode())

    # -- the password ----------------------------------------------------------------------------------------------

    @property
    def has_password(self) -> bool:
        return self._password_file.exists()

    def set_password(self, password: str) -> None:
        """Keep a hash of ``password``. Raises WeakPassword."""
        if len(password) < SHORTEST_PASSWORD:
            raise WeakPassword(f"The password is too short; take at least {SHORTEST_PASSWORD} characters.")
        _write_private(self._password_file, json.dumps({"argon2": PasswordHasher().hash(password)}))

    def check_password(self, password: str) -> bool:
        """Whether it is the password. Takes a tenth of a second on purpose: call it in a thread."""
        if not self.has_password:
            return False
        try:
            return PasswordHasher().verify(json.loads(self._password_file.read_text())["argon2"], password)
        except (VerificationError, InvalidHashError, KeyError, ValueError):
            return False

    # -- inside ----------------------------------------------------------------------------------------------------

    def _signer(self, purpose: str) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._secret, salt=f"a2ui-app {purpose}")

    def _read_secret(self) -> str:
        try:
            return self._secret_file.read_text(encoding="ascii")
        except FileNotFoundError:
            _write_private(self._secret_file, secrets.token_urlsafe(32))
            return self._secret_file.read_text(encoding="ascii")


def _write_private(path: Path, text: str) -> None:
    """Write whole or not at all, readable by the owner only."""
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    unfinished.touch(mode=0o600)
    unfinished.write_text(text, encoding="ascii")
    unfinished.replace(path)
