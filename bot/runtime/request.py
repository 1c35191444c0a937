"""Everything about a request besides its command: the person who asks, and the channel, table and decision they mean. Law: TL-35."""

from contextvars import ContextVar

from msgspec import Struct

INTERACTION: ContextVar[str] = ContextVar("interaction", default="")
"""The id of the interaction that is being handled; "" for what nobody asked for. Every line of the log that it causes carries it."""


class Request(Struct, frozen=True, kw_only=True):
    """One click, slash command or form, as facts that Discord vouches for.

    Attributes:
        key: the interaction's id. A second request with the same key is answered and changes nothing.
        name: the user's display name in the server; a table keeps it while they are seated.
        staff: whether the user has Manage Server or the staff role of the house.
        table: id of the table that the button was drawn for; 0 for the open table of the channel.
        joined_at: when the user joined the server, in ms; 0 where Discord does not say.
        roles: the user's roles in the server.
        hand_number, decision_number: what the button was drawn for; -1 if it does not end with its turn.
    """

    key: str
    guild: int
    channel: int
    user: int
    name: str = ""
    staff: bool = False
    table: int = 0
    joined_at: int = 0
    roles: tuple[int, ...] = ()
    hand_number: int = -1
    decision_number: int = -1
