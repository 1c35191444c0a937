"""Every game of the law book is played through the bot as people play it: opened by name, dealt, every choice clicked, paid.

What everybody saw is looked through: no message names a card that is not its reader's to see.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.engine import cards
from bot.engine.rule_card import RuleCard
from bot.players import policies
from bot.surfaces.table import pace
from bot.text.options import option_name
from bot.variants import CATALOGUE
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.look_back import look_back, stand_in_lobby, without_limits
from tests.e2e.play_by_buttons import live_message, play_hand, toggles
from tests.e2e.test_lobby import until_board
from tests.support.discord_double import Player
from tests.support.menus import full_rules
from tests.support.pictures import Painter

SLICE = {
    "pot_limit_holdem", "omaha8", "courchevel", "old_english", "basic_draw", "hilo_draw", "jackpots", "spit", "deuces_wild",
    "california_joker", "triple_draw_27", "badugi", "stud_low", "stud8", "razz", "mexican_stud", "follow_the_queen", "baseball",
    "crazy_pineapple", "anaconda_hilo", "guts", "double_board_holdem", "drawmaha",
}  # fmt: skip
"""The games that are played in every test run. Each kind of step and of choice is in one of them."""


LOOKED_BACK_AT = {"omaha8", "mexican_stud", "anaconda_hilo", "triple_draw_27"}
"""The games of the slice whose hand is looked back at in every test run: with a board, cards face up, cards passed on and drawn."""


WRITTEN_AS_SIGNS = frozenset(sorted(SLICE)[::2])
"""The games played on the bot's first evening: their cards are written as signs first, those of the others as emojis."""


def games_under_test() -> list[object]:
    """Return the games of the slice, and which hands are looked back at; with the long tests, every game and every hand."""
    found = []
    for card in CATALOGUE:
        in_slice, by_default = card.key in SLICE, card.key in LOOKED_BACK_AT
        if in_slice:
            found.append(pytest.param(card, by_default, id=card.key))
        if not by_default:
            found.append(pytest.param(card, True, id=f"{card.key} looked back at", marks=pytest.mark.full))
    return found


@pytest.mark.parametrize(("card", "looks_back"), games_under_test())
async def test_hand_of_every_game(
    tmp_path: Path, card: RuleCard, looks_back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three people play a hand. Then two of them and a stranger read all that is told of it, while a lobby board stands elsewhere."""
    monkeypatch.setattr(pace, "EDIT_SECONDS", 0.01)  # what is private is told the table at once
    dice = random.Random(card.key)
    async with bot_session(tmp_path, first_evening=card.key in WRITTEN_AS_SIGNS, pictures=Painter()) as room:
        if looks_back:
            await stand_in_lobby(room)
        players = await room.people("Ann", "Bo", "Cy")
        if looks_back:
            (zoe,) = await room.people("Zoe")
            for person in (*players, zoe):
                person.go("table")
        await room.open_and_sit(*players, game=card.name, seats=max(3, card.seats_min))
        chips = sum(line.stack for line in room.now.table.seats)
        await room.next_hand()
        await play_hand(room, players, dice)
        await room.wait_until_idle()
        view = room.now.hand
        assert view is not None and view.over and not view.voided
        assert sum(line.stack for line in room.now.table.seats) + view.carried_to_next_hand == chips
        assert view.payments or view.passed_out
        assert room.watcher.pictures_checked > 1
        room.check_leaks()
        if looks_back:
            without_limits(room)
            await room.skip_run_out()
            await room.wait_until_idle()
            ann, bo, _ = players
            assert "closes" in await ann.close_table(), "no other hand is dealt meanwhile"
            await until_board(room, zoe, "No table is open")
            for reader, every_step in ((zoe, True), (ann, False), (bo, False)):
                assert await look_back(room, reader, ann, bo, every_step=every_step) > 12
            room.check_leaks()
            assert room.watcher.files_checked >= 3 * 3


def own_cards(room: BotSession, player: Player) -> list[int]:
    """Return the cards that a player holds."""
    own = room.now.seen_by(int(player.me["id"]))
    assert own is not None and own.viewer is not None
    return [seen.card for seen in own.seats[own.viewer].cards if seen.card is not None]


async def test_games_are_found_by_name_alias_and_family(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        assert "Limit Razz" in await ann.autocomplete("play", "game", "razz")
        assert "Pot-Limit Omaha Hi-Lo 8 or Better" in await ann.autocomplete("play", "game", "plo8")
        assert len(await ann.autocomplete("play", "game", "lowball")) > 5
        assert "Anaconda" in await ann.autocomplete("laws", "game", "pass the trash")
        assert "Laws of Limit Razz" in await ann.slash("laws", game="razz")
        await ann.slash("laws", game="baseball")
        assert "Wild: threes, nines." in await ann.select("More laws…", "Special rules")
        assert "H.O.R.S.E." in await ann.autocomplete("laws", "game", "horse")
        assert "3. **Limit Razz** · law VC-7" in await ann.slash("laws", game="horse")
        assert (await ann.autocomplete("laws", "game", "Limit Hold'em"))[0] == "Limit Hold'em"
        assert "in and out" not in await ann.slash("play", sit=False, game="guts")
        assert "Law VC-27" in await ann.slash("laws", law="VC-27")


async def test_a_declaration_by_command_stays_secret(tmp_path: Path) -> None:
    """After `/declare` the table knows only that a player has declared, until everybody has."""
    async with bot_session(tmp_path) as room:
        players = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*players, game="guts", seats=3)
        await room.next_hand()
        ann, bo, cy = players
        assert await ann.autocomplete("act", "word", "") == ["in", "out"]
        assert "You can declare in or out" in await ann.slash("act", what="declare", word="sideways")
        assert "It's revealed when everyone has chosen." in await ann.slash("act", what="declare", word="in")
        assert "You've already chosen" in await ann.slash("act", what="declare", word="out")
        await ann.click("Declare…")  # told in the panel that answered the command
        await room.wait_until_idle()
        assert ann.screen().count("You've already chosen") == 1
        await bo.until("· ready")
        assert "It's revealed when everyone has chosen." in await bo.slash("act", what="declare", word="out")
        said = await cy.slash("act", what="declare", word="out")
        assert "You're **out**." in said and "It's revealed" not in said, "everybody has chosen"
        await room.wait_for_text("Declared: Ann in · Bo out · Cy out")
        room.check_leaks()


@pytest.mark.law("VC-18")
async def test_cards_given_up_are_never_seen_and_players_are_told(tmp_path: Path) -> None:
    """In pineapple one card goes before the flop, by command or by button, also when the last player chooses."""
    async with bot_session(tmp_path) as room:
        ann, bo = players = await room.people("Ann", "Bo")
        await room.open_and_sit(*players, game="pineapple", seats=2)
        await room.next_hand()
        while "Discard 1" not in (screen := ann.screen()):
            player = room.to_act(*players)
            assert player is not None, screen
            await player.slash("call" if "[Call" in player.render(await live_message(room, player)) else "check")
            await room.wait_until_idle()
        held = own_cards(room, ann)
        assert "You discard 1 card, face down." in await ann.slash("draw", cards=cards.card_text(held[0]))
        assert "Discarded face down" in await bo.slash("draw")
        await bo.press(*toggles(bo)[0])
        assert "You discard 1 card, face down." in await bo.click("Discard 1", within="Only you can see this")
        room.check_leaks()


async def test_cards_are_changed_by_command(tmp_path: Path) -> None:
    """`/draw`, `/discard` and `/standpat` take cards as people write them."""
    async with bot_session(tmp_path) as room:
        players = await room.people("Ann", "Bo")
        await room.open_and_sit(*players, game="five_card_draw", seats=2)
        await room.next_hand()
        while (player := room.to_act(*players)) is not None and "Draw 1 of 1" not in player.screen():
            await player.slash("call" if "[Call" in player.render(await live_message(room, player)) else "check")
            await room.wait_until_idle()
        assert player is not None
        held = own_cards(room, player)
        other = next(one for one in players if one is not player)
        assert "'s turn to draw." in await other.slash("act", what="stand pat")
        strange = next(card for card in range(52) if card not in held)
        assert "You don't hold that card." in await player.slash("draw", cards=cards.card_text(strange))
        assert "You draw 2" in await player.slash("draw", cards=cards.cards_text(held[:2]))
        assert len(set(own_cards(room, player)) & set(held)) == 3
        assert "You stand pat" in await other.slash("act", what="stand pat")
        await room.wait_for_text("After the draw")
        room.check_leaks()


async def test_a_law_is_changed_by_selects_and_printed(tmp_path: Path) -> None:
    """`/table page:settings` offers only options that the game has. Before the first hand its host decides alone (H-1)."""
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", sit=False, game="stud")
        shown = await ann.slash("table", page="settings")
        doubles = option_name("stud.pair_doubles")
        assert doubles not in shown and "Bring-in" in shown
        assert option_name("draw_max") not in shown and "Blinds" not in shown
        await ann.click("House rules")
        await ann.select("Change a house rule…", doubles)
        assert f"Changed: {doubles} **on**" in await ann.select(f"{doubles}…", "on")
        assert room.now.settings.options.sheet == (("stud.pair_doubles", "on"),)
        assert f"{doubles}: on" in await ann.slash("laws")
        assert "An open pair on fourth street lets its player" in await full_rules(ann)


@pytest.mark.parametrize("key", ["old_english", "badugi", "baseball", "anaconda_hilo", "guts"])
async def test_practice_players_play_along(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One person plays among practice players. They act by themselves, also where all choose at once, and the hand ends."""
    monkeypatch.setattr(pace, "EDIT_SECONDS", 0.01)
    dice = random.Random(key)
    async with bot_session(tmp_path, policies=policies()) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", sit=False, game=key, seats=4, practice=3)
        assert "Ada" in ann.screen()
        await ann.slash("sit")
        await room.next_hand()
        await play_hand(room, [ann], dice)
        view = room.now.hand
        assert view is not None and view.over and not view.voided
        await room.wait_until_idle()
        room.check_leaks()
