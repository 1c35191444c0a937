"""The commands, as Discord knows them: they are registered where they have changed."""

import hashlib
import logging

import discord
import msgspec

from bot.line.client import DiscordClient
from bot.line.site import BotDuties
from bot.runtime.saved_values import OF_THE_BOT, SavedKind, SavedValues, ValueStorage
from bot.text.language import ENGLISH, language_for
from cogs import Cogs
from cogs.support.commands import CommandTranslator

log = logging.getLogger(__name__)

_SYNCED_COMMANDS = SavedKind[tuple[()], bytes]("discord.commands", OF_THE_BOT, bytes)


class CommandSync:
    """Adds the commands after the login, and registers them with Discord if they are others than the last time.

    Args:
        duties: with several dealers, one of them registers the commands.
    """

    def __init__(self, client: DiscordClient, cogs: Cogs, storage: ValueStorage, duties: BotDuties) -> None:
        self._client, self._cogs = client, cogs
        self._saved = SavedValues(_SYNCED_COMMANDS, storage)
        client.after_login(self._add)
        if duties.are_mine:
            client.after_login(self._sync)

    async def _add(self) -> None:
        for cog in self._cogs.cogs:
            await self._client.add_cog(cog)
        for menu in self._cogs.menus:
            self._client.tree.add_command(menu)

    async def _sync(self) -> None:
        tree = self._client.tree
        registered = tree.get_commands()
        if any(language_for(str(locale)) is not ENGLISH for locale in discord.Locale):
            translator = CommandTranslator()
            await tree.set_translator(translator)
            payload = [await command.get_translated_payload(tree, translator) for command in registered]
        else:  # each text would be looked up in every language of Discord: more than half the work of a start
            payload = [command.to_dict(tree) for command in registered]
        digest = hashlib.sha256(msgspec.json.encode(payload, order="deterministic")).digest()
        mark = b"%d " % (self._client.application_id or 0) + digest
        if await self._saved.get(()) == mark:
            return
        await tree.sync()
        await self._saved.keep((), mark)
        log.info("commands_synced", extra={"commands": len(payload)})
