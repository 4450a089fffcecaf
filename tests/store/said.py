"""What the tests of the store put into it."""

from a2ui_app.store import Store
from a2ui_app.store.tables import Conversation, Entry


def say(store: Store, id: str, *texts: str, title: str = "", updated: float = 1.0, **more: object) -> None:
    store.put(Conversation, id=id, title=title, agent="demo", updated=updated, **more)
    for number, text in enumerate(texts):
        store.put(Entry, conversation=id, number=number, kind="text", text=text)
