"""The database: opened, read, and written by a `Writer` beside it.

Reading sees what was put: it waits for the writer first. All methods may be called from any thread.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import delete, or_, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from .engine import new_engine
from .migrate import migrate
from .tables import Conversation, Entry, Run, Setting, SurfaceMessage, Usage, folded
from .trouble import StoreError
from .writer import Writer


class Store:
    """Opens ``url`` (default: see `new_engine`) and brings it up to date. Raises StoreError, as every query may.

    ``on_trouble`` is told, in the writer's thread, why nothing can be written at the moment, and None when all is well
    again; nothing that was put is lost meanwhile.
    """

    def __init__(self, url: str | None = None, *, on_trouble: Callable[[str | None], object] = lambda text: None):
        self._engine = new_engine(url)
        try:
            migrate(self._engine)
        except DBAPIError as error:
            raise StoreError(
                f"The database {self._engine.url!r} cannot be opened: {error.orig}. "
                "Check that it may be written and that no other program holds it, or set A2UI_DATA to another folder."
            ) from error
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
        for word in folded(query).split():
            like = f"%{_escape(word)}%"
            of_it = select(Entry.number).where(Entry.conversation == Conversation.id)
            said = of_it.where(col(Entry.folded).like(like, escape="\\")).exists()  # ends at the first that has it
            found = found.where(or_(col(Conversation.folded).like(like, escape="\\"), said))
        order = (col(Conversation.pinned).desc(), col(Conversation.updated).desc())
        with self._session() as session:
            return list(session.exec(found.order_by(*order).limit(limit)))

    def conversation(self, id: str) -> Conversation | None:
        """The conversation ``id``, unless it was deleted."""
        with self._session() as session:
            found = session.get(Conversation, id)
            return found if found is not None and found.deleted is None else None

    def entries(self, id: str, *, before: int | None = None, limit: int | None = None) -> list[Entry]:
        """The timeline of a conversation, oldest first; with ``limit`` its newest ones, older than ``before``."""
        chosen = select(Entry).where(Entry.conversation == id).order_by(col(Entry.number).desc()).limit(limit)
        if before is not None:
            chosen = chosen.where(col(Entry.number) < before)
        with self._session() as session:
            return list(reversed(session.exec(chosen).all()))

    def surface_messages(self, id: str) -> list[SurfaceMessage]:
        """The A2UI messages of a conversation."""
        chosen = select(SurfaceMessage).where(SurfaceMessage.conversation == id)
        with self._session() as session:
            return list(session.exec(chosen.order_by(col(SurfaceMessage.number))))

    def purge(self, before: float) -> int:
        """Forget for good what was deleted before that time; how many conversations."""
        gone = select(Conversation.id).where(col(Conversation.deleted) < before)
        runs = select(Run.id).where(col(Run.conversation).in_(gone))
        with self._session() as session:  # what refers to a row goes before it
            session.execute(delete(Usage).where(col(Usage.run).in_(runs)))
            for table in (Run, SurfaceMessage, Entry):
                session.execute(delete(table).where(col(table.conversation).in_(gone)))
            ids = session.execute(
                delete(Conversation).where(col(Conversation.id).in_(gone)).returning(col(Conversation.id))
            )
            count = len(ids.all())
            session.commit()
        return count

    # -- runs ----------------------------------------------------------------------------------------------------

    def interrupt_runs(self) -> list[str]:
        """End the runs that an earlier process left open; the ids of their conversations."""
        left = update(Run).where(col(Run.ended).is_(None))
        with self._session() as session:
            ended = left.values(status="interrupted", ended=time.time()).returning(col(Run.conversation))
            ids = {id for (id,) in session.execute(ended)}
            session.commit()
        return sorted(ids)

    def usage(self, conversation: str | None = None) -> list[tuple[str, str, Usage]]:
        """The day (YYYY-MM-DD, local time), agent and usage of each run of one conversation, or of all."""
        chosen = select(Run.started, Run.agent, Usage).join(Usage, col(Usage.run) == Run.id)
        if conversation is not None:
            chosen = chosen.where(Run.conversation == conversation)
        with self._session() as session:
            rows = session.exec(chosen.order_by(col(Run.started))).all()
        return [(time.strftime("%Y-%m-%d", time.localtime(started)), agent, used) for started, agent, used in rows]

    # -- settings ------------------------------------------------------------------------------------------------

    def setting(self, key: str, default: Any = None) -> Any:
        """A choice of the person, or ``default``."""
        with self._session() as session:
            found = session.get(Setting, key)
            return default if found is None else found.value

    @contextmanager
    def _session(self) -> Iterator[Session]:
        self._writer.flush()
        try:
            with Session(self._engine, expire_on_commit=False) as session:
                yield session
        except DBAPIError as error:
            raise StoreError(f"The database cannot be used at the moment: {error.orig}. Try again.") from error


def _escape(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
