"""What stays in the channel of hands that are over, in the message that the table leaves: one line each, or one for several in a row."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_faults import chat, live_messages
from tests.support.discord_double import Player


async def fold_to_the_end(room: BotSession, *players: Player) -> None:
    await room.act("Fold", *players)
    await room.wait_until(lambda: not room.now.hand_running)
    await room.wait_until_idle()


async def test_message_that_the_table_leaves_shrinks_to_its_hands(tmp_path: Path) -> None:
    """Three hands end with a fold, the fourth is shown down, the fifth ends with a fold: all in one message, which then moves.

    Days later the first hands are deleted.
    """
    async with bot_session(tmp_path, keep_hands=2) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        (table,) = live_messages(room, ann)
        await fold_to_the_end(room, ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        assert re.search(r"-# Last hand: (Ann|Bo) won 100 · no showdown", ann.screen())
        await fold_to_the_end(room, ann, bo)
        await room.next_hand()
        await fold_to_the_end(room, ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        await room.check_down(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        assert re.search(r"-# Last hand: (Ann|Bo) won \d+ with .+ against (Ann|Bo)", ann.screen())
        await fold_to_the_end(room, ann, bo)
        assert live_messages(room, ann) == [table], "the next hand goes on in the same message"
        await chat(room, ann, "one", "two", "three")
        await room.next_hand()
        await room.wait_until_idle()
        assert live_messages(room, ann) not in ([], [table])
        (left,) = [ann.render(one) for one in ann.visible() if one["id"] == table]
        assert re.fullmatch(
            r"\*\*Hands #1–3\*\* · no showdown\n"
            r"\*\*Hand #4\*\* · (Ann|Bo) won \d+ with .+ against (Ann|Bo) · .+\n"
            r"\*\*Hand #5\*\* · (Ann|Bo) won 100 · no showdown\n\[Replay\]",
            left,
        ), left
        assert "### Hands #1–5" in await bo.click("Replay", within="**Hands #1–3**")
        assert "Hand #1" in await bo.slash("hand", number=1)
        room.clock.skip(3 * 86_400)
        await room.wait_until_idle()
        await room.dealer.store.finish_spare_time_work()
        deleted = "Hand #1 was too old to keep and has been deleted. Choose a newer one."
        assert "Report hand #1" in await bo.click("Report…"), "it can be reported all the same"
        assert "Staff will look at hand #1" in await bo.fill_form(report="Ann saw my cards")
        assert deleted in await ann.slash("hand", number=1)
        kept = await ann.click("Replay", within="**Hands #1–3**")
        assert "**Hand #5**" in kept and "**Hand #3**" not in kept
        assert "its cards are gone" in await ann.slash("hand", player=bo)
        room.check_leaks()
