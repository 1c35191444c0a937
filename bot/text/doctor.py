"""What `cardroom doctor` prints: what it checks in a channel of Discord, and which of it held."""

from __future__ import annotations

from bot.text.language import message

CHANNEL_OPTION = message("the channel to check in: its id, or its link")
NO_CHANNEL = message("“{typed}” is no channel. Right-click the channel in Discord and choose Copy Link.")
NO_TOKEN = message("DISCORD_TOKEN is not set. It is on the Bot page of the developer portal.")

HELD = message("✔ {check}")
FAILED = message("✘ {check}: {reason}")
NOT_CHECKED = message("– {check}: {reason}")
SUMMARY = message("{held} held, {failed} failed, {left} not checked.")

CONNECTED = message("The token logs in and the gateway opens")
PERMISSIONS = message("The dealer has its permissions in the channel")
THREADS = message("The dealer can open tables in threads, private tables and posts")
EVENTS = message(
    "The dealer can put game nights among the events of the server, where everybody can read their channel"
)
TABLES_IN_THREADS = message("The dealer can write in all threads with tables")
PICTURES = message("The dealer can show pictures in all channels with tables")
SENT = message("A silent message of Components V2 is accepted")
EDITED = message("The dealer's own message can be edited")
EMOJI = message("An application emoji can be uploaded and removed")
PRESSED = message("A button's press arrives")
ANSWERED = message("A press is answered privately")
EDITED_BY_TOKEN = message("A private answer can be edited and deleted by its token")
DM = message("A silent DM can be sent, edited and deleted")
DELETED = message("Deleting a message is told by the gateway")

MISSING = message("{permissions} missing; allow them in Edit Channel → Permissions")
MISSING_IN = message("in {channel} {permissions} missing; allow them in Edit Channel → Permissions")
MISSING_IN_SERVER = message("{permissions} missing; allow them in Server Settings → Roles")
WITHOUT_PICTURES = message("in {channels} tables go on in text; allow Attach Files in Edit Channel → Permissions")
NOT_SEEN = message("the dealer is not in that server, or cannot see the channel")
NOBODY_PRESSED = message("nobody pressed the button")
NOT_TOLD = message("no event in {seconds:g} s")
DM_CLOSED = message("that person's DMs are closed")
REFUSED = message("{status} {code} {error}")
NO_ANSWER = message("no answer ({error})")
LEFT_BEHIND = message("Could not delete what was posted: {error}")

TEST_MESSAGE = message("The dealer checks this channel. This message goes away by itself.")
TEST_EDITED = message("The dealer checks this channel. This message was edited and goes away by itself.")
PRESS_PLEASE = message("The dealer checks this channel: please press the button. This message goes away by itself.")
PRESS_ME = message("Press me")
PRIVATE_ANSWER = message("Thank you. This answer goes away by itself.")

LIMITS = message("Limits that Discord named:")
LIMIT = message("  {request}: {limit} requests, reset after {seconds} s")
NO_LIMITS = message("  none")
