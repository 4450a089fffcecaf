"""Keys: what they sign, for how long, and what ends it."""

from pathlib import Path

import pytest

from a2ui_app.access import Keys
from a2ui_app.access import keys as keys_module
from a2ui_app.access.keys import WeakPassword


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "data")


def test_a_link_opens_once(keys: Keys) -> None:
    token = keys.new_link_token()
    assert keys.use_link_token(token)
    assert not keys.use_link_token(token)


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "é"])
def test_a_made_up_token_opens_nothing(keys: Keys, token: str) -> None:
    assert not keys.use_link_token(token)
    assert not keys.is_session(token)
    assert not keys.is_channel_token("demo", token)


def test_a_token_is_good_for_its_purpose_only(keys: Keys) -> None:
    assert not keys.is_session(keys.new_link_token())
    assert not keys.use_link_token(keys.new_session())
    assert not keys.is_channel_token("a", keys.channel_token("b"))
    assert keys.is_channel_token("a", keys.channel_token("a"))


def test_sessions_and_channel_tokens_outlive_the_process(keys: Keys, tmp_path: Path) -> None:
    session, token = keys.new_session(), keys.channel_token("a")
    again = Keys(tmp_path / "data")
    assert again.is_session(session)
    assert again.is_channel_token("a", token)
    assert again.use_link_token(keys.new_link_token())  # one that another process printed


def test_signing_out_everywhere_ends_them(keys: Keys) -> None:
    session, link, token = keys.new_session(), keys.new_link_token(), keys.channel_token("a")
    keys.sign_out_everywhere()
    assert not keys.is_session(session)
    assert not keys.use_link_token(link)
    assert not keys.is_channel_token("a", token)


def test_what_is_old_has_ended(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    session, link = keys.new_session(), keys.new_link_token()
    monkeypatch.setattr(keys_module, "SESSION_SECONDS", -1)
    monkeypatch.setattr(keys_module, "LINK_SECONDS", -1)
    assert not keys.is_session(session)
    assert not keys.use_link_token(link)


def test_the_password_is_kept_as_a_hash(keys: Keys, tmp_path: Path) -> None:
    assert not keys.has_password
    assert not keys.check_password("")
    keys.set_password("correct horse")
    assert keys.has_password
    assert keys.check_password("correct horse")
    assert not keys.check_password("correct horse ")
    kept = (tmp_path / "data" / "password.json").read_text()
    assert "argon2id" in kept
    assert "horse" not in kept


def test_a_short_password_is_refused(keys: Keys) -> None:
    with pytest.raises(WeakPassword, match="at least 8"):
        keys.set_password("short")
    assert not keys.has_password


def test_a_broken_password_file_lets_nobody_in(keys: Keys, tmp_path: Path) -> None:
    keys.set_password("correct horse")
    (tmp_path / "data" / "password.json").write_text("{}")
    assert not keys.check_password("correct horse")


def test_only_the_owner_may_read_the_files(keys: Keys, tmp_path: Path) -> None:
    keys.set_password("correct horse")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    for file in (tmp_path / "data").iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
