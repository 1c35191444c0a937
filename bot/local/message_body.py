"""Validate the body of a message that a bot sends or edits, with its uploads, and prepare the fields that it sets.

Source: Discord's documentation, "Create Message" and "Edit Message"; Discord's OpenAPI document for the limits.
"""

import mimetypes
import re
import struct
from typing import Any, NamedTuple
from urllib.parse import quote

from bot.local.blanks import blank
from bot.local.components import ComponentReader
from bot.local.errors import FieldPath, FormErrors, Json, api_error
from bot.local.storage import File
from bot.local.world import World

SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SUPPRESS_NOTIFICATIONS = 1 << 2, 1 << 6, 1 << 7, 1 << 12
COMPONENTS_V2 = 1 << 15
FLAGS_A_BOT_CAN_SET = SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2

MAX_UPLOAD_BYTES = 10 * 1024 * 1024  # over all files of one request, in a server without boosts
MAX_ATTACHMENTS = 10
MAX_CONTENT = 2000
MAX_EMBED_TEXT = 6000

_MENTION = re.compile(r"<@!?(\d{1,20})>")
_MEDIA_FIELDS = ("id", "url", "proxy_url", "width", "height", "content_type")
_EMBED_TEXTS = (("title", 256), ("description", 4096), ("url", 2048))


class Upload(NamedTuple):
    """A file that came with a request. `number` is n in the form field ``files[n]``."""

    number: int
    name: str
    type: str
    body: bytes


class ValidatedMessage(NamedTuple):
    """A validated message body: the message fields that it sets, and the new files by attachment id."""

    fields: Json
    files: dict[str, File]


class MessageBody:
    """One request body being validated.

    Args:
        old: the message that is edited; None for a new message.
        path: where the body stands in the request; an interaction's answer has it under ``data``.
        cdn: the address under which files are served, without a slash at the end.
    """

    def __init__(
        self,
        payload: Json,
        uploads: list[Upload],
        channel: Json,
        world: World,
        *,
        cdn: str,
        path: FieldPath = (),
        old: Json | None = None,
    ) -> None:
        self._payload = payload
        self._uploads = uploads
        self._channel = channel
        self._world = world
        self._cdn = cdn
        self._path = path
        self._old = old
        self._errors = FormErrors()
        self._fields: Json = {}

    def validate(self, *, ephemeral: bool = False) -> ValidatedMessage:
        """Validate the body. An edit sets only the fields that it names; a new message sets them all.

        Raises:
            ApiError: 50035 a field is invalid; 50006 the message would be empty; 40005 the files are too large.
        """
        v2 = self._set_flags(ephemeral=ephemeral)
        files = self._set_attachments()
        attachments: list[Json] = self._value_after("attachments")
        attachment_by_name = {attachment["filename"]: attachment for attachment in attachments}
        if v2:
            self._forbid_legacy_fields()
        if self._sets("content"):
            self._set_content(v2=v2)
        if self._sets("embeds"):
            self._set_embeds(attachment_by_name, v2=v2)
        component_texts = self._set_components(attachment_by_name, v2=v2) if self._sets("components") else []
        self._errors.raise_if_any()
        self._require_something_to_show(v2=v2)
        mentions = self._mentions(self._value_after("content") + "\n".join(component_texts))
        if self._old is None or "content" in self._payload or "components" in self._payload:
            self._fields["mentions"] = mentions
        return ValidatedMessage(self._fields, files)

    def _sets(self, field: str) -> bool:
        return self._old is None or field in self._payload

    def _value_after(self, field: str) -> Any:
        """Return a field as the message will have it."""
        if field in self._fields or self._old is None:
            return self._fields[field]
        return self._old[field]

    def _set_flags(self, *, ephemeral: bool) -> bool:
        """Set the flags. Returns whether the message uses components V2; an edit cannot switch that off."""
        given = self._payload.get("flags") or 0
        if not isinstance(given, int):
            self._errors.add((*self._path, "flags"), "NUMBER_TYPE_COERCE", f'Value "{given}" is not int.')
            given = 0
        new = given & FLAGS_A_BOT_CAN_SET & ~EPHEMERAL
        if self._old is None:
            flags = new | (EPHEMERAL if ephemeral else 0)
        else:
            flags = new | (self._old["flags"] & ~LOADING)
            if self._payload.get("flags") is not None and not new & SUPPRESS_EMBEDS:
                flags &= ~SUPPRESS_EMBEDS
        self._fields["flags"] = flags
        return bool(flags & COMPONENTS_V2)

    def _forbid_legacy_fields(self) -> None:
        """Note an error for each field that a message with components V2 cannot have."""
        switches_to_v2 = self._old is not None and not self._old["flags"] & COMPONENTS_V2
        for field in ("content", "embeds", "poll", "sticker_ids"):
            stays = switches_to_v2 and self._old is not None and field not in self._payload and self._old.get(field)
            if self._payload.get(field) or stays:
                code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
                message = f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                self._errors.add((*self._path, field), code, message)

    def _set_content(self, *, v2: bool) -> None:
        content = self._payload.get("content")
        if not v2:
            self._errors.text(self._payload, "content", self._path, MAX_CONTENT)
        self._fields["content"] = content if isinstance(content, str) and not v2 else ""

    def _set_components(self, attachment_by_name: dict[str, Json], *, v2: bool) -> list[str]:
        """Set the components. Returns the texts in them."""
        reader = ComponentReader(
            self._errors,
            v2=v2,
            find_media=lambda url: self._media(url, attachment_by_name),
            is_known_emoji=self._world.emojis.__contains__,
        )
        self._fields["components"] = reader.read(self._payload.get("components"), (*self._path, "components"))
        return reader.texts

    def _media(self, url: str, attachment_by_name: dict[str, Json]) -> Json | None:
        """Return the media object for an attachment or a web address; None if there is no such attachment."""
        if not url.startswith("attachment://"):
            return blank("media", id=self._world.clock.new_id(), url=url, proxy_url=url)
        attachment = attachment_by_name.get(url.removeprefix("attachment://"))
        if attachment is None:
            return None
        shown = {key: attachment[key] for key in _MEDIA_FIELDS if key in attachment}
        return blank("media", **shown, attachment_id=attachment["id"])

    def _require_something_to_show(self, *, v2: bool) -> None:
        if v2:
            shown = self._value_after("components")
        else:
            content, embeds = self._value_after("content"), self._value_after("embeds")
            shown = content.strip() or embeds or self._value_after("attachments")
        if not shown:
            raise api_error(50006)

    def _mentions(self, text: str) -> list[Json]:
        """Return the users mentioned in the text, as far as `allowed_mentions` lets them be notified."""
        allowed = self._payload.get("allowed_mentions")
        everybody, some = True, frozenset[str]()
        if isinstance(allowed, dict):
            everybody = "users" in (allowed.get("parse") or ())
            some = frozenset(map(str, allowed.get("users") or ()))
            if everybody and some:
                message = 'parse:["users"] and users: [ids...] are mutually exclusive.'
                code = "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
                self._errors.add((*self._path, "allowed_mentions"), code, message)
                self._errors.raise_if_any()
        if not everybody and not some:
            return []
        mentioned = dict.fromkeys(_MENTION.findall(text))  # each once, in order
        people = self._world.people
        return [people[each].user for each in mentioned if each in people and (everybody or each in some)]

    # -- attachments --------------------------------------------------------------------------------------------------

    def _set_attachments(self) -> dict[str, File]:
        """Set the attachments that stay and the new ones. Returns the new files by attachment id."""
        if sum(len(upload.body) for upload in self._uploads) > MAX_UPLOAD_BYTES:
            raise api_error(40005)
        listed = self._payload.get("attachments")
        if listed is None:
            attachments: list[Json] = list(self._old["attachments"]) if self._old else []
            new: list[tuple[Upload, str | None]] = [(upload, None) for upload in self._uploads]
        else:
            attachments, new = self._listed_attachments(listed)
        if len(new) + len(attachments) > MAX_ATTACHMENTS:
            self._errors.add_wrong_length((*self._path, "attachments"), 0, MAX_ATTACHMENTS)
        if self._old is not None and listed is None and not new:
            return {}
        files = {}
        for upload, description in new:
            attachment = self._attachment(upload, description)
            files[attachment["id"]] = File(attachment["filename"], attachment["content_type"], upload.body)
            attachments.append(attachment)
        self._fields["attachments"] = attachments
        return files

    def _listed_attachments(self, listed: Any) -> tuple[list[Json], list[tuple[Upload, str | None]]]:
        """Return the old attachments that the body lists, and the uploads that it lists with their descriptions."""
        path = (*self._path, "attachments")
        if not isinstance(listed, list) or len(listed) > MAX_ATTACHMENTS:
            self._errors.add_wrong_length(path, 0, MAX_ATTACHMENTS)
            listed = []
        old_by_id = {attachment["id"]: attachment for attachment in self._old["attachments"]} if self._old else {}
        upload_by_number = {str(upload.number): upload for upload in self._uploads}
        staying, new = [], []
        for index, item in enumerate(listed):
            given_id = str(item.get("id")) if isinstance(item, dict) else ""
            if given_id in upload_by_number:
                upload = upload_by_number[given_id]
                description = self._errors.text(item, "description", (*path, index), 1024)
                new.append((upload._replace(name=item.get("filename") or upload.name), description))
            elif given_id in old_by_id:
                staying.append(old_by_id[given_id])
            else:
                message = f"Attachment {given_id!r} was not found"
                self._errors.add((*path, index, "id"), "ATTACHMENT_NOT_FOUND", message)
        return staying, new

    def _attachment(self, upload: Upload, description: str | None) -> Json:
        name = re.sub(r"[^\w.\-]", "_", upload.name) or "file"
        attachment_id = self._world.clock.new_id()
        url = f"{self._cdn}/attachments/{self._channel['id']}/{attachment_id}/{quote(name)}"
        attachment: Json = {
            "id": attachment_id,
            "filename": name,
            "size": len(upload.body),
            "url": url,
            "proxy_url": url,
            "content_type": mimetypes.guess_type(name)[0] or upload.type or "application/octet-stream",
        }
        image = read_image_header(upload.body)
        if image is not None:  # what the file is counts, not its name: not every system knows the names
            attachment |= {"content_type": image.type, "width": image.width, "height": image.height}
        if description:
            attachment["description"] = description
        return attachment

    # -- embeds -------------------------------------------------------------------------------------------------------

    def _set_embeds(self, attachment_by_name: dict[str, Json], *, v2: bool) -> None:
        self._fields["embeds"] = []
        embeds = None if v2 else self._payload.get("embeds")
        if embeds is None:
            return
        path = (*self._path, "embeds")
        length = 0
        for embed_path, embed in self._errors.dictionaries(embeds, path, 0, 10):
            length += self._embed_text_length(embed, embed_path)
            self._fields["embeds"].append(self._embed_with_images(embed, embed_path, attachment_by_name))
        if length > MAX_EMBED_TEXT:
            message = f"Embed size exceeds maximum size of {MAX_EMBED_TEXT}"
            self._errors.add(path, "MAX_EMBED_SIZE_EXCEEDED", message)

    def _embed_text_length(self, embed: Json, path: FieldPath) -> int:
        """Validate the texts of an embed. Returns how many characters they have together."""
        errors = self._errors
        texts = [errors.text(embed, key, path, maximum) for key, maximum in _EMBED_TEXTS]
        for field_path, field in errors.dictionaries(embed.get("fields") or [], (*path, "fields"), 0, 25):
            texts.append(errors.text(field, "name", field_path, 256, 1, required=True))
            texts.append(errors.text(field, "value", field_path, 1024, 1, required=True))
        texts.append(errors.text(errors.dictionary(embed, "footer", path), "text", (*path, "footer"), 2048))
        texts.append(errors.text(errors.dictionary(embed, "author", path), "name", (*path, "author"), 256))
        return sum(len(text) for text in texts if text)

    def _embed_with_images(self, embed: Json, path: FieldPath, attachment_by_name: dict[str, Json]) -> Json:
        """Return the embed with the addresses of the attachments that it shows."""
        result = {**embed, "type": "rich"}
        for key in ("image", "thumbnail"):
            image = self._errors.dictionary(embed, key, path)
            url = self._errors.text(image, "url", (*path, key), 2048)
            if url and url.startswith("attachment://"):
                attachment = attachment_by_name.get(url.removeprefix("attachment://"))
                if attachment is not None:
                    result[key] = {"url": attachment["url"], "proxy_url": attachment["proxy_url"]}
        return result


class ImageHeader(NamedTuple):
    """What the first bytes of an image say: its content type, and its size in pixels."""

    type: str
    width: int
    height: int


def read_image_header(body: bytes) -> ImageHeader | None:
    """Read the header of a PNG, GIF or WebP image; None for other files."""
    if body[:8] == b"\x89PNG\r\n\x1a\n" and len(body) >= 24:
        return ImageHeader("image/png", *struct.unpack(">II", body[16:24]))
    if body[:4] == b"GIF8" and len(body) >= 10:
        return ImageHeader("image/gif", *struct.unpack("<HH", body[6:10]))
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP" and len(body) >= 30:
        match body[12:16]:
            case b"VP8 ":
                width, height = struct.unpack("<HH", body[26:30])
                return ImageHeader("image/webp", width & 0x3FFF, height & 0x3FFF)
            case b"VP8L":
                packed = int.from_bytes(body[21:25], "little")
                return ImageHeader("image/webp", (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
            case b"VP8X":
                width, height = int.from_bytes(body[24:27], "little"), int.from_bytes(body[27:30], "little")
                return ImageHeader("image/webp", width + 1, height + 1)
    return None
