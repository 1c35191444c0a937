"""Answers with a picture: the result of a hand, one's own cards large, the podium, what beats what; and the same answers in text."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from pathlib import Path

import pytest

from bot.pictures.draw import draw
from bot.pictures.types import HandPicture, Picture, PodiumPicture, RankingPicture, TablePicture
from bot.surfaces import answer_pictures
from bot.surfaces.my_hand import contents as hand_panels
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.played_before import have_played
from tests.e2e.test_pictures import is_webp, refusal
from tests.support.discord_double import EPHEMERAL, Json, Player, _flat
from tests.support.menus import choose_for_oneself
from tests.support.pictures import InProcessMaker

ALT_MAX = 256
REFUSALS = [(413, 40005), (403, 50013), (400, 50035)]
"""What Discord can say to a file: too large, not allowed, not valid."""


class Drawer(InProcessMaker):
    """Draws in a thread, so that the dealer answers in time on a slow machine too."""

    async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
        if not self.can_draw or self.fails:
            return None
        self.drawn.append(picture)
        return await asyncio.to_thread(draw, picture)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers wait for their pictures, however slow the machine is."""
    for module, name in (
        (answer_pictures, "TEXT_SECONDS"),
        (answer_pictures, "DRAWING_SECONDS"),
        (hand_panels, "PANEL_SECONDS"),
    ):
        monkeypatch.setattr(module, name, 20.0)


def gallery(message: Json) -> Json | None:
    """The one picture that a message shows; None for none."""
    shown = [item for part in _flat(message["components"]) if part["type"] == 12 for item in part["items"]]
    assert len(shown) <= 1
    return shown[0] if shown else None


def picture_of(message: Json, name: str) -> str:
    """The id of the picture that a message shows under this name, with a description; empty for none. It has no other file."""
    shown, files = gallery(message), message["attachments"]
    if shown is None:
        assert not files, "a file that nobody sees"
        return ""
    assert [file["id"] for file in files] == [shown["media"]["id"]]
    assert files[0]["filename"] == name and files[0]["content_type"] == "image/webp"
    assert 0 < len(shown["description"]) <= ALT_MAX
    return str(files[0]["id"])


def last(player: Player, words: str, *, private: bool = True) -> Json:
    """The newest message with these words that a player sees, private or not."""
    found = [
        message
        for message in player.visible()
        if words in player.render(message) and bool(message["flags"] & EPHEMERAL) is private
    ]
    assert found, f"nothing with {words!r}:\n{player.screen()}"
    return found[-1]


def words_of_picture(message: Json) -> str:
    shown = gallery(message)
    assert shown is not None
    return str(shown["description"])


def drawn(maker: Drawer, kind: type[Picture]) -> list[Picture]:
    return [picture for picture in maker.drawn if isinstance(picture, kind)]


async def played(room: BotSession) -> tuple[Player, Player]:
    """Two people who have played a hand to its showdown."""
    ann, bo = await room.people("Ann", "Bo")
    await room.open_and_sit(ann, bo)
    stack_next_deck(room, no_two_tie(2))
    await room.next_hand()
    await room.check_down(ann, bo)
    await room.wait_for_text("wins")
    await room.wait_until_idle()
    return ann, bo


# the result of a hand


async def test_hand_shows_the_table_at_its_end(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, _ = await played(room)
        maker.drawn.clear()
        await ann.slash("hand")
        message = last(ann, "[Show here]")
        assert picture_of(message, "table.webp")
        assert "wins" in words_of_picture(message)
        assert await is_webp(room, message) == (1100, 820)
        (shown,) = maker.drawn
        assert isinstance(shown, TablePicture) and len(shown.boards[0].cards) == 5
        room.check_leaks()


async def test_replay_shows_the_table_at_each_step(tmp_path: Path) -> None:
    """Ann steps through a hand and shows it to everybody. Then no picture can be drawn, and the replay goes on in text."""
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await played(room)
        maker.drawn.clear()
        await ann.click("Replay", within="wins")
        await ann.click("Next", within="step 1 of 16")
        pictures = [picture for picture in maker.drawn if isinstance(picture, TablePicture)]
        assert [picture.heading for picture in pictures] == ["DEAL", "PRE-FLOP"]
        assert [seat.is_to_act for seat in pictures[1].seats].count(True) == 1
        assert sorted(seat.bet for seat in pictures[1].seats) == ["100", "50"]
        assert all(card.card is None for picture in pictures for seat in picture.seats for card in seat.cards)
        message = last(ann, "step 2 of 16")
        before = picture_of(message, "table.webp")
        assert words_of_picture(message).startswith("Pre-flop.") and "Your cards" in ann.render(message)
        await ann.click("Show here", within="step 2 of 16")
        shared = last(bo, "leads this replay", private=False)
        assert picture_of(shared, "table.webp") != before
        await ann.click("Last", within="leads this replay")
        assert "wins" in words_of_picture(last(bo, "leads this replay", private=False))
        maker.fails = True
        await ann.click("First", within="leads this replay")
        assert not picture_of(last(bo, "step 1 of 16", private=False), "table.webp")
        room.check_leaks()


async def test_everybody_sees_the_same_picture_of_a_hand(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        (cleo,) = await room.people("Cleo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Fold", ann, bo)
        await room.wait_for_text("wins")
        maker.drawn.clear()
        for person in (ann, bo, cleo):
            await person.slash("hand")
        pictures = drawn(maker, TablePicture)
        assert len(pictures) == 3 and len(set(pictures)) == 1
        assert isinstance(pictures[0], TablePicture)
        assert all(card.card is None for seat in pictures[0].seats for card in seat.cards)
        room.check_leaks()


async def test_show_here_posts_the_picture_once_a_minute(tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        ann, bo = await played(room)
        (cleo,) = await room.people("Cleo")
        await cleo.slash("hand")
        await cleo.click("Show here")
        public = last(bo, "Ann", private=False)
        await bo.wait_for(lambda: bool(gallery(last(bo, "Pre-flop", private=False))), "the hand with its picture")
        public = last(bo, "Pre-flop", private=False)
        assert picture_of(public, "table.webp")
        before = len([message for message in bo.visible() if not message["flags"] & EPHEMERAL])
        await cleo.slash("hand")
        await cleo.click("Show here")
        assert len([message for message in bo.visible() if not message["flags"] & EPHEMERAL]) == before
        await ann.slash("hand")
        await ann.click("Show here")
        await bo.wait_for(
            lambda: len([message for message in bo.visible() if not message["flags"] & EPHEMERAL]) == before + 1,
            "somebody else may show it",
        )


async def test_hand_that_is_played_has_no_picture(tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await ann.slash("hand")
        assert gallery(last(ann, "[Show here]")) is None


# one's own cards


async def open_large(room: BotSession, player: Player) -> Json:
    await choose_for_oneself(player, large=True)
    await player.click("My hand")
    return last(player, "My hand #")


async def test_large_cards_are_shown_to_their_owner_alone(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        message = await open_large(room, ann)
        assert picture_of(message, "hand.webp")
        assert words_of_picture(message).startswith("Your cards: ")
        assert (await is_webp(room, message))[0] == 1100
        (own,) = drawn(maker, HandPicture)
        view = room.now.seen_by(int(ann.me["id"]))
        assert isinstance(own, HandPicture) and view is not None and view.viewer is not None
        assert {card.card for card in own.cards} == {card.card for card in view.seats[view.viewer].cards}
        assert all(gallery(each) is None or "hand.webp" not in str(each["attachments"]) for each in bo.visible())
        room.check_leaks()


async def test_large_cards_are_drawn_again_only_with_the_board(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        first = picture_of(await open_large(room, ann), "hand.webp")
        await room.act("Call", ann, bo)
        await room.wait_until_idle()
        assert picture_of(last(ann, "My hand #"), "hand.webp") == first
        assert len(drawn(maker, HandPicture)) == 1
        await room.act("Check", ann, bo)
        await ann.wait_for(lambda: picture_of(last(ann, "My hand #"), "hand.webp") not in {"", first}, "a new picture")
        await room.wait_until_idle()
        second = drawn(maker, HandPicture)[-1]
        assert isinstance(second, HandPicture) and len(second.boards[0].cards) == 3 and second.hands
        assert "Board: " in words_of_picture(last(ann, "My hand #"))
        assert len(drawn(maker, HandPicture)) == 2
        room.check_leaks()


async def test_own_clicks_on_the_panel_keep_its_picture(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        player = room.to_act(ann, bo)
        assert player is not None
        first = picture_of(await open_large(room, player), "hand.webp")
        await player.click("Call", within="My hand #")
        await room.wait_until_idle()
        assert picture_of(last(player, "My hand #"), "hand.webp") == first
        assert len(drawn(maker, HandPicture)) == 1


async def test_cards_stay_in_text_for_who_has_not_asked(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await ann.click("My hand")
        assert gallery(last(ann, "My hand #")) is None and not drawn(maker, HandPicture)
        await choose_for_oneself(ann, large=True)
        await choose_for_oneself(ann, large=False)
        await ann.click("My hand")
        assert gallery(last(ann, "My hand #")) is None and not drawn(maker, HandPicture)


async def test_next_hand_shows_its_own_cards_large(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        first = picture_of(await open_large(room, ann), "hand.webp")
        await room.act("Fold", ann, bo)
        await room.wait_until_idle()
        await room.next_hand()
        await ann.wait_for(lambda: picture_of(last(ann, "My hand #"), "hand.webp") not in {"", first}, "the new cards")
        view = room.now.seen_by(int(ann.me["id"]))
        newest = drawn(maker, HandPicture)[-1]
        assert isinstance(newest, HandPicture) and view is not None and view.viewer is not None
        assert {card.card for card in newest.cards} == {card.card for card in view.seats[view.viewer].cards}
        room.check_leaks()


# the podium


async def test_leaderboard_has_a_podium_on_its_first_page(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        people = await room.people("Ann", "Bo", "Cleo")
        await have_played(room, {person: 3000 * (at + 1) for at, person in enumerate(people)})
        (ann, *_) = people
        await ann.slash("stats", page="leaderboard")
        message = last(ann, "Leaderboard")
        assert picture_of(message, "podium.webp")
        (podium,) = drawn(maker, PodiumPicture)
        assert isinstance(podium, PodiumPicture)
        assert [player.name for player in podium.players] == ["Cleo", "Bo", "Ann"]
        assert "1: Cleo" in words_of_picture(message)


async def test_page_without_podium_loses_the_picture(tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        people = await room.people(*[f"Person {at}" for at in range(12)])
        await have_played(room, dict.fromkeys(people, 500))
        (ann, *_) = people
        await ann.slash("stats", page="leaderboard")
        assert picture_of(last(ann, "Leaderboard"), "podium.webp")
        await ann.click("Next ›", within="Leaderboard")
        assert not picture_of(last(ann, "Leaderboard"), "podium.webp")
        await ann.click("‹ Prev", within="Leaderboard")
        assert picture_of(last(ann, "Leaderboard"), "podium.webp")


# what beats what


async def what_beats_what(player: Player, game: str) -> None:
    """Open that section of the laws of a game."""
    await player.slash("laws", game=game)
    await player.select("More laws…", "What beats what")


async def test_laws_of_a_game_show_what_beats_what(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        (ann,) = await room.people("Ann")
        await what_beats_what(ann, "short_deck")
        message = last(ann, "What beats what")
        assert picture_of(message, "ranking.webp")
        names = [row.name for section in maker.drawn[0].sections for row in section.rows]  # type: ignore[union-attr]
        assert names.index("Flush") < names.index("Full house")
        assert "straight flush › four of a kind › flush › full house" in ann.render(message)
        assert "straight flush, four of a kind, flush, full house" in words_of_picture(message)
        await what_beats_what(ann, "short_deck")
        assert len(maker.drawn) == 1, "it is kept"


async def test_rules_button_shows_what_beats_what(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, game="razz")
        await bo.click("Rules")
        message = last(bo, "What beats what")
        assert picture_of(message, "ranking.webp")
        (ranking,) = drawn(maker, RankingPicture)
        assert isinstance(ranking, RankingPicture) and ranking.sections[0].rows[0].name == "5-4-3-2-A"
        await bo.click("Full rules")
        await bo.select("More laws…", "What beats what")
        assert picture_of(last(bo, "What beats what"), "ranking.webp")


# in text


async def everything_in_text(room: BotSession) -> None:
    ann, _ = await played(room)
    await ann.slash("hand")
    assert gallery(last(ann, "[Show here]")) is None
    await what_beats_what(ann, "razz")
    assert gallery(last(ann, "What beats what")) is None
    await ann.slash("stats", page="leaderboard")
    assert gallery(last(ann, "Leaderboard")) is None
    await room.next_hand()
    assert gallery(await open_large(room, ann)) is None
    room.check_leaks()


async def test_without_a_drawer_answers_are_in_text(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        await everything_in_text(room)


async def test_answers_are_in_text_where_drawing_fails(tmp_path: Path) -> None:
    maker = Drawer()
    maker.fails = True
    async with bot_session(tmp_path, pictures=maker) as room:
        await everything_in_text(room)


async def test_answers_are_in_text_without_leave_to_attach(tmp_path: Path) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        (dan,) = await room.people("Dan")
        room.discord.controls.set_overwrite(dan.here, deny=["attach_files"])
        await everything_in_text(room)
        assert not maker.drawn


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_refused_picture_leaves_the_answer_in_text(tmp_path: Path, status: int, code: int) -> None:
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        (ann,) = await room.people("Ann")
        callback = r"/interactions/.*/callback"
        await ann.slash("laws", game="razz")
        room.discord.fails("POST", callback, status=status, body=refusal(code))
        await ann.select("More laws…", "What beats what")
        assert gallery(last(ann, "What beats what")) is None and len(maker.drawn) == 1
        await what_beats_what(ann, "razz")
        assert picture_of(last(ann, "What beats what"), "ranking.webp"), "the next answer has it"


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_refused_picture_leaves_the_panel_in_text(tmp_path: Path, status: int, code: int) -> None:
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Call", ann)
        await choose_for_oneself(ann, large=True)
        room.discord.fails("POST", r"/webhooks/\d+/[^/]+$", status=status, body=refusal(code))
        await ann.click("My hand")
        assert gallery(last(ann, "My hand #")) is None
        await room.act("Check", bo)
        await room.wait_until_idle()
        assert gallery(last(ann, "My hand #")) is None, "no second try"
        room.check_leaks()


# the text comes first


class HeldDrawer(Drawer):
    """Draws nothing before it is let go, like a drawing process that is stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
        await self.go.wait()
        return await super().draw(picture, key)


@pytest.fixture
def impatient(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers wait for no picture."""
    monkeypatch.setattr(answer_pictures, "TEXT_SECONDS", 0.0)


async def test_text_goes_out_at_once_and_the_picture_follows(tmp_path: Path, impatient: None) -> None:
    """The drawing process is stopped while people ask for laws, the leaderboard, a hand and their numbers."""
    maker = HeldDrawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        maker.go.set()
        ann, bo = await played(room)
        await have_played(room, {ann: 500, bo: -500})
        maker.go.clear()
        asked = {
            "Leaderboard": ("podium.webp", ("stats",), {"page": "leaderboard"}),
            "[Show here]": ("table.webp", ("hand",), {}),
        }
        for shows, (name, command, options) in asked.items():
            await ann.slash(*command, **options)
            assert not picture_of(last(ann, shows), name)
            maker.go.set()
            await ann.wait_for(lambda: bool(gallery(last(ann, shows))), "the picture")  # noqa: B023
            assert picture_of(last(ann, shows), name)
            maker.go.clear()
        await what_beats_what(ann, "razz")
        assert not picture_of(last(ann, "What beats what"), "ranking.webp")
        maker.go.set()
        await ann.wait_for(lambda: bool(gallery(last(ann, "What beats what"))), "the picture")
        room.check_leaks()


async def test_late_picture_does_not_undo_a_newer_page(tmp_path: Path, impatient: None) -> None:
    maker = HeldDrawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        people = await room.people(*[f"Person {at}" for at in range(12)])
        await have_played(room, dict.fromkeys(people, 500))
        (ann, *_) = people
        await ann.slash("stats", page="leaderboard")
        await ann.click("Next ›", within="Leaderboard")
        second = ann.render(last(ann, "Leaderboard"))
        maker.go.set()
        await room.wait_until_idle()
        assert ann.render(last(ann, "Leaderboard")) == second and gallery(last(ann, "Leaderboard")) is None
        await ann.click("‹ Prev", within="Leaderboard")
        await ann.wait_for(lambda: bool(gallery(last(ann, "Leaderboard"))), "the picture of the first page")


async def test_shared_page_gets_its_picture_later_too(tmp_path: Path, impatient: None) -> None:
    maker = HeldDrawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        await have_played(room, {ann: 500, bo: -500})
        await ann.slash("stats", page="leaderboard")
        await ann.click("Show here", within="Leaderboard")
        assert gallery(last(bo, "Leaderboard", private=False)) is None
        maker.go.set()
        await bo.wait_for(lambda: bool(gallery(last(bo, "Leaderboard", private=False))), "the picture")
