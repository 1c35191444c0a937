"""Messages: post, edit and delete them, and tell the bot and the open pages about it.

Source: Discord's documentation, "Message" and "Interactions: Receiving and Responding" (ephemeral messages).
"""

from collections.abc import Callable
from typing import Any

from bot.local.blanks import blank
from bot.local.errors import FieldPath, Json
from bot.local.message_body import LOADING, MessageBody, Upload, ValidatedMessage
from bot.local.open_pages import OpenPages
from bot.local.world import DM_CHANNEL, THREADS, World

MAX_EPHEMERAL = 10_000  # ephemeral messages in memory, over all people
MAX_DELETED = 20_000  # ids of deleted messages in memory; nothing older can still be answered


class Messages:
    """Posts, edits and deletes messages. Ephemeral messages are kept in memory only.

    Attributes:
        cdn: the public address under which files are served, without a slash at the end.
        ephemeral: ephemeral messages by id, with the id of the person who sees them.

    Args:
        dispatch: sends a gateway event to the bot: its name, its data, the channel it belongs to.
    """

    def __init__(self, world: World, pages: OpenPages, dispatch: Callable[[str, Json, Json | None], None]) -> None:
        self.world = world
        self.cdn = ""
        self.ephemeral: dict[str, tuple[Json, str]] = {}
        self._pages = pages
        self._dispatch = dispatch
        self._dismissed: set[str] = set()  # ids of ephemeral messages that their reader has dismissed
        self._deleted: dict[str, None] = {}  # ids of messages deleted since the start, oldest first

    def validate(
        self,
        payload: Json,
        uploads: list[Upload],
        channel: Json,
        *,
        path: FieldPath = (),
        old: Json | None = None,
        ephemeral: bool = False,
    ) -> ValidatedMessage:
        """Validate a message body. See `MessageBody` for the arguments and the errors."""
        body = MessageBody(payload, uploads, channel, self.world, cdn=self.cdn, path=path, old=old)
        return body.validate(ephemeral=ephemeral)

    # -- posting ------------------------------------------------------------------------------------------------------

    def post(self, channel: Json, validated: ValidatedMessage, **more_fields: Any) -> Json:
        """Post a message, of the bot unless `more_fields` names another author. Returns the message."""
        message = self.blank(channel) | validated.fields | more_fields
        self._save_files(validated, private=channel["type"] == DM_CHANNEL)
        self.world.add_message(message)
        if channel["type"] in THREADS:
            channel["message_count"] += 1
            channel["total_message_sent"] += 1
        self._pages.send_to_channel(channel, {"t": "create", "message": message})
        self._dispatch("MESSAGE_CREATE", message, channel)
        return message

    def post_ephemeral(self, channel: Json, validated: ValidatedMessage, person_id: str, **more_fields: Any) -> Json:
        """Post a message of the bot that only one person sees. Returns the message."""
        message = self.blank(channel) | validated.fields | more_fields
        for attachment in message["attachments"]:
            attachment["ephemeral"] = True
        self._save_files(validated, private=True)
        self.ephemeral[message["id"]] = (message, person_id)
        if len(self.ephemeral) > MAX_EPHEMERAL:
            oldest = next(iter(self.ephemeral))
            evicted, _ = self.ephemeral.pop(oldest)
            for attachment in evicted["attachments"]:
                self.world.storage.delete_file(attachment["id"])
            self._remember_deleted(oldest)
        self._pages.send_to_person(person_id, {"t": "create", "message": message})
        return message

    def blank(self, channel: Json) -> Json:
        """Return an empty message of the bot, not yet posted."""
        clock = self.world.clock
        own = {"id": clock.new_id(), "channel_id": channel["id"], "timestamp": clock.timestamp()}
        return blank("message", author=self.world.bot.user, **own)

    # -- editing and deleting -----------------------------------------------------------------------------------------

    def edit(self, message: Json, validated: ValidatedMessage) -> None:
        """Edit a message, ephemeral or not. Filling in a deferred answer does not mark it as edited."""
        is_direct = self.world.channels[message["channel_id"]]["type"] == DM_CHANNEL
        self._save_files(validated, private=is_direct or message["id"] in self.ephemeral)
        if "attachments" in validated.fields:
            staying = {attachment["id"] for attachment in validated.fields["attachments"]}
            for attachment in message["attachments"]:
                if attachment["id"] not in staying:
                    self.world.storage.delete_file(attachment["id"])
        if not message["flags"] & LOADING:
            message["edited_timestamp"] = self.world.clock.timestamp()
        message.update(validated.fields)
        self.publish_change(message)

    def publish_change(self, message: Json) -> None:
        """Store a changed message and send it to the bot and to the pages that show it."""
        found = self.ephemeral.get(message["id"])
        if found is not None:
            if message["id"] not in self._dismissed:
                self._pages.send_to_person(found[1], {"t": "update", "message": message})
            return
        self.world.save_message(message)
        channel = self.world.channels[message["channel_id"]]
        self._pages.send_to_channel(channel, {"t": "update", "message": message})
        self._dispatch("MESSAGE_UPDATE", message, channel)

    def delete(self, message: Json) -> None:
        """Delete a message, ephemeral or not."""
        frame = {"t": "delete", "channel_id": message["channel_id"], "id": message["id"]}
        self._remember_deleted(message["id"])
        found = self.ephemeral.pop(message["id"], None)
        if found is not None:
            for attachment in message["attachments"]:
                self.world.storage.delete_file(attachment["id"])
            self._pages.send_to_person(found[1], frame)
            return
        self.world.delete_message(message)
        channel = self.world.channels[message["channel_id"]]
        self._pages.send_to_channel(channel, frame)
        event = {"id": message["id"], "channel_id": message["channel_id"]}
        self._dispatch("MESSAGE_DELETE", event, channel)

    def _remember_deleted(self, message_id: str) -> None:
        self._dismissed.discard(message_id)
        self._deleted[message_id] = None
        if len(self._deleted) > MAX_DELETED:
            del self._deleted[next(iter(self._deleted))]

    def is_deleted(self, message: Json) -> bool:
        """Return whether this message has been deleted, by itself or with its channel."""
        return message["id"] in self._deleted or message["channel_id"] not in self.world.channels

    # -- ephemeral messages -------------------------------------------------------------------------------------------

    def ephemeral_for(self, person_id: str, channel_id: str) -> list[Json]:
        """Return the ephemeral messages that a person sees in a channel."""
        return [
            message
            for message, reader_id in self.ephemeral.values()
            if reader_id == person_id and message["channel_id"] == channel_id and message["id"] not in self._dismissed
        ]

    def dismiss(self, person_id: str, message_id: str) -> None:
        """Hide an ephemeral message from its reader. The bot is not told and can still edit the message."""
        found = self.ephemeral.get(message_id)
        if found is not None and found[1] == person_id:
            self._dismissed.add(message_id)
            frame = {"t": "delete", "channel_id": found[0]["channel_id"], "id": message_id}
            self._pages.send_to_person(person_id, frame)

    def _save_files(self, validated: ValidatedMessage, *, private: bool) -> None:
        for attachment_id, file in validated.files.items():
            self.world.storage.save_file(attachment_id, file, private=private)


def gateway_message(message: Json, channel: Json) -> Json:
    """Return the message as the gateway sends it: with its server's id."""
    return message if channel["type"] == DM_CHANNEL else {**message, "guild_id": channel["guild_id"]}
