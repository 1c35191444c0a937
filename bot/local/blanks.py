"""Discord's objects as its API returns them with nothing set. The fields that the stand-in knows are set where it makes an object."""

from pathlib import Path
from typing import Any

import msgspec

from bot.local.errors import Json

_BLANKS = msgspec.json.decode(Path(__file__).with_name("blanks.json").read_bytes(), type=dict[str, msgspec.Raw])


def blank(kind: str, **fields: Any) -> Json:
    """Return a new object of a kind of `blanks.json`: with these fields, and every other one as it is at first."""
    return {**msgspec.json.decode(_BLANKS[kind]), **fields}
