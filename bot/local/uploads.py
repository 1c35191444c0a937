"""Files that people choose in a form: kept in memory until the form is sent and the bot has fetched them.

Source: Discord's documentation, "File Upload" (a modal's component 19: its values are ids, and `resolved` has the attachments).
"""

from collections import OrderedDict
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from bot.local.clock import AdjustableClock
from bot.local.errors import InvalidAction, Json
from bot.local.message_body import MAX_UPLOAD_BYTES
from bot.local.storage import File, Storage

MAX_FILES = 20
MAX_BYTES = 5 * MAX_UPLOAD_BYTES
MAX_FILES_OF_PERSON = 3
KEPT_SECONDS = 15 * 60.0
MAX_NAME_LENGTH = 100
CONTENT_TYPE = "application/octet-stream"
"""What every such file is served as, whatever it claims to be: it must never run as a page of this server."""


class _Upload(Struct, frozen=True):
    person_id: str
    at: float
    attachment: Json


class Uploads:
    """The files that people have chosen and not sent yet, or sent a moment ago. The oldest go first."""

    def __init__(self, clock: AdjustableClock, storage: Storage) -> None:
        self.cdn = ""
        self._clock = clock
        self._storage = storage
        self._uploads: OrderedDict[str, _Upload] = OrderedDict()

    def add(self, person_id: str, name: str, body: bytes) -> Json:
        """Keep a file. Returns it as the page knows it.

        Raises:
            InvalidAction: it is too large, or it has no name.
        """
        if len(body) > MAX_UPLOAD_BYTES:
            raise InvalidAction(f"A file can have at most {MAX_UPLOAD_BYTES // 1024 // 1024} MB.")
        plain = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in name[-MAX_NAME_LENGTH:])
        if not plain.strip("._-"):
            raise InvalidAction("That file has no name.")
        now = self._clock.now()
        for id_, upload in list(self._uploads.items()):
            if now - upload.at > KEPT_SECONDS:
                self._drop(id_)
        own = [id_ for id_, upload in self._uploads.items() if upload.person_id == person_id]
        for id_ in own[: max(0, len(own) + 1 - MAX_FILES_OF_PERSON)]:
            self._drop(id_)
        while self._uploads and (len(self._uploads) >= MAX_FILES or self._bytes() + len(body) > MAX_BYTES):
            self._drop(next(iter(self._uploads)))
        new_id = self._clock.new_id()
        url = f"{self.cdn}/ephemeral-attachments/{person_id}/{new_id}/{quote(plain)}"
        attachment: Json = {
            "id": new_id, "filename": plain, "size": len(body), "url": url, "proxy_url": url, "content_type": CONTENT_TYPE,
            "ephemeral": True,
        }  # fmt: skip
        self._storage.save_file(new_id, File(plain, CONTENT_TYPE, body), private=True)
        self._uploads[new_id] = _Upload(person_id, now, attachment)
        return {"id": new_id, "filename": plain, "size": len(body)}

    def resolve(self, person_id: str, ids: list[Any]) -> dict[str, Json]:
        """Return a person's files by their ids, as the bot gets them.

        Raises:
            InvalidAction: one of them is not there, or somebody else's.
        """
        found: dict[str, Json] = {}
        for id_ in ids:
            upload = self._uploads.get(id_) if isinstance(id_, str) else None
            if upload is None or upload.person_id != person_id:
                raise InvalidAction("That file is not there any more. Choose it again.")
            found[id_] = upload.attachment
        return found

    def _bytes(self) -> int:
        return sum(upload.attachment["size"] for upload in self._uploads.values())

    def _drop(self, id_: str) -> None:
        del self._uploads[id_]
        self._storage.delete_file(id_)
