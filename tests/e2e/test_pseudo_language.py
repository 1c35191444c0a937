"""In a made-up language nothing that people see is left in English, too long for Discord, or missing a value."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.engine.rule_card import RuleCard
from bot.players import policies
from bot.surfaces.table import pace
from bot.text import language
from bot.variants import CATALOGUE
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.play_by_buttons import play_hand
from tests.e2e.test_every_game import SLICE, WRITTEN_AS_SIGNS
from tests.support.discord_double import EPHEMERAL, Player
from tests.support.menus import choose_for_oneself, set_rules
from tests.support.pseudo_language import english_words, pseudo_language, texts_of

Json = dict[str, Any]

LOCALE = "de"
NAMES = frozenset({"Ann", "Bo", "Cy", "You", "Dealer"})
TYPED = frozenset({"banana", "straddle", "anaconda"})
"""Texts that players type are quoted as they typed them; so are those they are told to type, in the law book's own words."""
PLACEHOLDER_SIGNS = "{}"


@pytest.fixture(autouse=True)
def made_up_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole catalogue in lookalike letters, for the server and for everybody in it."""
    monkeypatch.setitem(language.KNOWN, LOCALE, pseudo_language(LOCALE))
    monkeypatch.setattr(pace, "EDIT_SECONDS", 0.01)


def faults_seen(players: list[Player]) -> Iterator[str]:
    """Return the faults of everything that the players' pages have shown."""
    for player in players:
        own = player.me["id"]
        for frame in player.frames:
            shown = {"create": "message", "update": "message", "modal": "modal", "choices": "choices"}.get(frame["t"])
            if shown is None or (shown == "message" and frame["message"]["author"]["id"] == own):
                continue
            texts = (
                [("choice", each["name"]) for each in frame["choices"]]
                if shown == "choices"
                else texts_of(frame[shown])
            )
            for field, text in texts:
                words = english_words(text, NAMES | TYPED)
                if words:
                    yield f"{field} {text!r}: {' '.join(words)}"
                if any(sign in text for sign in PLACEHOLDER_SIGNS):
                    yield f"{field} {text!r}: a placeholder without a value"


def check(players: list[Player], room: BotSession, caplog: pytest.LogCaptureFixture) -> None:
    """Fail on English text, a missing value, and anything that Discord refused."""
    found = sorted(set(faults_seen(players)))
    refused = [(one.path, one.response_body) for one in room.discord.requests if one.status == 400]
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert not refused, refused
    assert not errors, errors
    assert not found, f"{len(found)} texts:\n" + "\n".join(found)


async def people(room: BotSession, *names: str) -> list[Player]:
    """Return new members and the owner of the server, who all read the made-up language."""
    room.discord.stand_in.world.people[room.discord.you.me["id"]].locale = LOCALE
    return await room.people(*names, locale=LOCALE)


async def press_all(player: Player, *verbs: str) -> None:
    """Press the newest button whose id ends with each of these words."""
    for verb in verbs:
        found = [
            (message, part["custom_id"])
            for message in player.visible()
            for part in _flat(message["components"])
            if part["type"] == 2 and re.search(rf":{verb}(?::|$)", part.get("custom_id", ""))
        ]
        assert found, f"{player.name} finds no button for {verb}:\n{player.screen()}"
        await player.press(*found[-1])


def _flat(components: list[Json]) -> list[Json]:
    return [part for each in components for part in (each, *_flat(each.get("components", [])))]


def games() -> list[object]:
    """Return the games of the slice; with the long tests, every game."""
    return [
        pytest.param(card, id=card.key, marks=[] if card.key in SLICE else [pytest.mark.full]) for card in CATALOGUE
    ]


@pytest.mark.parametrize("card", games())
async def test_hand_of_every_game(tmp_path: Path, card: RuleCard, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(card.key)
    async with bot_session(tmp_path, server_locale=LOCALE, first_evening=card.key in WRITTEN_AS_SIGNS) as room:
        players = await people(room, "Ann", "Bo", "Cy")
        await room.open_and_sit(*players, game=card.name, seats=max(3, card.seats_min))
        await room.deal()
        await players[0].slash("myhand")
        await play_hand(room, players, dice)
        await room.wait_until_idle()
        for command in ("laws", "hand", "table page:info", "table page:settings"):
            await players[0].types(command)
        check(players, room, caplog)


async def test_pages_of_house_bank_laws_and_help(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with bot_session(tmp_path, server_locale=LOCALE) as room:
        ann, bo = await people(room, "Ann", "Bo")
        you = room.discord.you
        for command in ("chips", "daily", "daily", "free", "history", "achievements", "privacy", "delete"):
            await ann.slash("me", page=command)
        for command in (
            "help",
            "me",
            "laws",
            "hand",
            "myhand",
            "lobby",
            "table page:info",
            "table page:games",
            "sit",
            "seat",
        ):
            await ann.types(command)
        await ann.slash("stats", page="leaderboard")
        await you.slash("help")
        await choose_for_oneself(ann, colours="two", dms=False)
        await choose_for_oneself(ann, dms=True)
        for words in ("TL-4", "straddle", "banana", "B-8"):
            await ann.slash("laws", law=words)
        for game in ("razz", "horse", "banana", "guts", "baseball"):
            await ann.slash("laws", game=game)
        await ann.autocomplete("laws", "law", "pot")
        await ann.autocomplete("raise", "to", "")
        await ann.autocomplete("play", "game", "omaha")
        for wrong in (
            {"big_blind": "banana"},
            {"game": "banana"},
            {"most": "10"},
            {"change": "lap"},
            {"seats": 14, "game": "badugi"},
        ):
            await ann.slash("play", sit=False, **wrong)
        await you.slash("house", page="rules")
        for page in ("", "server", "books", "bans", "reports", "flow"):
            await you.slash("house", page=page) if page else await you.slash("house")
        await you.fill_in("house", page="ban", player=bo, why="0")
        await you.slash("house", page="bans")
        await you.fill_in("house", page="unban", player=bo, why="")
        await set_rules(you, "house", staff_channel=ann.here)
        await you.fill_in("house", page="grant", player=bo, chips="500", reason="0")
        await you.fill_in("house", page="take", player=bo, chips="100", reason="0")
        await you.fill_in("house", page="take", player=bo, chips="10m", reason="0")
        await you.fill_in("house", page="cancel", reason="0")
        await ann.slash("play", sit=False, seats=3)
        await ann.slash("play", sit=False)
        await you.fill_in("house", page="save", name="0")
        await ann.slash("table", page="games")
        await you.fill_in("house", page="delete", name="0")
        await you.fill_in("house", page="delete", name="0")
        await ann.slash("table", page="settings")
        for field in sorted(_options(ann)):
            await _choose(ann, field)
        await you.slash("house", page="rules")
        for field in sorted(_options(you)):
            await _choose(you, field)
        await you.close_table()
        await room.wait_until_idle()
        check([ann, bo, you], room, caplog)


def _selects(player: Player) -> list[tuple[Json, Json]]:
    return [
        (message, part)
        for message in player.visible()
        for part in _flat(message["components"])
        if part["type"] == 3 and message["flags"] & EPHEMERAL
    ]


def _options(player: Player) -> list[tuple[str, str]]:
    """Return every option of the selects on the player's newest private message that has any, with the id of its select."""
    newest = _selects(player)[-1][0]["id"]
    return [
        (part["custom_id"], option["value"])
        for message, part in _selects(player)
        if message["id"] == newest
        for option in part["options"]
    ]


async def _choose(player: Player, field: tuple[str, str]) -> None:
    """Choose an option in a select."""
    custom_id, value = field
    message = next(message for message, part in reversed(_selects(player)) if part["custom_id"] == custom_id)
    where = {"channel_id": message["channel_id"], "message_id": message["id"]}
    chosen = {"custom_id": custom_id, "component_type": 3, "values": [value]}
    await player._outcome(await player.ask("select", **where, **chosen))


async def test_seats_ceremonies_and_refusals(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with bot_session(tmp_path, server_locale=LOCALE) as room:
        ann, bo, cy = players = await people(room, "Ann", "Bo", "Cy")
        await ann.slash("play", sit=False, seats=3, game="basic_draw", seconds=30)
        await ann.slash("sit", chips="banana")
        await ann.slash("sit", chips="1")
        await ann.slash("sit", seat=1)
        await ann.slash("sit")
        await press_all(bo, "sit")
        await press_all(ann, "buyin")
        await ann.slash("seat", what="waiting list")
        await ann.fill_in("table", page="choose", seat=2)
        await ann.slash("table", page="left")
        await ann.slash("table", page="seats")
        await cy.fill_in("table", page="lot", at=3)
        await cy.slash("fold")
        await cy.slash("sit")
        await cy.slash("seat", what="waiting list")
        for command in (
            "table page:first",
            "table page:shuffle",
            "table page:nocut",
            "table page:skip",
            "table page:misdeal",
            "table page:bomb",
            "act what:time",
            "act what:show",
            "act what:muck",
            "act what:stand pat",
        ):
            await ann.types(command)
        await ann.fill_in("table", page="cut", at="0 99")
        await ann.fill_in("table", page="exchange", seat=2)
        await bo.fill_in("table", page="exchange", seat=1)
        await ann.fill_in("table", page="substitute", player=cy)
        await ann.fill_in("table", page="adjust", changes="Ann -50 Bo +50")
        await ann.fill_in("table", page="adjust", changes="Ann -50 Bo +40")
        await bo.slash("act", what="straddle")
        await room.deal()
        for player in players:
            for command in (
                "bet to:banana", "raise to:1", "act what:declare word:high", "act what:yes", "act what:check or fold", "draw",
                "draw cards:7h", "rebuy chips:1m", "leave", "seat what:back", "seat what:sit out", "seat what:back",
                "table page:misdeal", "act what:time",
            ):  # fmt: skip
                if room.now.hand_running:
                    await player.types(command)
        await room.wait_until_idle()
        room.clock.skip(9)
        await room.wait_until_idle()
        room.clock.skip(200)
        await room.wait_until_idle()
        await ann.close_table()
        room.clock.skip(3600)
        await room.wait_until_idle()
        check(players, room, caplog)


@pytest.mark.parametrize("game", ["horse", "dealers choice", "plo / razz"])
async def test_mixed_tables_with_practice_players(tmp_path: Path, game: str, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(game)
    async with bot_session(tmp_path, server_locale=LOCALE, policies=policies()) as room:
        (ann,) = await people(room, "Ann")
        await ann.slash("play", sit=False, game=game, seats=4, practice=2, bomb="vote", change="deals", every=1)
        await ann.slash("sit")
        for _ in range(2):
            if not next(seat.stack for seat in room.now.table.seats if seat.player == int(ann.me["id"])):
                await ann.slash("rebuy", chips="10000")
                await ann.slash("seat", what="back")
            await room.deal()
            await play_hand(room, [ann], dice)
            await room.wait_until_idle()
        await ann.slash("table", page="settings")
        await ann.slash("me", page="chips")
        await ann.slash("stats", page="leaderboard")
        check([ann], room, caplog)


async def test_descriptions_of_commands_reach_discord(tmp_path: Path) -> None:
    """They come in every language of the catalogue, within Discord's limits."""
    async with bot_session(tmp_path, server_locale=LOCALE) as room:
        for command in room.discord.you.commands.values():
            for described in (command, *_flat_options(command)):
                local = described["description_localizations"][LOCALE]
                assert 0 < len(local) <= 100 and not english_words(local, NAMES), local
                assert 0 < len(described["description"]) <= 100
                assert 0 < len(described["name"]) <= 32
                for choice in described.get("choices", []):
                    assert 0 < len(choice["name_localizations"][LOCALE]) <= 100


def _flat_options(command: Json) -> list[Json]:
    return [part for each in command.get("options", []) for part in (each, *_flat_options(each))]
