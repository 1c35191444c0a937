"""Discord's limits of a message, as far as panels are fitted into them.

Source: Discord's reference of message components.
"""

from collections.abc import Iterable, Iterator, Sequence

from bot.render.message.panel import Panel, Raw, payload

TEXT_MAX = 4000
ROW_BUTTONS_MAX = 5
OPTIONS_MAX = 25
CUSTOM_ID_MAX = 100


def text_length(panel: Panel) -> int:
    """Count the characters that Discord counts against its 4,000."""
    return sum(len(part["content"]) for part in walk(payload(panel)) if part["type"] == 10)


def fit_lines(lines: Sequence[str], max_length: int, more_line: str) -> list[str]:
    """Keep the first lines that fit into `max_length` characters; a line too long is broken between two facts (`` · ``).

    Args:
        more_line: ends what was shortened, and says where the rest can be read.
    """
    if sum(len(line) + 1 for line in lines) <= max_length:
        return list(lines)
    max_length -= len(more_line) + 1
    kept: list[str] = []
    for line in lines:
        if len(line) + 1 <= max_length:
            kept.append(line)
            max_length -= len(line) + 1
            continue
        at = line.rfind(" · ", 0, max(0, max_length - 3))
        if at > 0:
            kept.append(line[:at] + " …")
        break
    return [*kept, more_line]


def walk(parts: Iterable[Raw]) -> Iterator[Raw]:
    """Yield components and everything inside them."""
    for part in parts:
        yield part
        yield from walk(part.get("components", ()))
        if "accessory" in part:
            yield part["accessory"]
