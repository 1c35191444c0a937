"""Duels through the real bot: challenged by `/duel`, accepted by a button, played by commands, paid and played again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.line.api import DiscordApi
from bot.store.store import Store
from bot.surfaces.events.calls import DuelCalls
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_nights import staff_of
from tests.e2e.test_sit_and_go import all_in, wallets
from tests.support.discord_double import Player
from tests.support.failing import hang

CALL = "challenges you to a duel."


def id_of(player: Player) -> str:
    return str(player.me["id"])


async def end_hand(room: BotSession, *players: Player) -> None:
    """Whoever is to act folds, unless the hand has ended with a player who left at their turn."""
    if room.dealer.tables.all_tables() and (player := room.to_act(*players)) is not None:
        await player.slash("fold")


async def play_to_the_end(room: BotSession, *players: Player) -> None:
    for _ in range(60):
        await all_in(room, *players)
        if not room.dealer.tables.all_tables():
            return
        if not room.now.hand_running:
            await room.deal()


@pytest.mark.law("SG-1", "SG-10")
async def test_duel_for_chips_from_challenge_to_rematch(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("duel", player=id_of(bo), chips="500", matches="3", blinds="hyper")
        await bo.until("**Ann** challenges")
        guild = room.now.address.guild
        before = await wallets(room, guild, ann, bo)
        for told in (
            "### Duel · No-Limit Hold'em",
            "**500** chips each from your wallets; the winner gets **1,000**.",
            "Best of 3 matches, each until somebody has all chips",
            "Stack 500 · 10/20, up every 2 min (hyper) · 30 s to act",
        ):
            assert told in bo.screen()
        await bo.until(CALL)
        assert "### Duel · No-Limit Hold'em" in await cy.click("All levels")
        await ann.until("Your challenge is open until it is answered")
        assert "This challenge is for" in await cy.click("Accept · 500")
        assert "This challenge is for" in await cy.slash("sit")
        assert "Duel" not in await cy.slash("lobby") and "free seat" not in await cy.slash("lobby")
        assert "That's your own challenge" in await ann.click("Accept · 500")
        assert await wallets(room, guild, ann, bo) == before
        you = room.discord.you
        you.here = bo.here
        assert "This challenge is for" in await you.click("Decline"), "staff decline nothing for others"
        await bo.click("Accept · 500")
        await bo.until("Accepted. The first hand is about to be dealt.")
        await room.next_hand()
        await ann.until("Best of 3: Ann 0 – 0 Bo")
        while room.now.sit_and_go is not None and not any(one.wins for one in room.now.sit_and_go.entrants):
            if not room.now.hand_running:  # they have shared the pot
                await room.deal()
            await all_in(room, ann, bo)
        await ann.until("wins this match. The next one begins with full stacks.")
        await room.deal()
        await play_to_the_end(room, ann, bo)
        await ann.until("wins the duel against")
        assert "🥇" in ann.screen() and "1st · **1,000**" in ann.screen()
        after = await wallets(room, guild, ann, bo)
        assert sorted(after.values()) == [9_500, 10_500]
        assert await room.dealer.store.ledger_sum() == 0
        assert "Only the two who have played this duel" in await cy.click("Rematch")
        await bo.click("Rematch")
        await ann.until("**Bo** challenges")
        await ann.click("Decline")
        await ann.until("You've declined the challenge.")
        await bo.until("Ann declined Bo's challenge.")
        assert await wallets(room, guild, ann, bo) == after


@pytest.mark.law("SG-13")
async def test_challenge_is_taken_back_and_refusals_are_plain(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        assert "That's you." in await ann.slash("duel", player=id_of(ann))
        await room.discord.you.fill_in("house", page="ban", player=cy, why="a test")
        assert "can't play here right now" in await ann.slash("duel", player=id_of(cy))
        assert "That takes 90,000" in await ann.slash("duel", player=id_of(bo), chips="90k")
        own = (await wallets(room, staff_of(room, "").guild, ann))["Ann"]
        with_gift = await ann.slash("duel", player=id_of(bo), chips=str(own + 100))
        assert f"That takes {own + 100:,}" in with_gift, "what the house would give is in no wallet yet"
        assert "isn't played in events" in await ann.slash("duel", player=id_of(bo), game="guts")
        assert not room.dealer.tables.all_tables()
        await ann.slash("duel", player=id_of(bo), blinds="fixed")
        await ann.until("For honour: nobody pays, and nobody is paid.")
        assert "Stack 2,000 · 10/20, which stay" in ann.screen()
        await ann.click("Take back")
        await ann.until("You've taken your challenge back.")
        await bo.until("Ann took the challenge to Bo back.")
        assert not room.dealer.tables.all_tables()


async def test_nobody_is_challenged_who_cannot_read_it_or_play(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        controls = room.discord.controls
        controls.set_overwrite(ann.here, id_of(bo), deny=["view_channel"])
        assert "@Bo can't read this channel" in await ann.slash("duel", player=id_of(bo))
        controls.set_overwrite(ann.here, id_of(bo))
        role = controls.add_role("adults")["id"]
        controls.give_role(id_of(ann), role)
        await room.dealer.bank.change_house_rules(staff_of(room, "rules"), player_role=int(role))
        assert "@Bo can't play here right now" in await ann.slash("duel", player=id_of(bo))
        assert not room.dealer.tables.all_tables()
        controls.give_role(id_of(bo), role)
        await ann.slash("duel", player=id_of(bo))
        await bo.until("**Ann** challenges")


@pytest.mark.law("SG-12", "SG-13")
async def test_giving_up_is_asked_for_once(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("duel", player=id_of(bo), chips="500")
        await bo.until("**Ann** challenges")
        guild = room.now.address.guild
        await bo.click("Accept · 500")
        await room.next_hand()
        assert "Give up the duel? Then **Bo** has won it." in await ann.slash("leave")
        assert room.now.sit_and_go is not None and not room.now.sit_and_go.entrants[0].left
        await ann.click("Give up")
        await ann.until("You give up the duel when this hand is over.")
        assert "Give up the duel?" not in ann.screen(), "the question has become the answer"
        await end_hand(room, ann, bo)
        await bo.until("Bo wins the duel: Ann gave up")
        assert await wallets(room, guild, ann, bo) == {"Ann": 9_500, "Bo": 10_500}


async def test_record_is_shown_to_nobody_else_until_wanted(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "Duels won and lost" not in await ann.slash("me")
        await ann.slash("duel", player=id_of(bo))
        await bo.until("**Ann** challenges")
        await bo.click("Accept")
        await room.next_hand()
        await bo.slash("leave")
        await bo.click("Give up")
        await end_hand(room, ann, bo)
        await ann.until("Ann wins the duel: Bo gave up")
        assert "Duels won and lost: **1–0**" not in await bo.slash("stats", player=id_of(ann))
        assert "Duels won and lost: **1–0**" in await ann.slash("me")
        await ann.click("Show them")
        await ann.until("Shown in your challenges and statistics")
        assert "Duels won and lost: **1–0**" in await bo.slash("stats", player=id_of(ann))
        await bo.click("Rematch")
        await ann.until("Duels won and lost here: Ann 1–0")


async def test_practice_player_plays_a_duel_for_honour(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        assert "for honour only" in await ann.slash("duel", chips="100")
        await ann.slash("duel", blinds="hyper")
        await ann.until("Your duel begins")
        await room.next_hand()
        assert len(room.now.table.seats) == 2
        assert await room.dealer.store.ledger_sum() == 0


async def test_practice_duel_has_a_rematch_for_its_player(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("duel", blinds="fixed", matches="3")
        await ann.until("Your duel begins")
        await room.next_hand()
        first = room.now.id
        assert "You're in another sit-and-go or duel" in await ann.slash("duel")
        assert len(room.dealer.tables.all_tables()) == 1
        other = next(seat.name for seat in room.now.table.seats if seat.player < 0)
        assert f"Then **{other}** has won it." in await ann.slash("leave")
        await ann.click("Give up")
        await end_hand(room, ann)
        await ann.until(f"{other} wins the duel: Ann gave up")
        assert "Only the two who have played this duel" in await bo.click("Rematch")
        await ann.click("Rematch")
        await ann.until("Your duel begins")
        event = room.now.sit_and_go
        assert event is not None and event.settings.duel is not None and room.now.id != first
        assert (event.settings.duel.best_of, event.settings.speed, event.is_running) == (3, "fixed", True)
        assert "You're in another sit-and-go or duel" in await ann.click("Rematch", within="Ann gave up")


# the call


async def challenge(room: BotSession, ann: Player, bo: Player) -> None:
    await ann.slash("duel", player=id_of(bo))
    await bo.until(CALL)
    await room.wait_until_idle()


async def answer(room: BotSession, how: str, ann: Player, bo: Player) -> None:
    """Let a challenge be answered, or lapse."""
    if how == "lapses":
        room.clock.skip(30 * 60 + 1)
    else:
        await (ann if how == "Take back" else bo).click(how)


@pytest.mark.parametrize("how", ["Accept", "Decline", "Take back", "lapses"])
async def test_call_goes_once_the_challenge_is_answered(tmp_path: Path, how: str) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await challenge(room, ann, bo)
        room.discord.forget_requests()
        await answer(room, how, ann, bo)
        await bo.until_gone(CALL)
        await room.wait_until_idle()
        deleted = [one.path for one in room.discord.requests if one.method == "DELETE" and "/channels/" in one.path]
        assert len(deleted) == 1
        assert await room.dealer.store.values("duelcall.") == {}


async def test_call_deleted_by_hand_is_no_fault(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await challenge(room, ann, bo)
        (call,) = [one for one in bo.visible() if CALL in one["content"]]
        await room.discord.controls.delete_message(call["channel_id"], call["id"])
        await bo.until_gone(CALL)
        await bo.click("Accept")
        await room.wait_until_idle()
        assert await room.dealer.store.values("duelcall.") == {}
        assert CALL not in bo.screen()


@pytest.mark.parametrize("step", ["opened", "sent", "saved", "answered", "away"])
async def test_call_goes_although_the_dealer_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Killed before it is sent, when it is there and that is not saved, when it is saved, or when it should be taken away; or away until
    the challenge has lapsed."""

    async def is_too_late(*_: object, **__: object) -> None:
        await hang()

    async with restarting_bot(tmp_path) as told:
        with monkeypatch.context() as killed:
            async with told.life(waits=False) as room:
                ann, bo = await room.people("Ann", "Bo")
                keep = Store.keep
                if step == "sent":

                    async def keep_first(self: Store, key: str, value: bytes | None) -> None:
                        if key.startswith("duelcall.") and any(CALL in one["content"] for one in bo.visible()):
                            await is_too_late()
                        await keep(self, key, value)

                    killed.setattr(Store, "keep", keep_first)
                if step == "opened":
                    killed.setattr(DuelCalls, "call", is_too_late)
                await ann.slash("duel", player=id_of(bo))
                await bo.until("**Ann** challenges" if step == "opened" else CALL)
                if step not in ("opened", "sent"):
                    await room.wait_until_idle()
                if step == "answered":
                    killed.setattr(DiscordApi, "delete", is_too_late)
                    await bo.click("Accept")
        if step == "away":
            told._ahead += 31 * 60_000
        async with told.life() as room:
            await room.wait_until_idle()
            if step == "away":
                await ann.until("Bo didn't answer Ann's challenge, so it has lapsed.")
            elif step != "answered":
                assert bo.screen().count(CALL) == 1
                await bo.click("Decline")
            await bo.until_gone(CALL)
            await room.wait_until_idle()
            assert await room.dealer.store.values("duelcall.") == {}


# its words

SIT_AND_GO = re.compile("sit-and-go", re.IGNORECASE)


def says_duel(*told: str) -> None:
    """Nothing of what somebody has read calls the duel a sit-and-go."""
    for text in told:
        wrong = [line for line in text.splitlines() if SIT_AND_GO.search(line)]
        assert not wrong, wrong


async def test_nobody_reads_of_a_sit_and_go_in_a_duel(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        says_duel(await ann.slash("duel", player=id_of(bo), chips="500", matches="3", blinds="fixed"))
        await bo.until("**Ann** challenges")
        for player in (ann, bo, cy):
            assert "All levels" not in player.buttons(), "there is one"
            says_duel(await player.slash("lobby"), await player.slash("table"), player.screen())
        await bo.click("Accept · 500")
        await room.next_hand()
        for player in (ann, bo, cy):
            standings = await player.click("Menu…")
            assert "Best of 3: Ann 0 – 0 Bo" in standings and "### 10/20, which stay" in standings
            says_duel(standings, await player.slash("table"), await player.slash("leave"), await player.slash("lobby"))
            says_duel(await player.slash("sit"), await player.slash("table", page="close"), player.screen())
        says_duel(await ann.click("Pause 5 min"), await end_and_look(room, ann, bo))
        await bo.until("wins the duel", timeout=5)
        says_duel(ann.screen(), bo.screen(), cy.screen(), ann.dms(), bo.dms(), cy.dms())


async def end_and_look(room: BotSession, ann: Player, bo: Player) -> str:
    """Bo gives up; everybody looks."""
    await bo.slash("leave")
    await bo.click("Give up")
    await end_hand(room, ann, bo)
    return ann.screen()
