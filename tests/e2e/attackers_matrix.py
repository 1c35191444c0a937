"""Everything that one account can ask for: each command with each of its pages and choices, each completion, each button and each form.

The list is made of what the bot registers with Discord and of what its buttons can name, so that whatever is added is in it by itself.
`Watch` tells what a use cost: which limits it asked, and which work it did that is counted for nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.allowances import WORK
from bot.pictures.maker import PictureMaker
from bot.runtime.request import INTERACTION
from bot.runtime.snapshot import TableSnapshot
from bot.store.long_reads import LongReads
from bot.store.statistics.statistics import Statistics
from cogs.support.services import Effort, PersonLimits
from tests.e2e.bot_session import BotSession
from tests.e2e.test_strangers import least_options, made_up_ids, press
from tests.support.discord_double import Json, Player, Refused

CHOOSING = {"page", "what", "file", "hands", "where"}
"""Options whose values are different things to ask for."""


HOSTILE_NUMBERS = ("999999999", "1000000000000000")
"""Numbers that nothing has are tried elsewhere (`test_strangers`)."""


@dataclass(frozen=True)
class Use:
    """Something that an account can ask for.

    Attributes:
        name: what it is, as it is typed or as the id of its button.
        ask: asks for it at the channel's table. Returns what the person sees.
    """

    name: str
    ask: Callable[[Player], Awaitable[str]]

    @property
    def is_of_staff(self) -> bool:
        """Others do not have this command."""
        return self.name.startswith("/house")

    @property
    def is_typing(self) -> bool:
        """It completes what somebody types: nothing can be said there but what completes it."""
        return self.name.startswith("typing")


def uses(room: BotSession, other: Player, message: Json) -> list[Use]:
    """Return everything that can be asked for.

    Args:
        other: a person whom a command can be about.
        message: of the channel's table; the buttons are pressed there.
    """
    known = room.discord.you
    found = [*_commands(known, other), *_menus(known, other, message), *_completions(known)]
    made_up = made_up_ids("TABLE", "HAND", "TURN", "USER")  # type: ignore[arg-type]
    for custom_id, values, is_form in dict.fromkeys(made_up):
        if not any(number in custom_id for number in HOSTILE_NUMBERS):
            found.append(_press(room, message, custom_id, values, is_form))
    return found


def _commands(known: Player, other: Player) -> Iterator[Use]:
    for name, command in sorted(known.commands.items()):
        least = least_options(command, other, 1) or {}
        least.pop("number", None)
        if name == "play":
            least |= {"big_blind": "100", "seats": 4, "sit": False}  # without them a form comes first
        choices = [
            {option["name"]: choice["value"]}
            for option in command.get("options", ())
            if option["name"] in CHOOSING
            for choice in option.get("choices", ())
        ]
        for chosen in choices or [{}]:
            written = " ".join([f"/{name}", *(f"{option}:{value}" for option, value in chosen.items())])

            async def ask(player: Player, name: str = name, given: Json = least | chosen) -> str:
                return await _seen(player.slash(name, **given))

            yield Use(written, ask)


def _menus(known: Player, other: Player, message: Json) -> Iterator[Use]:
    for name, command in known.menu_commands.items():

        async def ask(
            player: Player, name: str = name, target: Any = other if command["type"] == 2 else message
        ) -> str:
            return await _seen(player.menu(name, target))

        yield Use(f"menu {name}", ask)


def _completions(known: Player) -> Iterator[Use]:
    for name, command in sorted(known.commands.items()):
        for option in command.get("options", ()):
            if option.get("autocomplete"):

                async def complete(player: Player, name: str = name, option: str = option["name"]) -> str:
                    return "\n".join(await player.autocomplete(name, option, "a"))

                yield Use(f"typing /{name} {option['name']}:", complete)


def _press(room: BotSession, message: Json, custom_id: str, values: tuple[str, ...], is_form: bool) -> Use:
    async def ask(player: Player) -> str:
        now = table_here(room, message)
        place = {"USER": player.me["id"], "TABLE": "0", "HAND": "0", "TURN": "0"}
        if now is not None:
            place |= {"TABLE": str(now.id), "HAND": str(now.hand_number), "TURN": str(now.decision_number)}
        own, chosen = custom_id, list(values)
        for word, number in place.items():
            own, chosen = own.replace(word, number), [value.replace(word, number) for value in chosen]
        return await press(room, player, message, own, tuple(chosen), is_form)

    return Use(f"{'form' if is_form else 'press'} {custom_id}" + (f" = {values[0]}" if values else ""), ask)


def table_here(room: BotSession, message: Json) -> TableSnapshot | None:
    """Return the table of the channel in which a message is; None if there is none any more."""
    channel = room.discord.stand_in.world.channels[message["channel_id"]]
    return room.dealer.tables.table_in_channel(int(channel["guild_id"]), int(channel["id"]))


async def _seen(answer: Awaitable[str]) -> str:
    try:
        return await answer
    except Refused as refused:
        return str(refused)


@dataclass
class Cost:
    """What a use cost.

    Attributes:
        limits: what it was held against; None for the seconds that are counted.
        uncounted: the kinds of work that were counted for nobody.
    """

    limits: set[Effort | None] = field(default_factory=set)
    uncounted: set[str] = field(default_factory=set)


class Watch:
    """Watches what is done for people while they are answered."""

    def __init__(self, limits: PersonLimits, patch: pytest.MonkeyPatch) -> None:
        self.cost = Cost()
        wait_seconds, require_time = limits.wait_seconds, limits.require_time

        def waited(effort: Effort, who: int, now: float) -> float:
            self.cost.limits.add(effort)
            return wait_seconds(effort, who, now)

        def required(who: int, now: float) -> None:
            self.cost.limits.add(None)
            require_time(who, now)

        patch.setattr(limits, "wait_seconds", waited)
        patch.setattr(limits, "require_time", required)
        for owner, name, kind in (
            (LongReads, "run", "a long read"),
            (Statistics, "_answer", "statistics"),
            (PictureMaker, "draw", "a picture"),
            (asyncio, "to_thread", "a thread"),
        ):
            patch.setattr(owner, name, self._noticing(getattr(owner, name), kind))

    async def cost_of(self, use: Use, player: Player) -> str:
        """Let somebody ask for something. Returns what they see; `cost` is then what it cost."""
        self.cost = Cost()
        return await use.ask(player)

    def _noticing(self, work: Callable[..., Awaitable[Any]], kind: str) -> Callable[..., Awaitable[Any]]:
        async def noticed(*arguments: Any, **named: Any) -> Any:
            if INTERACTION.get() and WORK.get() is None:
                what = next((one for one in arguments if isinstance(one, str)), "")
                self.cost.uncounted.add(f"{kind} {what}".strip())
            return await work(*arguments, **named)

        return noticed
