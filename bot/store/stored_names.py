"""Rename what is stored: the tags, fields and words of values that lie in the data file as MessagePack or JSON.

A renaming is data: a numbered ``.json`` file beside the ``.sql`` migrations. It names the columns that hold values and the type of each,
and for every stored struct its new tag, its new field names and the types of its fields. A struct that it does not name stays as it is.

    {"columns": [{"table": "event", "key": ["table_id", "seq"], "column": "blob", "form": "msgpack", "type": {"each": {"tagged": true}}}],
     "structs": {"Burned": {"tag": "CardBurned", "fields": {"place": ["card_index"]}}}}

A field is ``[new name]`` or ``[new name, type]``. A type is one of these:

- ``{"struct": name}``: a struct of that name;
- ``{"tagged": true}``: a struct whose own tag is its name;
- ``{"each": type}``: a list whose members have that type;
- ``{"values": type}``: a map whose values have that type;
- ``{"parts": [type, …]}``: a tuple of fixed length;
- ``{"words": {old: new}}``: a text; a text that is not named stays as it is.

The meaning of an event never changes. So the triggers that refuse to change events are left out while their names change,
inside the migration's own transaction. Events in the blobs of finished hands are renamed with those of the journal.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from bot.store.database import Database
from bot.store.finished_hands import ExchangeFailed, complete_saved_states, rewrite_hands
from bot.store.hand_blob import BlobUnreadable

_TRIGGERS = ("event_stands", "finished_hand_stands")
"""The triggers that refuse every change of a stored event."""
_ROWS_AT_A_TIME = 1_000


class ColumnOfValues(msgspec.Struct, frozen=True):
    """A column that holds values of one type.

    Attributes:
        key: the columns of the table's primary key.
        form: ``msgpack`` or ``json``.
        like: a pattern that restricts the rows by the first column of the key; empty for all rows.
    """

    table: str
    key: list[str]
    column: str
    form: str
    type: dict[str, Any]
    like: str = ""


class StructNames(msgspec.Struct, frozen=True):
    """The new names of one stored struct. With an empty `tag` the tag stays as it is."""

    tag: str = ""
    fields: dict[str, list[Any]] = {}


class Renaming(msgspec.Struct, frozen=True):
    """One renaming of stored values, as its file says it."""

    purpose: str
    columns: list[ColumnOfValues]
    structs: dict[str, StructNames]

    def renamed(self, value: Any, type_: dict[str, Any] | None) -> Any:
        """Return the same value under its new names.

        Raises:
            KeyError, ValueError: the value is not of the type, or there is no such type.
        """
        if value is None or type_ is None:
            return value
        match type_:
            case {"each": inner} if isinstance(value, list):
                return [self.renamed(one, inner) for one in value]
            case {"values": inner} if isinstance(value, dict):
                return {key: self.renamed(one, inner) for key, one in value.items()}
            case {"parts": inner} if isinstance(value, list):
                return [self.renamed(one, of) for one, of in zip(value, inner, strict=True)]
            case {"words": words} if isinstance(value, str):
                return words.get(value, value)
            case {"struct": name} if isinstance(value, dict):
                return self._renamed_struct(value, self.structs.get(name))
            case {"tagged": _} if isinstance(value, dict):
                return self._renamed_struct(value, self.structs.get(value["type"]))
            case _:
                raise ValueError(f"a stored {type(value).__name__} is not of the type {type_}")

    def _renamed_struct(self, value: dict[str, Any], names: StructNames | None) -> dict[str, Any]:
        if names is None:
            return value
        renamed: dict[str, Any] = {}
        for field, stored in value.items():
            if field == "type" and names.tag:
                renamed[field] = names.tag
                continue
            new_name, *types = names.fields.get(field, [field])
            renamed[new_name] = self.renamed(stored, types[0] if types else None)
        return renamed


def read_renaming(text: str) -> Renaming:
    """Read a renaming from the text of its file."""
    return msgspec.json.decode(text, type=Renaming)


def apply_renaming(db: Database, renaming: Renaming) -> None:
    """Write every stored value again under its new names. The caller holds the transaction.

    Raises:
        msgspec.MsgspecError, KeyError, ValueError: a stored value is not of the type that the renaming says.
    """
    with db.without_triggers(_TRIGGERS) as there:
        has_blobs = "finished_hand_stands" in there  # hands became blobs with migration 4
        for column in renaming.columns:
            if column.table == "snapshot" and has_blobs:
                complete_saved_states(db)
            _rename_column(db, renaming, column)
            if column.table == "event" and has_blobs:
                _rename_finished_hands(db, renaming, column)


def _rename_finished_hands(db: Database, renaming: Renaming, column: ColumnOfValues) -> None:
    """Write the events in the blobs of finished hands again, as those in the journal."""

    def renamed(events: bytes) -> bytes:
        return msgspec.msgpack.encode(renaming.renamed(msgspec.msgpack.decode(events), column.type))

    ids = [id_ for (id_,) in db.execute("SELECT id FROM finished_hand ORDER BY id")]
    try:
        rewrite_hands(db, ids, renamed)
    except (BlobUnreadable, ExchangeFailed) as error:
        raise ValueError(str(error)) from error


def _rename_column(db: Database, renaming: Renaming, column: ColumnOfValues) -> None:
    is_json = column.form == "json"
    decode = msgspec.json.decode if is_json else msgspec.msgpack.decode
    encode = msgspec.json.encode if is_json else msgspec.msgpack.encode
    matching = " AND ".join(f"{key} = ?" for key in column.key)
    update = f"UPDATE {column.table} SET {column.column} = ? WHERE {matching}"
    for rows in _pages(db, column):
        changes = []
        for *key, stored in rows:
            written = encode(renaming.renamed(decode(stored), column.type))
            if written != stored:
                changes.append((written, *key))
        db.executemany(update, changes)


def _pages(db: Database, column: ColumnOfValues) -> Iterator[list[tuple[Any, ...]]]:
    """Return the rows that hold a value, key first, page by page: no query stays open while the rows it found are written."""
    keys = ", ".join(column.key)
    conditions, fixed = [f"{column.column} IS NOT NULL"], []
    if column.like:
        conditions.append(f"{column.key[0]} LIKE ?")
        fixed.append(column.like)
    after: list[Any] = []
    while True:
        marks = ", ".join("?" * len(after))
        where = " AND ".join([*conditions, f"({keys}) > ({marks})"] if after else conditions)
        query = (
            f"SELECT {keys}, {column.column} FROM {column.table} WHERE {where} ORDER BY {keys} LIMIT {_ROWS_AT_A_TIME}"
        )
        rows = db.execute(query, [*fixed, *after]).fetchall()
        if not rows:
            return
        yield rows
        after = list(rows[-1][:-1])
