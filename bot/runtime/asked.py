"""Who asks, where, and for what: everything a request brings besides the command itself.

Source: style §6; design §5; law TL-35.
"""

from msgspec import Struct


class Asked(Struct, frozen=True, kw_only=True):
    """One click, slash command or form, as facts. Whoever makes it has checked them with Discord.

    Attributes:
        key: unique for this request, the interaction's id; a key that comes again is answered and not applied twice.
        guild, channel: where it was asked.
        user: who asks; name: his display name there, kept for as long as he is seated.
        staff: he has Manage Server or the role set by the house.
        table: id of the table a button was drawn for; 0: the open table of the channel.
        hand, turn: hand and action number the button was drawn for; -1: not from a button that ends with its turn.
    """

    key: str
    guild: int
    channel: int
    user: int
    name: str = ""
    staff: bool = False
    table: int = 0
    hand: int = -1
    turn: int = -1
