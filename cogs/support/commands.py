"""Slash commands, and commands in the menus of people and messages: each is answered once and in time, and what it raises is explained."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import discord
from discord import app_commands
from msgspec import Struct

from bot.engine.commands import HandCommand
from bot.line.interaction import InteractionInfo, avatar_of, command_info
from bot.render.hand.my_hand import PLAIN, PanelState
from bot.render.message.panel import Panel
from bot.runtime.commands import PlayerCommand, Preselect
from bot.runtime.errors import OneMoment, WorkTimeUsed
from bot.runtime.request import Request
from bot.runtime.snapshot import RequestOutcome, TableSnapshot
from bot.surfaces.replies import Reply
from bot.text import confirmations as words
from bot.text.commands import COMMANDS, MENU_NAME_MAX, TEXT_MAX
from bot.text.language import ENGLISH, Message, language_for, reading, t
from bot.text.refusals import wording
from cogs.presses import my_hand
from cogs.support.did_you_mean import Options
from cogs.support.services import Effort, Services

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]


class HasServices(Protocol):
    """A cog with the parts that its commands use."""

    services: Services


@dataclass(slots=True, frozen=True)
class Invocation:
    """A slash command that somebody has used: who and where, and how to answer."""

    services: Services
    info: InteractionInfo
    reply: Reply

    @property
    def request(self) -> Request:
        """A request to the channel's table."""
        return self.info.request()

    @property
    def snapshot(self) -> TableSnapshot:
        """The channel's table, as it stands.

        Raises:
            NoTableHere: there is none.
        """
        return self.services.table_here(self.info)

    async def ask(self, command: PlayerCommand) -> RequestOutcome:
        """Ask the channel's table to carry out a command.

        Raises:
            TableError: it is refused.
        """
        return await self.services.tables.ask(self.request, command)

    async def play(self, command: HandCommand | Preselect) -> None:
        """Act in the hand at the channel's table, or choose ahead. The answer is the player's panel.

        Raises:
            TableError: it is refused.
        """
        decision = self.snapshot.decision
        with self.services.hand_panels.answering(self.snapshot.id, self.info.user):
            outcome = await self.ask(command)
            chosen = isinstance(command, Preselect)
            note = my_hand.acted_note(outcome) if chosen else my_hand.action_note(outcome, decision)
            await self.show_hand(outcome.snapshot, PanelState(note))

    async def show_hand(self, snapshot: TableSnapshot, state: PanelState = PLAIN) -> None:
        """Answer with the player's panel."""
        await self.services.hand_panels.show(self.reply, self.info, snapshot, state)

    async def staff_request(self) -> Request:
        """Return a request that says whether the player is staff."""
        return await self.services.request(self.info)


CommandWork: TypeAlias = Callable[..., Awaitable[Panel | None]]
"""The method that carries out a command. It takes an `Invocation` and the command's options.

A panel that it returns is the private answer. It returns None when it has answered itself.
"""


def slash_command(
    name: str, *, playing: bool = False, in_direct_messages: bool = False
) -> Callable[[CommandWork], app_commands.Command[Any, ..., None]]:
    """Make a method of a cog a slash command. Description, options and choices come from the catalogue.

    Args:
        name: as people type it.
        playing: it plays a hand, so a refusal is explained in the player's panel.
        in_direct_messages: it can be used there too, not only in servers.
    """
    text = COMMANDS[name]

    def decorate(work: CommandWork) -> app_commands.Command[Any, ..., None]:
        @functools.wraps(work)
        async def callback(cog: HasServices, interaction: Interaction, **options: Any) -> None:
            services, info = cog.services, command_info(interaction)
            if await services.refuse_flood(info):
                return
            reply = Reply(services.discord_api, info, services.private_answers)

            async def ask(info: InteractionInfo, reply: Reply, options: Options) -> None:
                panel = await work(cog, Invocation(services, info, reply), **options)
                if panel is not None:
                    await reply.private(panel)

            refuse = functools.partial(my_hand.refuse, services, info, reply) if playing else None
            answer = ask(info, reply, options) if playing else services.corrections.answer(info, reply, ask, options)
            await services.handle(info, reply, answer, refuse=refuse)

        cog, _, *options = inspect.signature(work, eval_str=True).parameters.values()
        interaction = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        callback.__signature__ = inspect.Signature([cog, interaction, *options])  # type: ignore[attr-defined]
        app_commands.describe(**{name: app_commands.locale_str(each) for name, each in text.options.items()})(callback)
        app_commands.choices(**{name: _choices(each) for name, each in text.choices.items()})(callback)
        command: app_commands.Command[Any, ..., None] = app_commands.Command(
            name=name, description=app_commands.locale_str(text.description), callback=callback
        )
        if in_direct_messages:
            return app_commands.allowed_contexts(guilds=True, dms=True)(command)
        return app_commands.guild_only()(command)

    return decorate


class ChosenPerson(Struct, frozen=True):
    """Somebody whose menu a command was chosen in.

    Attributes:
        name: their display name in the server, as they wrote it.
        avatar: the address of their picture there.
    """

    id: int
    name: str
    is_bot: bool
    avatar: str = ""


class ChosenMessage(Struct, frozen=True):
    """A message whose menu a command was chosen in.

    Attributes:
        is_own: the dealer wrote it.
        custom_ids: of its buttons and selects, in the order they are read.
    """

    id: int
    is_own: bool
    custom_ids: tuple[str, ...]


def person_command(
    services: Services, name: Message, work: Callable[[Invocation, ChosenPerson], Awaitable[Panel | None]]
) -> app_commands.ContextMenu:
    """Make a command in the menu of a person ("Apps" in Discord). It is answered as a slash command is.

    Args:
        name: a member of `MENU_COMMANDS`.
        work: returns the private answer, or None when it has answered itself.
    """

    async def callback(interaction: Interaction, chosen: discord.Member | discord.User) -> None:
        person = ChosenPerson(chosen.id, chosen.display_name, chosen.bot, avatar_of(chosen))
        await _answer(services, interaction, lambda invocation: work(invocation, person))

    return _menu_command(name, callback)


def message_command(
    services: Services, name: Message, work: Callable[[Invocation, ChosenMessage], Awaitable[Panel | None]]
) -> app_commands.ContextMenu:
    """Make a command in the menu of a message ("Apps" in Discord). It is answered as a slash command is.

    Args:
        name: a member of `MENU_COMMANDS`.
        work: returns the private answer, or None when it has answered itself.
    """

    async def callback(interaction: Interaction, chosen: discord.Message) -> None:
        user = interaction.client.user
        is_own = user is not None and chosen.author.id == user.id
        message = ChosenMessage(chosen.id, is_own, tuple(_custom_ids(chosen.components)))
        await _answer(services, interaction, lambda invocation: work(invocation, message))

    return _menu_command(name, callback)


def _menu_command(name: Message, callback: Callable[..., Any]) -> app_commands.ContextMenu:
    return app_commands.guild_only()(app_commands.ContextMenu(name=app_commands.locale_str(name), callback=callback))


async def _answer(
    services: Services, interaction: Interaction, work: Callable[[Invocation], Awaitable[Panel | None]]
) -> None:
    info = command_info(interaction)
    if await services.refuse_flood(info):
        return
    reply = Reply(services.discord_api, info, services.private_answers)

    async def ask() -> None:
        panel = await work(Invocation(services, info, reply))
        if panel is not None:
            await reply.private(panel)

    await services.handle(info, reply, ask())


def _custom_ids(components: Iterable[Any]) -> Iterator[str]:
    """Return the custom ids of all buttons and selects, however deep they lie."""
    for component in components:
        custom_id = getattr(component, "custom_id", None)
        if custom_id:
            yield custom_id
        yield from _custom_ids(getattr(component, "children", ()))
        accessory = getattr(component, "accessory", None)
        if accessory is not None:
            yield from _custom_ids((accessory,))


def _choices(names: Any) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=app_commands.locale_str(name), value=value) for value, name in names.items()]


def completions(
    complete: Callable[[Any, Interaction, str], Awaitable[list[tuple[str, str]]]],
) -> Callable[[Any, Interaction, str], Any]:
    """Make a method that returns names and values complete an option, in the reader's language and within Discord's limits.

    Who types quicker than anybody can gets no completions for a moment, and so does whoever has used all the time that a person can have;
    a text that is longer than any completion gets none.
    Discord has no way to say why.
    """

    @functools.wraps(complete)
    async def callback(cog: HasServices, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if len(typed) > TEXT_MAX:
            return []
        try:
            cog.services.spend_time(Effort.COMPLETION, interaction.user.id)
        except (OneMoment, WorkTimeUsed):
            return []
        with reading(language_for(str(interaction.locale))):
            found = await complete(cog, interaction, typed)
        fitting = [(name, value) for name, value in found if len(value) <= TEXT_MAX]
        return [app_commands.Choice(name=name[:TEXT_MAX], value=value) for name, value in fitting[:COMPLETIONS_MAX]]

    return callback


COMPLETIONS_MAX = 25
"""The most completions that Discord takes."""


_TYPED_NAMES = frozenset(
    {
        app_commands.TranslationContextLocation.command_name,
        app_commands.TranslationContextLocation.group_name,
        app_commands.TranslationContextLocation.parameter_name,
    }
)


_SUBCOMMANDS = frozenset(
    {discord.AppCommandOptionType.subcommand.value, discord.AppCommandOptionType.subcommand_group.value}
)


class CommandTranslator(app_commands.Translator):
    """Gives Discord the descriptions and choices of commands in every language of the catalogue."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Translate a text; None where it stays English: names that are typed are the same in every language."""
        language = language_for(str(locale))
        in_menu = isinstance(context.data, app_commands.ContextMenu)
        if language is ENGLISH or (context.location in _TYPED_NAMES and not in_menu):
            return None
        translated, maximum = language.translate(string.message), MENU_NAME_MAX if in_menu else TEXT_MAX
        return translated if len(translated) <= maximum else f"{translated[: maximum - 1].rstrip()}…"


OLD_COMMAND = "on_old_command"
"""The event that a command has been used which is not there, with its whole name."""


class CommandTree(app_commands.CommandTree[Any]):
    """Answers where no command could: Discord resolved an option wrongly, or the fault is ours."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            log.warning("autocomplete_failed", extra={"error": repr(error)})
            return
        if isinstance(error, app_commands.CommandNotFound):
            interaction.client.dispatch(OLD_COMMAND.removeprefix("on_"), interaction, _whole_name(interaction.data))
            return
        with reading(language_for(str(interaction.locale))):
            if isinstance(error, app_commands.TransformerError):
                text = t(words.UNREADABLE_OPTION)
            elif isinstance(error, app_commands.CheckFailure):
                text = t(words.UNUSABLE_COMMAND)
            else:
                log.error("command_failed", exc_info=error)
                text = t(wording.INTERNAL_FAULT)
        if not interaction.response.is_done():
            await interaction.response.send_message(text, ephemeral=True)


def _whole_name(data: Any) -> str:
    """Return the name of the command that somebody used, with its subcommands: ``chips daily``."""
    names = [data["name"]]
    while below := [option for option in data.get("options", ()) if option["type"] in _SUBCOMMANDS]:
        (data, *_) = below
        names.append(data["name"])
    return " ".join(names)
