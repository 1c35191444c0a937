"""Game nights through the bot: planned, answered, reminded, opened, dealt, closed, and the next date."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player

MINUTE = 60.0
HOUR = 60 * MINUTE


async def until_utc(room: BotSession, hour: str, *, days: int = 0) -> None:
    """Let the time pass until an hour of the clock in UTC, today or some days later."""
    now = datetime.fromtimestamp(room.clock.now() / 1000, UTC)
    wanted = now.replace(hour=int(hour[:2]), minute=int(hour[3:]), second=1)
    room.clock.skip((wanted - now).total_seconds() + days * 24 * HOUR)
    await room.wait_until_idle()


async def plan(room: BotSession, host: Player, **how: object) -> str:
    """Plan a night for the day after tomorrow, at eight in the evening in UTC. Returns the private answer."""
    at = datetime.fromtimestamp(room.clock.now() / 1000 + 2 * 24 * HOUR, UTC)
    answer = await host.slash("night", when=f"{at:%Y-%m-%d} 20:00", zone="UTC", **how)
    await host.until("I'm in")
    return answer


async def play_a_hand(room: BotSession, *players: Player) -> None:
    """Everybody but one folds. The table can close then."""
    await room.deal()
    for _ in players[1:]:
        folder = room.to_act(*players)
        assert folder is not None, "nobody is to act"
        await folder.slash("fold")
    await room.wait_until_idle()


async def test_a_weekly_night_from_post_to_next_date(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        answer = await plan(room, ann, hands=2, name="Friday game")
        assert "**Friday game** is planned for" in answer
        post = await bo.click("I'm in")
        assert "Seats 2 of" in post and "Ann, Bo" in post and "every week" in post
        assert "Maybe: Cy" in await cy.click("Maybe")
        await until_utc(room, "20:00", days=1)
        await ann.until("**Friday game** is tomorrow")
        await until_utc(room, "19:00", days=1)
        await ann.until("**Friday game** begins")
        await until_utc(room, "19:55")
        await ann.until("The table of **Friday game** is open")
        await room.wait_until_idle()
        assert "@Ann holds a seat for you at Table 1" in bo.dms()
        await bo.click("Take a seat")
        assert "[Go to the table]" in ann.screen() and "2 kept for the waiting list" in ann.screen()
        await ann.until("Waiting for 2 players")
        await ann.slash("sit")
        await cy.slash("sit")
        await play_a_hand(room, ann, bo, cy)
        await play_a_hand(room, ann, bo, cy)
        await ann.until("The game at table 1 is over")
        await ann.until("Seats 1 of 10")
        screen = ann.screen()
        assert screen.index("· 2 hands\n") < screen.index("### Friday game"), "the next date comes below the sheet"
        assert "-# Friday game: this night is over." in screen
        standings = await bo.click("Standings")
        assert "### Friday game · 1 night" in standings and "Points by rank: 10 / 7 / 5" in standings
