"""Messages: reading what a bot wants to say, saying it, changing it, and telling those who may know.

Source: Discord's documentation, "Create Message" and "Edit Message"; limits from its OpenAPI document.
"""

from __future__ import annotations

import mimetypes
import re
import struct
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import quote

from bot.local.components import Reader
from bot.local.errors import FormErrors, Json, Path, refuse
from bot.local.storage import File
from bot.local.viewers import Viewers
from bot.local.world import DM_CHANNEL, World

SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SUPPRESS_NOTIFICATIONS = 1 << 2, 1 << 6, 1 << 7, 1 << 12
COMPONENTS_V2 = 1 << 15
SETTABLE = SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2

UPLOAD_MAX = 10 * 1024 * 1024  # bytes over all files of one request, without boosts
CONTENT_MAX = 2000
EMBED_TEXT_MAX = 6000
PRIVATE_MAX = 10_000  # ephemeral messages remembered, over all people

_MENTION = re.compile(r"<@!?(\d{1,20})>")


class Upload(NamedTuple):
    """A file that came with a request, under its number in ``files[n]``."""

    number: int
    name: str
    type: str
    body: bytes


class Draft(NamedTuple):
    """A checked message, ready to be said: the fields to set, and the files to keep with it."""

    fields: Json
    files: dict[str, File]


class Messages:
    """Says, changes and takes back messages. `dispatch` sends a gateway event to the bot.

    Args:
        cdn: the public address under which files are served, without a slash at the end.
    """

    def __init__(self, world: World, viewers: Viewers, dispatch: Callable[[str, Json, Json | None], None]) -> None:
        self.world = world
        self.viewers = viewers
        self.cdn = ""
        self._dispatch = dispatch
        self.private: dict[str, tuple[Json, str]] = {}  # ephemeral messages by id, with whom they are for
        self._dismissed: set[str] = set()  # ephemeral messages that their reader has put away
        self._gone: set[str] = set()  # deleted while this process ran

    # -- reading ------------------------------------------------------------------------------------------------------

    def read(
        self,
        payload: Json,
        uploads: list[Upload],
        channel: Json,
        *,
        path: Path = (),
        old: Json | None = None,
        ephemeral: bool = False,
    ) -> Draft:
        """Check a message body and work out what it sets. `old` is the message being edited.

        Raises:
            ApiError: 50035 with all faults, 50006 nothing to say, 40005 too many bytes.
        """
        faults = FormErrors()
        fields: Json = {}
        given = payload.get("flags") or 0
        if not isinstance(given, int):
            faults.add((*path, "flags"), "NUMBER_TYPE_COERCE", f'Value "{given}" is not int.')
            given = 0
        flags = given & SETTABLE & ~EPHEMERAL
        before = old["flags"] if old else 0
        v2 = bool((flags | before) & COMPONENTS_V2)
        fields["flags"] = flags | (before & ~LOADING) if old else flags | (EPHEMERAL if ephemeral else 0)
        if old is not None and payload.get("flags") is not None and not flags & SUPPRESS_EMBEDS:
            fields["flags"] &= ~SUPPRESS_EMBEDS

        files = self._attachments(payload, uploads, channel, faults, path, old, fields)
        standing: list[Json] = fields["attachments"] if "attachments" in fields or old is None else old["attachments"]
        shown = {attachment["filename"]: attachment for attachment in standing}
        if v2:
            self._no_legacy(payload, faults, path, old)
        content = payload.get("content")
        if "content" in payload or old is None:
            if not v2:
                faults.text(payload, "content", path, CONTENT_MAX)
            fields["content"] = content if isinstance(content, str) and not v2 else ""
        if "embeds" in payload or old is None:
            fields["embeds"] = [] if v2 else _embeds(payload.get("embeds"), faults, (*path, "embeds"), shown)

        texts: list[str] = []
        if "components" in payload or old is None:
            reader = Reader(
                faults, v2=v2, media=lambda url: self._media(url, shown), emoji_known=self.world.emojis.__contains__
            )
            fields["components"] = reader.read(payload.get("components"), (*path, "components"))
            texts = reader.texts
        faults.check()
        self._not_empty(fields, old, v2=v2)
        said: str = fields["content"] if "content" in fields or old is None else old["content"]
        mentioned = self._mentions(said + "\n".join(texts), payload.get("allowed_mentions"), path)
        if old is None or "content" in payload or "components" in payload:
            fields["mentions"] = mentioned
        return Draft(fields, files)

    @staticmethod
    def _no_legacy(payload: Json, faults: FormErrors, path: Path, old: Json | None) -> None:
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        fresh = old is not None and not old["flags"] & COMPONENTS_V2
        for field in ("content", "embeds", "poll", "sticker_ids"):
            left_over = fresh and old is not None and field not in payload and old.get(field)
            if payload.get(field) or left_over:
                words = f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                faults.add((*path, field), code, words)

    @staticmethod
    def _not_empty(fields: Json, old: Json | None, *, v2: bool) -> None:
        after = {**old, **fields} if old else fields
        said = after["components"] if v2 else after["content"].strip() or after["embeds"] or after["attachments"]
        if not said:
            raise refuse(50006)

    def _attachments(
        self,
        payload: Json,
        uploads: list[Upload],
        channel: Json,
        faults: FormErrors,
        path: Path,
        old: Json | None,
        fields: Json,
    ) -> dict[str, File]:
        """Which attachments stay, and the new ones; returns the new files by attachment id."""
        if sum(len(upload.body) for upload in uploads) > UPLOAD_MAX:
            raise refuse(40005)
        listed = payload.get("attachments")
        path = (*path, "attachments")
        kept = {a["id"]: a for a in old["attachments"]} if old else {}
        if listed is None:
            result = list(kept.values())
            new: list[tuple[Upload, str | None]] = [(upload, None) for upload in uploads]
        else:
            if not isinstance(listed, list) or len(listed) > 10:
                faults.bad_length(path, 0, 10)
                listed = []
            by_number = {str(upload.number): upload for upload in uploads}
            result, new = [], []
            for index, item in enumerate(listed):
                given = str(item.get("id")) if isinstance(item, dict) else ""
                if given in by_number:
                    description = faults.text(item, "description", (*path, index), 1024)
                    new.append(
                        (by_number[given]._replace(name=item.get("filename") or by_number[given].name), description)
                    )
                elif given in kept:
                    result.append(kept[given])
                else:
                    faults.add((*path, index, "id"), "ATTACHMENT_NOT_FOUND", f"Attachment {given!r} was not found")
        if len(new) + len(result) > 10:
            faults.bad_length(path, 0, 10)
        if old is None or listed is not None or new:
            files = {}
            for upload, description in new:
                attachment = self._attachment(upload, description, channel["id"])
                files[attachment["id"]] = File(attachment["filename"], attachment["content_type"], upload.body)
                result.append(attachment)
            fields["attachments"] = result
            return files
        return {}

    def _attachment(self, upload: Upload, description: str | None, channel_id: str) -> Json:
        name = re.sub(r"[^\w.\-]", "_", upload.name) or "file"
        attachment_id = self.world.clock.new_id()
        url = f"{self.cdn}/attachments/{channel_id}/{attachment_id}/{quote(name)}"
        attachment: Json = {
            "id": attachment_id,
            "filename": name,
            "size": len(upload.body),
            "url": url,
            "proxy_url": url,
            "content_type": mimetypes.guess_type(name)[0] or upload.type or "application/octet-stream",
        }
        size = picture_size(upload.body)
        if size:
            attachment["width"], attachment["height"] = size
        if description:
            attachment["description"] = description
        return attachment

    def _media(self, url: str, shown: dict[str, Json]) -> Json | None:
        if not url.startswith("attachment://"):
            return {
                "id": self.world.clock.new_id(),
                "url": url,
                "proxy_url": url,
                "width": None,
                "height": None,
                "content_type": None,
            }
        attachment = shown.get(url.removeprefix("attachment://"))
        if attachment is None:
            return None
        return {
            "id": attachment["id"],
            "url": attachment["url"],
            "proxy_url": attachment["proxy_url"],
            "width": attachment.get("width"),
            "height": attachment.get("height"),
            "content_type": attachment["content_type"],
            "attachment_id": attachment["id"],
        }

    def _mentions(self, text: str, allowed: Any, path: Path) -> list[Json]:
        """The users that this text calls; `allowed` is the request's allowed_mentions."""
        everybody, some = True, frozenset[str]()
        if isinstance(allowed, dict):
            everybody = "users" in (allowed.get("parse") or ())
            some = frozenset(map(str, allowed.get("users") or ()))
            if everybody and some:
                faults = FormErrors()
                words = 'parse:["users"] and users: [ids...] are mutually exclusive.'
                faults.add((*path, "allowed_mentions"), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", words)
                faults.check()
        if not everybody and not some:
            return []
        called = dict.fromkeys(_MENTION.findall(text))
        people = self.world.people
        return [people[i].user for i in called if i in people and (everybody or i in some)]

    # -- saying -------------------------------------------------------------------------------------------------------

    def say(self, channel: Json, draft: Draft, **extra: Any) -> Json:
        """A new message of the bot."""
        message = self.blank(channel)
        message.update(draft.fields)
        message.update(extra)
        self._keep_files(draft)
        self.world.keep_message(message)
        if channel["type"] in (10, 11, 12):
            channel["message_count"] += 1
            channel["total_message_sent"] += 1
        self.viewers.tell_channel(channel, {"t": "create", "message": message})
        self._dispatch("MESSAGE_CREATE", message, channel)
        return message

    def say_privately(self, channel: Json, draft: Draft, person_id: str, **extra: Any) -> Json:
        """An ephemeral message: kept in memory only, shown to one person only."""
        message = self.blank(channel)
        message.update(draft.fields)
        message.update(extra)
        for attachment in message["attachments"]:
            attachment["ephemeral"] = True
        self._keep_files(draft)
        self.private[message["id"]] = (message, person_id)
        if len(self.private) > PRIVATE_MAX:
            oldest = next(iter(self.private))
            del self.private[oldest]
            self._gone.add(oldest)
        self.viewers.tell(person_id, {"t": "create", "message": message})
        return message

    def blank(self, channel: Json) -> Json:
        """A message of the bot that says nothing yet."""
        return {
            "id": self.world.clock.new_id(),
            "channel_id": channel["id"],
            "type": 0,
            "author": self.world.bot.user,
            "content": "",
            "embeds": [],
            "attachments": [],
            "components": [],
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
            "timestamp": self.world.clock.stamp(),
            "edited_timestamp": None,
            "flags": 0,
        }

    def change(self, message: Json, draft: Draft) -> None:
        """Edit a message, public or ephemeral. A deferred answer that is filled in is not marked as edited."""
        self._keep_files(draft)
        if "attachments" in draft.fields:
            staying = {attachment["id"] for attachment in draft.fields["attachments"]}
            for attachment in message["attachments"]:
                if attachment["id"] not in staying:
                    self.world.storage.forget_file(attachment["id"])
        if not message["flags"] & LOADING:
            message["edited_timestamp"] = self.world.clock.stamp()
        message.update(draft.fields)
        self.changed(message)

    def changed(self, message: Json) -> None:
        """Store a changed message and show it again."""
        private = self.private.get(message["id"])
        if private is not None:
            if message["id"] not in self._dismissed:
                self.viewers.tell(private[1], {"t": "update", "message": message})
            return
        self.world.save_message(message)
        channel = self.world.channels[message["channel_id"]]
        self.viewers.tell_channel(channel, {"t": "update", "message": message})
        self._dispatch("MESSAGE_UPDATE", message, channel)

    def take_back(self, message: Json) -> None:
        """Delete a message, public or ephemeral."""
        gone = {"t": "delete", "channel_id": message["channel_id"], "id": message["id"]}
        self._gone.add(message["id"])
        private = self.private.pop(message["id"], None)
        if private is not None:
            for attachment in message["attachments"]:
                self.world.storage.forget_file(attachment["id"])
            self.viewers.tell(private[1], gone)
            return
        self.world.drop_message(message)
        channel = self.world.channels[message["channel_id"]]
        self.viewers.tell_channel(channel, gone)
        event = {"id": message["id"], "channel_id": message["channel_id"]}
        self._dispatch("MESSAGE_DELETE", event, channel)

    def is_gone(self, message: Json) -> bool:
        """Whether this message, once said, has been deleted or went with its channel."""
        return message["id"] in self._gone or message["channel_id"] not in self.world.channels

    def private_of(self, person_id: str, channel_id: str) -> list[Json]:
        """The ephemeral messages a person still has before them in a channel."""
        return [
            message
            for message, owner in self.private.values()
            if owner == person_id and message["channel_id"] == channel_id and message["id"] not in self._dismissed
        ]

    def dismiss(self, person_id: str, message_id: str) -> None:
        """A person puts an ephemeral message away. The bot does not notice: it can still edit it."""
        private = self.private.get(message_id)
        if private is not None and private[1] == person_id:
            self._dismissed.add(message_id)
            gone = {"t": "delete", "channel_id": private[0]["channel_id"], "id": message_id}
            self.viewers.tell(person_id, gone)

    def _keep_files(self, draft: Draft) -> None:
        for attachment_id, file in draft.files.items():
            self.world.storage.save_file(attachment_id, file)


def with_guild(message: Json, channel: Json) -> Json:
    """The same message as the gateway sends it."""
    return message if channel["type"] == DM_CHANNEL else {**message, "guild_id": channel["guild_id"]}


def picture_size(body: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, GIF or WebP, else None."""
    if body[:8] == b"\x89PNG\r\n\x1a\n" and len(body) >= 24:
        return struct.unpack(">II", body[16:24])
    if body[:4] == b"GIF8" and len(body) >= 10:
        return struct.unpack("<HH", body[6:10])
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP" and len(body) >= 30:
        match body[12:16]:
            case b"VP8 ":
                width, height = struct.unpack("<HH", body[26:30])
                return width & 0x3FFF, height & 0x3FFF
            case b"VP8L":
                packed = int.from_bytes(body[21:25], "little")
                return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
            case b"VP8X":
                return int.from_bytes(body[24:27], "little") + 1, int.from_bytes(body[27:30], "little") + 1
    return None


_EMBED_LIMITS = (("title", 256), ("description", 4096), ("url", 2048))


def _embeds(embeds: Any, faults: FormErrors, path: Path, shown: dict[str, Json]) -> list[Json]:
    """Check embeds (the older way of showing things) and resolve their pictures."""
    if embeds is None:
        return []
    result, total = [], 0
    for here, embed in faults.objects(embeds, path, 0, 10):
        texts = [faults.text(embed, key, here, longest) for key, longest in _EMBED_LIMITS]
        for place, each in faults.objects(embed.get("fields") or [], (*here, "fields"), 0, 25):
            texts.append(faults.text(each, "name", place, 256, 1, required=True))
            texts.append(faults.text(each, "value", place, 1024, 1, required=True))
        texts.append(faults.text(faults.part(embed, "footer", here), "text", (*here, "footer"), 2048))
        texts.append(faults.text(faults.part(embed, "author", here), "name", (*here, "author"), 256))
        total += sum(len(text) for text in texts if text)
        read = {**embed, "type": "rich"}
        for key in ("image", "thumbnail"):
            url = faults.text(faults.part(embed, key, here), "url", (*here, key), 2048)
            if url and url.startswith("attachment://"):
                attachment = shown.get(url.removeprefix("attachment://"))
                if attachment is not None:
                    read[key] = {"url": attachment["url"], "proxy_url": attachment["proxy_url"]}
        result.append(read)
    if total > EMBED_TEXT_MAX:
        faults.add(path, "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBED_TEXT_MAX}")
    return result
