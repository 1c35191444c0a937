"""One account uses every command, button and form as fast as it can: it gets its share, is told so in words, and nobody else notices.

The rows of the matrix are made of what the bot registers and of what its buttons can name (`attackers_matrix.py`): what is added is in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from cogs.support.services import Effort
from tests.e2e.attackers_matrix import Use, Watch, table_here, uses
from tests.e2e.bot_session import NO_FLOORS, BotSession, bot_session
from tests.e2e.test_floods import spend_all
from tests.e2e.test_hand_files import BAD_RAISE, give
from tests.e2e.test_rooms import follow, threads
from tests.support.discord_double import Json, Player
from tests.support.menus import invite

MANY_TABLES = replace(NO_FLOORS, tables_per_host=250, seats_per_person=250)
OF_SERVERS = {Effort.FILE_OF_SERVER, Effort.ROOM_OF_SERVER}
TOLD = ("One moment: that was a lot at once.", "seconds for you lately. Try again in ")
NOT_MET = {Effort.SECONDS, Effort.IMPORT, Effort.INVITATION}
"""Seconds are asked for by `require_time`; a file has to be there, and an invitation needs a private table: they are told below."""


class House:
    """A table at which the attacker, who is host and staff, plays with Ann; Bo looks on."""

    def __init__(self, room: BotSession, ann: Player, bo: Player, message: Json) -> None:
        self.room, self.ann, self.bo, self.message = room, ann, bo, message
        self.mal = room.discord.you
        self.limits = room.dealer.services.limits
        self.uses = uses(room, ann, message)

    async def ready(self) -> None:
        """See to it that the attacker sits at a table of theirs: some uses end that."""
        now = table_here(self.room, self.message)
        if now is None:
            await self.mal.slash("play", sit=False, seats=4, seconds=3_599)
            now = table_here(self.room, self.message)
        assert now is not None
        if not any(seat.player == int(self.mal.me["id"]) for seat in now.table.seats):
            await self.mal.slash("sit")

    @property
    def handled(self) -> int:
        """How many interactions have been handled."""
        measures = self.room.dealer.services.measures
        return sum((measures.answered, measures.late))

    def spend(self, effort: Effort | None) -> None:
        """The attacker has used all that they can have of something, and what comes back in the next minute; of time if it is None."""
        if effort is not None:
            spend_all(self.room, effort, self.mal)
            return
        at_once, seconds = Effort.SECONDS.value
        now = asyncio.get_running_loop().time()
        self.limits.count_seconds(int(self.mal.me["id"]), now, at_once + 60 / seconds)

    def forget(self, *people: Player) -> None:
        """Nobody has asked for anything, or these people have not."""
        whose = {int(player.me["id"]) for player in people}
        for key in [key for key in self.limits._full_at if not people or key[1] in whose]:
            del self.limits._full_at[key]
        if not people:
            self.limits._seconds._full_at.clear()


@asynccontextmanager
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with bot_session(tmp_path, default_rules=MANY_TABLES) as room:
        (ann, bo), mal = await room.people("Ann", "Bo"), room.discord.you
        judges = room.discord.stand_in.rest_server.observers
        watching, judges[:] = list(judges), []  # Discord would not send forms that nobody has opened
        await room.open_and_sit(mal, ann, seats=4, seconds=3_599)
        await room.next_hand()
        await room.act("Fold", mal, ann)
        await room.next_hand()
        await room.wait_until_idle()
        message = next(one for one in reversed(bo.visible()) if "Hand #2" in bo.render(one))
        try:
            yield House(room, ann, bo, message)
        finally:
            judges[:] = watching


async def test_account_that_used_its_share_waits_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that it asks for in the next seconds is left undone, in words once a second; everybody else's is answered."""
    async with house(tmp_path) as told:
        watch = Watch(told.limits, monkeypatch)
        shares = await uses_by_limit(told, watch)
        assert shares.keys() == {*Effort, None} - OF_SERVERS - NOT_MET
        told.forget()
        told.spend(Effort.REQUEST)
        handled, flood = told.handled, shares.pop(Effort.REQUEST)
        answers = await asyncio.gather(*(use.ask(told.mal) for use in flood))
        assert told.handled == handled, "a flood is work for nobody"
        assert 1 <= sum(map(is_refused, answers)) <= 5, "they are told so once a second"
        for limit, those in shares.items():
            await asyncio.sleep(60)  # the page lets nobody type so fast either
            told.forget()
            told.spend(limit)
            refused = 0
            for use in those:
                said = await watch.cost_of(use, told.mal)
                if limit in watch.cost.limits:  # not every use goes so far twice
                    assert is_refused(said) or (use.is_typing and not said), f"{use.name} after all of {limit}: {said}"
                    refused += 1
            assert refused, f"nobody is refused after all of {limit}"
            for use in those[:: 1 + len(those) // 10]:
                told.forget(told.bo)
                assert use.is_of_staff or not is_refused(await use.ask(told.bo)), f"{use.name}: nobody else waits"


async def uses_by_limit(told: House, watch: Watch) -> dict[Effort | None, list[Use]]:
    """Let the attacker use everything. Returns what is held against which limit; None for the seconds that are counted.

    Everything goes towards a limit of the account. What reads long, draws or needs a thread is counted in seconds for the account, too.
    """
    shares: dict[Effort | None, list[Use]] = {}
    for use in told.uses:
        told.forget()
        await told.ready()
        await watch.cost_of(use, told.mal)
        limits = watch.cost.limits - OF_SERVERS
        assert limits, f"{use.name} has no limit"
        assert not watch.cost.uncounted, f"{use.name}: {watch.cost.uncounted} is counted for nobody"
        for limit in limits:
            shares.setdefault(limit, []).append(use)
    return shares


async def test_files_and_invitations_are_held_against_a_share(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        mal, bo = await room.people("Mal", "Bo")
        spend_all(room, Effort.IMPORT, mal)
        assert is_refused(await give(mal, "mine.phh", BAD_RAISE)), "nothing is read"
        await mal.slash("play", sit=False, where="private", big_blind="100")
        (thread,) = threads(room)
        await follow(thread["id"], mal)
        spend_all(room, Effort.INVITATION, mal)
        assert is_refused(await invite(mal, bo)), "nobody is called"


def is_refused(said: str) -> bool:
    """Return whether an answer says that somebody has asked for too much."""
    return any(words in said for words in TOLD)


def test_no_account_uses_up_what_its_server_has() -> None:
    """What a server can have at once, and as it comes back, is more than one account can ask for in all ways together."""
    for of_server, of_person in (
        (Effort.FILE_OF_SERVER, (Effort.FILE, Effort.MANY_HANDS, Effort.IMPORT)),
        (Effort.ROOM_OF_SERVER, (Effort.ROOM,)),
    ):
        at_once, seconds = of_server.value
        assert sum(effort.value[0] for effort in of_person) < at_once
        assert sum(1 / effort.value[1] for effort in of_person) < 1 / seconds
