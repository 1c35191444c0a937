"""A home game told like a diary: friends who know nothing of bots play an evening with buttons alone, from the form to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
SOON_MS = 10_000


class HomeEvening:
    """Friends in a private room. The book is looked at after everything they do."""

    def __init__(self, room: BotSession, friends: list[Player]) -> None:
        self.room, self.friends = room, friends
        self.busts = dict.fromkeys(friends, 0)

    async def open(self) -> None:
        """Ann opens the game by the form and invites the others, who take a seat by one press."""
        ann, *others = self.friends
        await ann.slash("play")
        await ann.submit({"Who can sit": "friends"})
        await ann.select("Choose people to invite…", *others)
        (thread,) = [channel["id"] for channel in ann.channels.values() if channel["type"] == 12]
        ann.here = thread
        await self.room.deal()
        for friend in others:
            await friend.wait_for(lambda friend=friend: thread in friend.channels, "the room")  # type: ignore[misc]
            friend.here = thread
            await friend.until("[Join table]")
            await friend.click("Join table")
            await self.check()
        self.room.discord.you.here = thread
        while any(seat.practice for seat in self.room.now.table.seats):  # Ann's practice hand ends
            if self.room.to_act(ann) is not None:
                await self.room.act("Fold", ann)
            else:
                self.room.clock.skip(100)
                await self.room.next_change()
        await self.check()

    async def play_hand(self) -> None:
        """The next hand comes by itself, within ten seconds, and everybody goes all-in."""
        room = self.room
        await room.wait_until(lambda: bool(room.now.table.next_hand_at))
        assert room.now.table.next_hand_at <= room.clock.now() + SOON_MS
        await room.deal()
        while room.now.hand_running:
            player = room.to_act(*self.friends)
            assert player is not None
            await room.until_own_buttons(player)
            if not room.has_panel(player):
                await room.open_panel(player)
            labels = room.own_buttons(player)
            wanted = next(label for start in ("All-in", "Call") for label in labels if label.startswith(start))
            await room.press_own(player, wanted)
        await room.skip_run_out()
        await self.check()

    async def buy_again(self) -> None:
        """Everybody who is broke is back by one press of what they are shown."""
        for friend in self.friends:
            user = int(friend.me["id"])
            if any(seat.player == user and not seat.stack for seat in self.room.now.table.seats):
                self.busts[friend] += 1
                await friend.until("Rebuy 10,000")
                began = self.room.clock.now()
                await friend.click("Rebuy 10,000")
                await self.room.wait_until(
                    lambda user=user: any(seat.player == user and seat.stack for seat in self.room.now.table.seats)  # type: ignore[misc]
                )
                assert self.room.clock.now() - began <= SOON_MS
                await self.check()

    async def check(self) -> None:
        assert await self.room.dealer.store.ledger_sum() == 0
        if all(not seat.practice for seat in self.room.now.table.seats):
            assert sum(one.net for one in self.room.now.table.standings) == 0


@pytest.mark.law("TC-1", "TC-3", "TC-8")
@pytest.mark.parametrize(("count", "busts"), [(3, 1), pytest.param(8, 3, marks=pytest.mark.full)])
async def test_friends_play_an_evening_with_buttons_alone(tmp_path: Path, count: int, busts: int) -> None:
    async with bot_session(tmp_path) as room:
        evening = HomeEvening(room, await room.people(*NAMES[:count]))
        await evening.open()
        for _ in range(20 * busts):
            await evening.play_hand()
            await evening.buy_again()
            if min(evening.busts.values()) >= busts:
                break
        assert min(evening.busts.values()) >= busts
        ann = evening.friends[0]
        book = await ann.click("The book")
        assert all(f"{name} · " in book for name in NAMES[:count])
        held = [one.chips for one in room.now.table.standings]
        assert sum(held) == sum(one.bought for one in room.now.table.standings)
