"""Hands step by step: by `/hand`, by the button under a finished hand, by a message's menu, and led by one for everybody."""

from __future__ import annotations

import re
from pathlib import Path

from bot.runtime.guests import TableGuests
from bot.runtime.request import Request
from bot.settings import SECRET_FILE
from bot.statistics.achievements import Achievement, Earned
from bot.statistics.types import HandKey
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_choices_survive_restart import RestartingBot
from tests.e2e.test_faults import chat
from tests.runtime.evening import settings
from tests.support.discord_double import Discord, Json, Player, discord_double


async def play_down(room: BotSession, *players: Player) -> None:
    """Play a hand in which everybody calls and checks to the end, and deal the next one."""
    stack_next_deck(room, no_two_tie(len(players)))
    await room.next_hand()
    await room.check_down(*players)
    await room.wait_until_idle()


def replay_heading(seen: str) -> str:
    found = re.search(r"Replay · Hand #\d+ · step \d+ of \d+", seen)
    assert found is not None, seen
    return found[0]


async def test_a_hand_is_replayed_step_by_step(tmp_path: Path) -> None:
    """Ann and Bo check a hand down. Each goes through it, Ann shows it to everybody, and Cy from nowhere looks on."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo)
        await play_down(room, ann, bo)
        await chat(room, ann, "one", "two", "three")
        await room.next_hand()
        await room.wait_until_idle()
        assert "Hand #1" in (line := next(cy.render(m) for m in cy.visible() if "**Hand #1**" in cy.render(m)))
        assert "[Replay]" in line
        seen = await ann.click("Replay", within="**Hand #1**")
        assert replay_heading(seen) == "Replay · Hand #1 · step 1 of 16"
        assert "posts small blind 50" in seen and "Your cards" not in seen
        assert "`1-1-1`" in seen
        seen = await ann.click("Next", within="Replay · Hand #1")
        assert "step 2 of 16" in seen and "Your cards" in seen and "Pre-flop" in seen
        seen = await ann.click("Last", within="Replay · Hand #1")
        assert "step 16 of 16" in seen and "Result · " in seen and "wins" in seen
        seen = await ann.select("Jump to a street…", "Turn", within="Replay · Hand #1")
        assert "Turn · cards are dealt" in seen
        street = replay_heading(seen)
        assert "(First)" not in seen
        seen = await ann.click("Back", within="Replay · Hand #1")
        assert "checks** ◀" in seen and "Flop" in seen
        assert "Replay · Hand #1" not in bo.screen()
        # in words, and back
        seen = await ann.click("Text log", within="Replay · Hand #1")
        assert "### Hand #1\n" in seen and "**Flop**" in seen
        assert "step 7 of 16" in await ann.click("Replay", within="### Hand #1\n")
        assert "-# Stacks: 1\u00a0Ann " in await ann.click("Last", within="step 7 of 16")
        # for everybody
        await ann.select("Jump to a street…", "Turn", within="Replay · Hand #1")
        await ann.click("Show here", within="Replay · Hand #1")
        assert street in bo.screen() and "**Ann** leads this replay" in bo.screen()
        shared = next(m for m in bo.visible() if "leads this replay" in bo.render(m))
        assert "Your cards" not in bo.render(shared)
        await ann.click("Next", within="leads this replay")
        assert street not in bo.render(next(m for m in bo.visible() if m["id"] == shared["id"]))
        alone = await cy.click("Last", within="leads this replay")
        assert "step 16 of 16" in alone and "(Only you can see this)" in alone
        assert "step 16 of 16" not in bo.screen()
        room.check_leaks()


async def test_hands_are_found_after_their_table_has_closed(tmp_path: Path) -> None:
    """Three hands at two tables, one of them closed; a stranger from another server guesses."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo)
        await play_down(room, ann, bo)
        await play_down(room, ann, bo)
        await ann.close_table()
        await bo.until("is closed")
        room.clock.skip(86_400)
        assert "### Hand #2" in await cy.slash("hand"), "the channel's last table"
        assert "### Hand #1\n" in await cy.slash("hand", number="1")
        seen = await ann.slash("hand", number="1-2-5")
        assert "Replay · Hand #2 · step 5 of 16" in seen and "`1-2-5`" in seen
        found = await ann.slash("hand", player=bo)
        assert found.index("**Hand #2** · Table 1") < found.index("**Hand #1** · Table 1")
        assert found.count("No-Limit Hold'em 50/100") == 2
        assert re.search(r"-# No-Limit Hold.em 50/100 · (Ann|Bo) won 200 with .+ against (Ann|Bo) · you [+−]100", found)
        assert " · you " not in await cy.slash("hand", table=1)
        for date, there in (("yesterday", True), ("last week", None), ("2020-02-29", False), ("Jan 1 1970", False)):
            answer = await cy.slash("hand", date=date, game="holdem")
            assert "Something went wrong" not in answer, date
            if there is not None:
                assert ("**Hand #1**" in answer) is there, (date, answer)
        assert "No hand like that was found" in await cy.slash("hand", player=cy)
        assert "“someday” is no past date" in await cy.slash("hand", date="someday")
        assert "Did you mean" in await cy.slash("hand", game="holdme")
        assert "**Hand #2**" in await cy.click("No-Limit Hold'em")
        assert "“abc” is no hand" in await cy.slash("hand", number="abc")
        assert "There's no table 7." in await cy.slash("hand", number="7-1")
        assert await cy.autocomplete("hand", "date", "yes") == ["yesterday"]
        assert await cy.autocomplete("hand", "game", "hold") == ["No-Limit Hold'em"]
        await cy.slash("hand", table=1)
        assert "### Hand #1\n" in await cy.select("Open a hand…", "Hand #1 · Table 1")
        assert "### Hands found" in cy.screen(), "the list stays"
        room.check_leaks()


async def test_several_hands_in_one_line_offer_a_choice(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        for _ in range(3):
            await room.next_hand()
            await room.act("Fold", ann, bo)
            await room.wait_until(lambda: not room.now.hand_running)
            await room.wait_until_idle()
        await chat(room, ann, "one", "two", "three")
        await room.next_hand()
        await room.wait_until_idle()
        line = next(m for m in bo.visible() if "**Hands #1–3** · no showdown" in bo.render(m))
        chosen = await bo.click("Replay", within="**Hands #1–3**")
        assert chosen == await bo.menu("Replay", line)
        assert "### Hands #1–3" in chosen and re.search(
            r"-# No-Limit .+ · (Ann|Bo) won 100 · no showdown · you", chosen
        )
        assert "### Hand #2\n" in await bo.select("Open a hand…", "Hand #2 · Table 1")
        running = next(m for m in reversed(bo.visible()) if f"t:{room.now.id}:4:" in str(m["components"]))
        assert "### Replay · Hand #3" in await bo.menu("Replay", running), "the last hand, whose end the message tells"
        await room.act("Fold", ann, bo)
        await room.wait_until(lambda: not room.now.hand_running)
        await room.wait_until_idle()
        assert "### Replay · Hand #4" in await bo.menu("Replay", running)
        room.discord.controls.add_channel("elsewhere")
        await bo.wait_for(lambda: any(c.get("name") == "elsewhere" for c in bo.channels.values()), "the channel")
        await bo.go("elsewhere").slash("hand", table=1)
        assert "### Hand #2\n" in await bo.select("Open a hand…", "Hand #2 · Table 1")
        bo.go("poker")
        said = await ann.ask("say", channel_id=ann.here, text="nice hand")
        assert said["t"] == "done"
        message = next(m for m in reversed(bo.visible()) if m["content"] == "nice hand")
        assert "That message shows no hand." in await bo.menu("Replay", message)
        sent = room.discord.stand_in.world.messages[line["channel_id"]]
        sent["77"] = {**sent[line["id"]], "id": "77", "author": {**line["author"], "id": "78"}}
        assert "That message shows no hand." in await bo.menu("Replay", {**line, "id": "77"}), "another bot's"
        room.check_leaks()


async def test_replays_go_on_after_a_kill_and_without_the_cards(tmp_path: Path) -> None:
    """Ann leads a replay, the dealer is killed, the replay goes on. Then the secret of the cards is lost."""
    async with discord_double(tmp_path / "discord") as discord:
        bot = RestartingBot(discord, tmp_path / "data")
        async with bot.life() as room:
            ann, bo, cy = await room.people("Ann", "Bo", "Cy")
            await room.open_and_sit(ann, bo)
            await play_down(room, ann, bo)
            await chat(room, ann, "one", "two", "three")
            await room.next_hand()
            await room.wait_until_idle()
            await ann.click("Replay", within="**Hand #1**")
            await ann.click("Next", within="Replay · Hand #1")
            await ann.click("Show here", within="Replay · Hand #1")
            assert "step 2 of 16" in bo.screen()
            await bo.slash("hand", player=ann)
        async with bot.life() as room:
            await ann.click("Next", within="leads this replay")
            await bo.until("step 3 of 16")
            seen = await bo.click("Last", within="leads this replay")
            assert "step 16 of 16" in seen and "(Only you can see this)" in seen and "step 3 of 16" in cy.screen()
            assert "Your cards" in await bo.click("Back", within="step 16 of 16")
            assert "### Hand #1\n" in await bo.select("Open a hand…", "Hand #1 · Table 1", within="### Hands found")
            # buttons that nobody was given: another server's, of no table, of no hand, no ids at all
            shared = next(m for m in cy.visible() if "leads this replay" in cy.render(m))
            for words in ("7.1:1", "1.99:1", "1.1:1:1", "x:1", "1.1:0", "1.1", "1.1:99999999999", f"{2**62}.1:1"):
                for verb in ("next", "here", "log", "file", "row", "whatever"):
                    answer = await press_made_up(discord, cy, shared, f"p:replay:{verb}:{words}")
                    assert "step" not in answer and "wrong" not in answer, (verb, words, answer)
            for words in (
                "older:0.0:0.0.0:0",
                "older:1.0:0.999999.0:0",
                f"newest:0.0:abcd.1.2:{10**17}",
                "show",
                "x:1:2:3",
            ):
                answer = await press_made_up(discord, cy, shared, f"p:found:{words}")
                assert "(Only you can see this)" in answer and "wrong" not in answer, (words, answer)
            assert "leads this replay" in bo.screen()
        (tmp_path / "data" / SECRET_FILE).write_bytes(b"another secret, by mistake......")
        async with bot.life() as room:
            gone = "The cards of hand #1 can't be read: their secret is lost."
            assert gone in await ann.click("Next", within="leads this replay")
            assert gone in await ann.slash("hand", number="1-1-4")
            found = await ann.slash("hand", player=bo)
            assert "**Hand #1** · Table 1" in found and "its cards are gone" in found
            assert gone in await ann.select("Open a hand…", "Hand #1 · Table 1", within="### Hands found")


async def test_hands_of_a_private_table_are_its_guests_alone(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        guild = next(iter(room.discord.stand_in.world.guilds))
        host = Request(key="1", guild=int(guild), channel=int(ann.here), user=int(ann.me["id"]), name="Ann")
        guests = TableGuests(private=True, invited=(int(bo.me["id"]),))
        await room.dealer.tables.open(host, settings(), guests)
        for seat, player in enumerate((ann, bo), 1):
            await player.slash("sit", seat=seat)
        await play_down(room, ann, bo)
        await chat(room, ann, "one", "two", "three")
        await room.next_hand()
        await room.wait_until_idle()
        assert "**Hand #1** · Table 1" in await bo.slash("hand", player=ann)
        assert "step 1 of 16" in await bo.click("Replay", within="**Hand #1** ·")
        line = next(m for m in cy.visible() if "**Hand #1** ·" in cy.render(m))
        refusals = [await cy.menu("Replay", line), await cy.click("Replay", within="**Hand #1** ·")]
        for person in people:
            person.go("lobby")
        await bo.slash("hand", number="1-1-3")
        assert "Show it there" in await bo.click("Show here", within="step 3 of 16")
        refusals += [
            await cy.slash("hand", number="1-1"),
            await cy.slash("hand", number="1-1-3"),
            await cy.slash("hand", number="1-1", file="text"),
            await cy.slash("hand", table=1),
            await cy.slash("hand", player=ann),
        ]
        # neither statistics nor achievements tell of it to anybody who may not know of the table
        assert "Best hand" in await ann.slash("stats") or "Biggest pot" in ann.screen()
        winner = ann if "Biggest pot" in ann.screen() else bo
        assert "Biggest pot" in await ann.slash("stats", player=winner), "a guest"
        told = [await cy.slash("stats", player=winner)]
        await winner.slash("stats")
        await winner.click("Show here", within="Biggest pot")
        told += [cy.render(one) for one in cy.visible() if "tatistics" in cy.render(one) and not one["flags"] & 64]
        earned = Earned(Achievement.ROYAL_FLUSH, HandKey(1, 1, 1), 0)

        async def achievements(*_: object) -> tuple[Earned, ...]:
            return (earned,)

        room.dealer.statistics.achievements = achievements  # type: ignore[method-assign]
        assert "hand #1 of table 1" in await bo.slash("stats", page="achievements", player=ann)
        told.append(await cy.slash("stats", page="achievements", player=ann))
        assert len(told) == 3 and "Royal flush" in told[-1]
        for seen in told:
            assert not re.search(r"(?i)best hand|biggest pot|hand #1|table 1", seen), seen
        for seen in refusals:
            assert not re.search(r"Hand #1|won|step|Ann|posts", seen.partition("</")[0].replace("@Ann", "")), seen
        room.check_leaks()


async def press_made_up(discord: Discord, player: Player, message: Json, custom_id: str) -> str:
    """Let somebody press a button that the message does not have."""
    stored = next(
        found
        for channel in discord.stand_in.world.messages.values()
        for number, found in channel.items()
        if number == message["id"]
    )
    before = stored["components"]
    stored["components"] = [
        {"type": 1, "id": 1, "components": [{"type": 2, "id": 2, "style": 2, "label": "x", "custom_id": custom_id}]}
    ]
    try:
        return await player.press(message, custom_id)
    finally:
        stored["components"] = before
