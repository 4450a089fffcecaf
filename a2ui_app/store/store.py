"""The database: opened, read, and written by a `Writer` beside it.

Reading sees what was put: it waits for the writer first. All methods may be called from any thread.
"""

import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event, func, or_, update
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError
from sqlmodel import Session, col, create_engine, select

from .migrate import migrate
from .paths import data_folder
from .tables import Conversation, Entry, Run, Setting, SurfaceMessage, Usage
from .trouble import StoreError
from .writer import Writer

BUSY_MS = 5000  # how long SQLite waits for another process's lock


class Store:
    """Opens ``url`` (default: SQLite in the data folder) and brings it up to date. Raises StoreError.

    ``on_trouble`` is told, in the writer's thread, why nothing can be written at the moment, and None when all is well
    again; nothing that was put is lost meanwhile.
    """

    def __init__(self, url: str | None = None, *, on_trouble: Callable[[str | None], object] = lambda text: None):
        self._engine = new_engine(url)
        try:
            migrate(self._engine)
        except OperationalError as error:
            raise StoreError(f"The database {self._engine.url!r} cannot be opened: {error.orig}") from error
        self._writer = Writer(self._engine, on_trouble)
        self.put = self._writer.put

    def close(self) -> None:
        """Write what was put, and let go of the database."""
        self._writer.close()
        self._engine.dispose()

    # -- conversations -------------------------------------------------------------------------------------------

    def conversations(self, query: str = "", *, archived: bool = False, limit: int = 500) -> list[Conversation]:
        """Those whose title or text has all words of ``query``: pinned ones first, then the newest."""
        found = select(Conversation).where(col(Conversation.deleted).is_(None), Conversation.archived == archived)
        for word in query.casefold().split():
            like = f"%{_escape(word)}%"
            said = select(Entry.conversation).where(col(Entry.folded).like(like, escape="\\"))
            named = func.lower(Conversation.title).like(like, escape="\\")
            found = found.where(or_(named, col(Conversation.id).in_(said)))
        order = (col(Conversation.pinned).desc(), col(Conversation.updated).desc())
        with self._reading() as session:
            return list(session.exec(found.order_by(*order).limit(limit)))

    def conversation(self, id: str) -> Conversation | None:
        """The conversation ``id``, unless it was deleted."""
        with self._reading() as session:
            found = session.get(Conversation, id)
            return found if found is not None and found.deleted is None else None

    def entries(self, id: str) -> list[Entry]:
        """The timeline of a conversation."""
        with self._reading() as session:
            return list(session.exec(select(Entry).where(Entry.conversation == id).order_by(col(Entry.number))))

    def surface_messages(self, id: str) -> list[SurfaceMessage]:
        """The A2UI messages of a conversation."""
        chosen = select(SurfaceMessage).where(SurfaceMessage.conversation == id)
        with self._reading() as session:
            return list(session.exec(chosen.order_by(col(SurfaceMessage.number))))

    def purge(self, before: float) -> int:
        """Forget for good what was deleted before that time; how many conversations."""
        with self._reading() as session:
            chosen = select(Conversation.id).where(col(Conversation.deleted) < before)
            ids = list(session.exec(chosen))
            runs = list(session.exec(select(Run.id).where(col(Run.conversation).in_(ids))))
            for table, column, keys in (
                (Usage, Usage.run, runs),
                (Run, Run.conversation, ids),
                (SurfaceMessage, SurfaceMessage.conversation, ids),
                (Entry, Entry.conversation, ids),
                (Conversation, Conversation.id, ids),
            ):
                for row in session.exec(select(table).where(col(column).in_(keys))):
                    session.delete(row)
                session.flush()
            session.commit()
        return len(ids)

    # -- runs ----------------------------------------------------------------------------------------------------

    def interrupt_runs(self) -> list[str]:
        """End the runs that an earlier process left open; the ids of their conversations."""
        with self._reading() as session:
            ids = sorted(set(session.exec(select(Run.conversation).where(col(Run.ended).is_(None)))))
            ended = update(Run).where(col(Run.ended).is_(None)).values(status="interrupted", ended=time.time())
            session.execute(ended)
            session.commit()
            return ids

    def usage(self, conversation: str | None = None) -> list[tuple[str, str, Usage]]:
        """The day (YYYY-MM-DD, local time), agent and usage of each run of one conversation, or of all."""
        chosen = select(Run.started, Run.agent, Usage).join(Usage, col(Usage.run) == Run.id)
        if conversation is not None:
            chosen = chosen.where(Run.conversation == conversation)
        with self._reading() as session:
            rows = session.exec(chosen.order_by(col(Run.started))).all()
        return [(time.strftime("%Y-%m-%d", time.localtime(started)), agent, used) for started, agent, used in rows]

    # -- settings ------------------------------------------------------------------------------------------------

    def setting(self, key: str, default: Any = None) -> Any:
        """A choice of the person, or ``default``."""
        with self._reading() as session:
            found = session.get(Setting, key)
            return default if found is None else found.value

    def _reading(self) -> Session:
        self._writer.flush()
        return Session(self._engine, expire_on_commit=False)


def new_engine(url: str | None) -> Engine:
    """An engine for ``url``, else for SQLite in the data folder, which is made. Raises StoreError."""
    try:
        if url is None:
            folder = data_folder()
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            url = f"sqlite:///{folder / 'a2ui.db'}"
        if url.startswith("postgres://"):
            url = "postgresql://" + url.removeprefix("postgres://")
        if url.startswith("postgresql://"):
            url = "postgresql+psycopg://" + url.removeprefix("postgresql://")
        engine = create_engine(url)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(
            f"This database needs a driver that is not here ({error}). Run: .venv/bin/pip install 'psycopg[binary]'"
        ) from error
    except ArgumentError as error:
        raise StoreError("DATABASE_URL is no address of a database. Example: postgresql://user@host/name") from error
    except OSError as error:
        raise StoreError(
            f"The data folder {error.filename} cannot be made: {error.strerror}. Set A2UI_DATA."
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={BUSY_MS}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _escape(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
