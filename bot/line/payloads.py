"""Messages as Discord takes them: raw payloads, without building a view for each message."""

from __future__ import annotations

from typing import Any

import msgspec

Raw = dict[str, Any]

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
"""Types of an interaction's answer."""

SUPPRESS_NOTIFICATIONS, EPHEMERAL, COMPONENTS_V2 = 1 << 12, 1 << 6, 1 << 15
"""Flags of a message: no notification, for one person alone, Components V2."""

NO_MENTIONS: Raw = {"parse": []}
"""Allowed mentions: none."""


class AttachedFile(msgspec.Struct, frozen=True, gc=False):
    """A file that goes with a message.

    Attributes:
        content_type: ``text/plain``, ``image/webp``.
        description: what a screen reader says of it; at most 1,024 characters.
    """

    name: str
    content: bytes
    content_type: str = "text/plain"
    description: str = ""

    def __repr__(self) -> str:
        """Tell nothing of what is in it, because this can end up in a log (TL-37)."""
        return f"<file {self.name}, {len(self.content)} bytes>"


def private_file_data(content: str, file: AttachedFile) -> Raw:
    """Return a message with a file, for one person alone."""
    data: Raw = {"content": content, "flags": EPHEMERAL, "allowed_mentions": NO_MENTIONS}
    return data | attachments_data(file)


def attachments_data(file: AttachedFile | None) -> Raw:
    """Return the part of a message that names the files it has from now on: this one, or none. Without it a message keeps its files."""
    if file is None:
        return {"attachments": []}
    attachment: Raw = {"id": 0, "filename": file.name}
    if file.description:
        attachment["description"] = file.description
    return {"attachments": [attachment]}


def message_data(components: list[Raw], file: AttachedFile | None = None, *, keeps_files: bool = True) -> Raw:
    """Return a message of Components V2 that mentions nobody.

    Args:
        file: replaces all files that the message has.
        keeps_files: without a new file, an edit leaves the message those that it has.
    """
    data: Raw = {"flags": COMPONENTS_V2, "components": components, "allowed_mentions": NO_MENTIONS}
    return data if file is None and keeps_files else data | attachments_data(file)


def private(data: Raw) -> Raw:
    """Return a message of Components V2 as one that one person alone sees."""
    return data | {"flags": data["flags"] | EPHEMERAL}


def private_message_data(components: list[Raw], file: AttachedFile | None = None) -> Raw:
    """The same, for one person alone."""
    data: Raw = {"flags": COMPONENTS_V2 | EPHEMERAL, "components": components, "allowed_mentions": NO_MENTIONS}
    return data if file is None else data | attachments_data(file)


def body_of(data: Raw, file: AttachedFile | None) -> Raw:
    """Return what discord.py sends a message with."""
    return {"json": data} if file is None else {"form": form_fields(data, file)}


def form_fields(payload: Raw | None, file: AttachedFile) -> list[Raw]:
    """Return the fields of a request that carries a file."""
    json = msgspec.json.encode(payload).decode()
    return [
        {"name": "payload_json", "value": json, "content_type": "application/json"},
        {"name": "files[0]", "value": file.content, "filename": file.name, "content_type": file.content_type},
    ]
