"""What a dealer shows when it writes to the house: only the owner of a slot writes there in its name."""

from msgspec import Struct


class Fence(Struct, frozen=True):
    """What a dealer owns while it can write: the schema of its slot, with its epoch there."""

    schema: str
    epoch: int
