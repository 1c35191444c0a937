"""The ceremonies by command: what is done to the pack, for the first deal and for the next game; and what is done about seats.

Source: issue 3, point 4; laws D-1 to D-13, I-2, TL-29, P-7 to P-12, H-3, VC-28, VC-29.
"""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.render import escape, shifts
from bot.table.errors import ChooseOneOf
from bot.variants.finding import plain
from cogs.ui import ceremonies, said
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room

Changes = app_commands.Range[str, 1, 500]


@app_commands.guild_only()
class DealCog(commands.GroupCog, name="deal", description="The pack, the first deal, the next game"):
    """`/deal …`."""

    def __init__(self, room: Room) -> None:
        self.room = room
        super().__init__()

    @app_commands.command(description="Cut the pack for the next deal, as the player at the dealer's right")
    @app_commands.describe(at="Cards from the top: 20; two numbers make three packets: 20 35")
    async def cut(self, interaction: Interaction, at: app_commands.Range[str, 1, 12]) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.cut_at(self.room, deed.asked(), at))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Let the cut go, where the table allows that; any other player may cut then")
    async def nocut(self, interaction: Interaction) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await self.room.tables.decline_cut(deed.asked())
            await reply.private(said.good("You let the cut go. Any other player may cut now.\n-# Law D-6"))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Have the pack shuffled once more before the next deal")
    async def shuffle(self, interaction: Interaction) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.shuffle(self.room, deed.asked()))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Draw for the first deal now, in this table's way")
    async def first(self, interaction: Interaction) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.draw(self.room, deed.asked()))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Cut for the first deal: the lowest card deals")
    @app_commands.describe(at="A place in the pack, counted from the top")
    async def lot(self, interaction: Interaction, at: app_commands.Range[int, 1, 53]) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.cut_for_deal(self.room, deed.asked(), str(at)))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Ask to be passed over as dealer")
    async def skip(self, interaction: Interaction) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await self.room.tables.skip_deal(deed.asked())
            await reply.private(said.good("Done."))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Say that this deal was irregular; it does not count once all dealt in say so")
    async def misdeal(self, interaction: Interaction) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.claim(self.room, deed.asked()))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Choose the next game, where the dealer chooses and you hold the marker")
    @app_commands.describe(game="One of this table's games")
    async def choose(self, interaction: Interaction, game: app_commands.Range[str, 1, 100]) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            mixed = self.room.here(deed).table.mixed
            games = mixed.games if mixed is not None else ()
            place = next((at for at, name in enumerate(games) if plain(name) == plain(game)), -1)
            if place < 0:
                raise ChooseOneOf(games=games, chooser=mixed.chooser if mixed is not None else 0)
            await reply.private(await ceremonies.choose(self.room, deed.asked(), place))

        await attend(self.room, interaction, do)

    @choose.autocomplete("game")
    async def games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The games of the channel's table."""
        now = self.room.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        mixed = now.table.mixed if now is not None else None
        names = dict.fromkeys(mixed.games if mixed is not None else ())
        found = [name for name in names if typed.casefold() in name.casefold()]
        return [app_commands.Choice(name=name[:100], value=name[:100]) for name in found[:25]]

    @app_commands.command(description="Ask for a bomb pot; it is dealt once all who play ask for it")
    @app_commands.describe(on="Off takes it back")
    async def bomb(self, interaction: Interaction, on: bool = True) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.vote_bomb(self.room, deed.asked(), on=on))

        await attend(self.room, interaction, do)


@app_commands.guild_only()
class PlacesCog(commands.GroupCog, name="seats", description="Who sits where, and whose chips are put right"):
    """`/seats …`."""

    def __init__(self, room: Room) -> None:
        self.room = room
        super().__init__()

    @app_commands.command(description="Draw for seats: before the first deal, or an hour after the last drawing")
    async def draw(self, interaction: Interaction) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.draw_seats(self.room, deed.asked()))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Before seats are drawn: choose yours, as banker (the host) or else as dealer")
    @app_commands.describe(seat="Its number")
    async def choose(self, interaction: Interaction, seat: app_commands.Range[int, 1, 14]) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            outcome = await self.room.tables.choose_seat(deed.asked(), seat)
            law = "P-8" if outcome.now.table.host == deed.user else "P-9"
            await reply.private(said.good(f"When seats are drawn, yours is seat {seat}.\n-# Law {law}"))

        await attend(self.room, interaction, do)

    @app_commands.command(
        description="Before seats are drawn, as first dealer: sit left of the banker, or join the draw"
    )
    @app_commands.describe(left="On: left of the banker. Off: join the draw")
    async def dealer(self, interaction: Interaction, left: bool = True) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await self.room.tables.choose_place(deed.asked(), left=left)
            words = "You will sit left of the banker" if left else "You join the draw"
            await reply.private(said.good(f"{words} when seats are drawn.\n-# Law P-8"))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Ask to exchange seats with the player in another seat")
    @app_commands.describe(seat="His seat's number")
    async def exchange(self, interaction: Interaction, seat: app_commands.Range[int, 1, 14]) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await reply.private(await ceremonies.exchange(self.room, deed.asked(), seat))

        await attend(self.room, interaction, do)

    @app_commands.command(description="Name who takes your seat when you leave it to him; nobody takes that back")
    @app_commands.describe(player="Who comes instead of you; nobody if you name none")
    async def substitute(self, interaction: Interaction, player: discord.Member | None = None) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            await self.room.tables.name_substitute(deed.asked(), player.id if player is not None else 0)
            words = (
                f"<@{player.id}> may take your seat with `/sit`." if player is not None else "Nobody takes your seat."
            )
            await reply.private(said.good(f"{words}\n-# Law P-11"))

        await attend(self.room, interaction, do)

    @app_commands.command(
        description="Propose an equitable adjustment: chips from stacks to other stacks, if all agree"
    )
    @app_commands.describe(changes="Who gives and who gets, by name or seat number: @Ann -500 @Bo +300 @Cy +200")
    async def adjust(self, interaction: Interaction, changes: Changes) -> None:
        async def do(deed: Deed, reply: Reply) -> None:
            now = self.room.here(deed)
            asked = shifts.read(changes, now.table.seats)
            outcome = await self.room.tables.adjust(deed.asked(), asked)
            lead = "Proposed" if outcome.now.proposed else "Done"
            after = " It is done when everybody seated has agreed, between deals." if outcome.now.proposed else ""
            names = {seat.player: escape.name(seat.name) for seat in now.table.seats}
            await reply.private(said.good(f"{lead}: {shifts.told(asked, names)}.{after}\n-# Law H-3"))

        await attend(self.room, interaction, do)

    @adjust.autocomplete("changes")
    async def even(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """What would make the adjustment come out even."""
        now = self.room.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        offered = shifts.offered(typed, now.table.seats) if now is not None else ()
        return [app_commands.Choice(name=words, value=words) for words in offered]
