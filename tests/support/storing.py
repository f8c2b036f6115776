"""What the cache files hold, seen and changed behind the service's back."""

import json
import sqlite3
import zlib
from contextlib import closing


def stored_answers(path):
    """Every row's key and value; none where there is no table yet."""
    with closing(sqlite3.connect(path)) as connection:
        try:
            return connection.execute("SELECT key, value FROM answers").fetchall()
        except sqlite3.OperationalError:
            return []


def stored_items(path):
    """The bodies of all items that have one."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT value FROM items").fetchall()
    return [zlib.decompress(value[1:]) for (value,) in rows if len(value) > 1]


def shift_stored(path, seconds):
    """Make every stored answer older by so many seconds."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for name, value in stored_answers(path):
            line, _, body = value.partition(b"\n")
            head = json.loads(line)
            head["created"] -= seconds
            head["expires"] -= seconds
            changed = json.dumps(head).encode() + b"\n" + body
            connection.execute("UPDATE answers SET value = ? WHERE key = ?", (changed, name))
        connection.execute("UPDATE answers SET expires = expires - ?, stored = stored - ?", (seconds, seconds))


def integrity(path):
    """What SQLite says of the file: ``ok``, or what is wrong with it."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchone()[0]
