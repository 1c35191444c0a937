"""What stays in the channel of hands that are over: one line each, and one for those without a showdown in a row."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.support.discord_double import Player


async def fold_to_the_end(room: BotSession, *players: Player) -> None:
    await room.act("Fold", *players)
    await room.wait_until(lambda: not room.now.hand_running)
    await room.wait_until_idle()


async def test_uncontested_hands_merge_into_one_line(tmp_path: Path) -> None:
    """Three hands end with a fold, the fourth is shown down, the fifth ends with a fold. Days later the first ones are deleted."""
    async with bot_session(tmp_path, keep_hands=2) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await fold_to_the_end(room, ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        assert re.search(r"\*\*Hand #1\*\* · (Ann|Bo) won 100 · no showdown", ann.screen())
        await fold_to_the_end(room, ann, bo)
        await room.next_hand()
        await fold_to_the_end(room, ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        await room.wait_until_idle()
        assert "**Hands #1–3** · no showdown" in ann.screen()
        assert "Hand #2" not in ann.screen()
        await room.check_down(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        assert re.search(r"\*\*Hand #4\*\* · (Ann|Bo) won \d+ with .+", ann.screen())
        await fold_to_the_end(room, ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        assert "**Hands #1–3** · no showdown" in ann.screen()
        assert re.search(r"\*\*Hand #5\*\* · (Ann|Bo) won 100 · no showdown", ann.screen())
        assert "Hand #1" in await bo.slash("hand", number=1)
        room.clock.skip(3 * 86_400)
        await room.wait_until_idle()
        await room.dealer.store.finish_spare_time_work()
        deleted = "Hand #1 was too old to keep and has been deleted. Choose a newer one."
        assert deleted in await bo.click("Report…")
        assert deleted in await ann.slash("hand", number=1)
        assert deleted.replace("#1", "#3") in await ann.click("Replay", within="**Hands #1–3**")
        assert "its cards are gone" in await ann.slash("hand", player=bo)
        assert deleted in await ann.slash("report", about="They lie", number=1, table=1)
        room.check_leaks()
