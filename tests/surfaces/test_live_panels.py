"""Who has a live panel is known to the table's message: before it is drawn, also after a restart."""

from __future__ import annotations

from pathlib import Path

from bot.signals import PanelChanged
from bot.surfaces.private_answers import LivePanels
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import live_messages
from tests.e2e.test_my_hand import dealt
from tests.support.discord_double import Player


def has_panel(room: BotSession, player: Player, *, below: int = 0) -> bool:
    live = room.dealer.parts.get(LivePanels)
    return live.has_live_panel(room.now.id, int(player.me["id"]), below=below)


async def test_a_panel_is_live_for_fourteen_minutes_after_a_click(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", seconds=3599)
        told: list[PanelChanged] = []
        room.dealer.parts.get(LivePanels)._signals.on(PanelChanged, told.append)
        assert not has_panel(room, first)
        await first.click("👁", within="▶ `")
        assert has_panel(room, first) and not has_panel(room, second)
        (table,) = live_messages(room, first)
        assert has_panel(room, first, below=int(table))
        assert not has_panel(room, first, below=room.clock.now() << 22), "it stands above what comes now"
        room.clock.skip(14 * 60 - 5)
        assert has_panel(room, first)
        room.clock.skip(6)
        await room.wait_until_idle()
        assert not has_panel(room, first)
        who = PanelChanged(room.now.id, int(first.me["id"]))
        assert told == [who, who], "once when it opens, once when it ends"


async def test_a_panel_that_its_reader_took_away_is_not_live(tmp_path: Path) -> None:
    """The dealer notices when it is to redraw it."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        await second.click("👁", within="▶ `")
        room.discord.fails("PATCH", r"/webhooks/.*", status=404, body={"message": "Unknown Message", "code": 10008})
        await room.act("Call", first, second)
        await room.wait_until_idle()
        assert not has_panel(room, second)


async def test_live_panels_are_known_before_tables_are_drawn(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            first, _ = await dealt(room, "Ann", "Bo")
            await first.click("👁", within="▶ `")
            await room.wait_until_idle()
        async with told.life() as room:
            assert has_panel(room, first)
