"""A watcher reads everything that anybody sees, and the log, and looks for cards that are not theirs to see.

A card can be named to its owner (privately), and to everybody once it lies open: on the board or shown. Before that no message, edit,
alt text, file, file name, custom id or line of the log that reaches anybody else can name it, in any way of writing cards, numbers
included.
"""

from __future__ import annotations

import asyncio
import functools
import re
import sqlite3
from collections.abc import Hashable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from bot.dealer import Dealer
from bot.engine import cards
from bot.engine.view.types import HandView
from bot.local.storage import File
from bot.pictures.maker import PictureMaker
from bot.pictures.types import AvatarPicture, HandPicture, Picture, TablePicture
from bot.runtime.hand_log import HANDS_OF_A_TABLE
from bot.runtime.snapshot import TableSnapshot
from bot.text.game_names import MODIFIER_DESCRIPTIONS
from bot.text.introductions import INTRODUCTIONS
from tests.support.discord_double import EPHEMERAL, Discord

Json = dict[str, Any]

_NAMES = {cards.card_name(card): card for card in cards.STANDARD_52}
_SIGNS = {cards.card_symbol(card): card for card in cards.STANDARD_52}
_SHORT = {cards.card_text(card): card for card in cards.STANDARD_52}
_OF_SUIT = re.compile("of[ _](clubs|diamonds|hearts|spades)(?![a-z])")
_RANK_BEFORE = re.compile("(?<![a-z])(" + "|".join({name.split(" of ")[0] for name in _NAMES}) + ")[ _]$")
_LONGEST_RANK = max(len(name.split(" of ")[0]) for name in _NAMES) + 2  # with what stands around it
_SIGN = re.compile("(?:10|[2-9TJQKA])[♣♦♥♠]")
_PAIR = re.compile(  # a rank is looked for first, then what stands before it; one alone may be the word "As"
    r"[2-9TJQKA](?<!\w.)[cdhs][ ,]{0,2}(?:[2-9TJQKA][cdhs][ ,]{0,2})+(?!\w)"
)


def as_named(card: int) -> int:
    """The card that a text means by a card's name: one joker is called like the other."""
    return min(card, cards.JOKER)


def cards_named(text: str) -> set[int]:
    """Return every card that a text names: in words, as an emoji's name, as signs, as two letters.

    It reads everything that anybody sees in an evening, so it looks for what is rare first: a suit, then the rank before it.
    """
    found: set[int] = set()
    lower = text.lower()
    for suit in _OF_SUIT.finditer(lower):
        rank = _RANK_BEFORE.search(lower[max(0, suit.start() - _LONGEST_RANK) : suit.start()])
        if rank is not None:
            found.add(_NAMES[f"{rank[1]} of {suit[1]}"])
    if "joker" in lower:
        found.add(cards.JOKER)
    if any(map(text.__contains__, "♣♦♥♠")):
        found |= {_SIGNS[sign] for sign in _SIGN.findall(text)}
    for pair in _PAIR.findall(text):
        found |= {_SHORT[word] for word in re.findall(r"[2-9TJQKA][cdhs]", pair)}
    return found


_NUMBER_LIST = re.compile(r"\d(?<![\w.:,+-]\d)\d?(?:(?:, ?| |\|)\d{1,2})+(?![\w:.-])")
_NUMBER_FIELD = re.compile(r"(?<!\S)(\w+)=(\d{1,2})(?!\S)")
_COUNTING_FIELDS = frozenset({
    "channel", "code", "commands", "commits", "documents", "emojis", "epoch", "files", "guild", "hand", "late_ms", "left", "occasion",
    "opcode", "per_second", "port", "seat", "season", "seconds", "servers", "shard", "slot", "status", "table", "times", "took_ms", "user",
})  # fmt: skip
"""Fields of the log whose number is no card. A field that is not among them must not hold a number that can be one."""


def card_numbers(text: str) -> list[str]:
    """Return what in a text can be cards written as numbers: every list of numbers from 0 to 52, whatever cards there are in the hand."""
    found = [match.group() for match in _NUMBER_LIST.finditer(text)]
    return [numbers for numbers in found if max(map(int, re.findall(r"\d+", numbers))) <= cards.JOKER]


def _json_as_text(line: str) -> str:
    """Return a line of `CARDROOM_LOG_FORMAT=json` as the watcher reads the others."""
    fields = msgspec.json.decode(line)
    head = [str(fields.pop(name)) for name in ("at", "level", "logger", "message")]
    return " ".join([*head, *(f"{name}={value}" for name, value in fields.items())])


def check_log(log: str, secrets: Iterable[str] = ()) -> None:
    """Check that no line of a log names a card, in words or as a number, or holds one of the secrets."""
    for line in log.splitlines():
        text = re.sub(r"ace_of_\w+\.png|file=\S+", "", _json_as_text(line) if line.startswith("{") else line)
        named = [cards.card_name(card) for card in cards_named(text)]
        named += card_numbers(text)
        named += [
            field.group()
            for field in _NUMBER_FIELD.finditer(text)
            if field[1] not in _COUNTING_FIELDS and int(field[2]) <= cards.JOKER
        ]
        assert not named, f"the log names {named}: {line}"
    for secret in secrets:
        assert secret not in log, "the log holds a secret: " + log[max(0, log.index(secret) - 80) :][:80]


_SUIT_WORD = "(?:clubs|diamonds|hearts|spades)"
_PUBLIC_CARD_TEXTS = (
    (" with the Joker", r"[^\"]{0,60} with the Joker"),
    ("The joker is a bug", "The joker is a bug"),
    ("Joker ", "Joker (?:as Bug|Wild|for a Card)"),
    ("joker bug", "joker bug"),
    ("Wild: ", r"Wild: [^\\\"]*"),
    ("Two Jokers", "Two Jokers"),
    (" with ", r"\d\d with (?:joker|two jokers)"),
    (" wild.", r"(?:The|All) [\w ]+ (?:is|are) wild\."),
    ("The joker stands for", r"The joker stands for(?= \*\*|:)"),
    (" wild", rf"\w+ of {_SUIT_WORD} wild"),
    ("Wild cards", r"Wild cards(?: \*\*|: ) ?[^\\\"]*"),
    ('"label":"Wild cards"', r"\"label\":\"Wild cards\"[^}]*"),
    (" as ", rf" as \w+ of {_SUIT_WORD}"),
    ("### Cards", r"### Cards\\n# (?:(?:<:ace_of_[a-z]+(?:_2c)?:\d+>){4}|`A♠ A♥ A♦ A♣`)"),
    ("First deal: ", r"First deal: (?:[^\\\"]|\\\\)*"),
    ("Seats are drawn: ", r"Seats are drawn: (?:[^\\\"]|\\\\)*"),
    ("Cut for the first deal: ", r"Cut for the first deal: (?:[^\\\"]|\\\\)*"),
)
"""Texts that name cards of a game, and nobody's own: its name, what is wild, what a wild card stands for, cards drawn in public
before a hand, and the four aces of `/me`, which show how cards look. Each begins with words that stand in it, whatever it says."""
_GAME_TEXTS = re.compile("|".join(re.escape(one) for one in (*INTRODUCTIONS.values(), *MODIFIER_DESCRIPTIONS.values())))
"""The sentences that introduce games, word for word: they name cards as examples."""
_PAGES_WITH_EXAMPLES = re.compile(
    r"### (?:Laws?\b|Rules · |How to play|Table \d+ · (?:settings|house rules)|The joker stands for)"
)
"""Headings of pages that name cards as examples."""
_PUBLIC_NUMBERS = re.compile(r"(?:Free seats:|drew|three packets:) [\w, ]+")
"""Lists of numbers that are no cards: seats, and how many cards a player drew."""
_DECIDED_AHEAD = re.compile(r":pre(?:check|call|drop|upto|clear)|Noted: |You'd planned|Call up to…|Check it down")
"""What tells that somebody has decided ahead, or can: it never stands where another one reads it (TL-34, WT-2)."""
_OPTION_EMOJIS = re.compile(r'"emoji":\{[^}]*\}')
"""Emojis on the buttons of a player who names their wild cards: any card of the deck can be among them."""


def _without_public_cards(text: str, instead: str = "") -> str:
    """Return a text without what names cards of a game.

    Most of it is looked for at every letter: only what has its words in the text.
    """
    there = tuple([pattern for words, pattern in _PUBLIC_CARD_TEXTS if words in text])
    return _any_of(there).sub(instead, text) if there else text


@functools.cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


class ReadMessage(NamedTuple):
    """What a message can say of cards: its text without what is everybody's to know, the cards it names, the lists that can be cards by
    their numbers, and the hands that it names."""

    text: str
    named: frozenset[int] = frozenset()
    listed: tuple[str, ...] = ()
    hands: frozenset[int] = frozenset()


@functools.lru_cache(maxsize=2_000)
def read_message(text: str) -> ReadMessage:
    """Read a message, given as JSON. Everybody in a channel sees the same one."""
    if not (cards_named(text) or card_numbers(text)) or _PAGES_WITH_EXAMPLES.search(text):
        return ReadMessage(text)
    text = _without_public_cards(_GAME_TEXTS.sub("_ ", text), "_ ")  # no number is cut in two
    if "**Before you show**" in text:
        text = _OPTION_EMOJIS.sub("", text)
    hands = re.findall(r"[Hh]and #(\d+)", text)
    listed = card_numbers(_PUBLIC_NUMBERS.sub("", text))
    return ReadMessage(text, frozenset(cards_named(text)), tuple(listed), frozenset(map(int, hands)))


_FILE_CARDS = re.compile(r"(?<!\w)(?:[2-9TJQKA][cdhs]|J[ko])+(?!\w)")
"""Cards in a file, also a single one: there ``As`` is no word."""
_FILE_NUMBERS = re.compile(
    r"^(?:antes|blinds_or_straddles|\w+_stacks|_pots_by_street|_final_pots|_seats|_rule_card|_options) = .*$"
    r"|(?<![\w,])[2-9TJQKA](?:,[2-9TJQKA]){1,4}(?![\w,])",
    re.MULTILINE,
)
"""Lists of numbers in files that are no cards: chips, seats and rules in PHH, and the ranks by which PokerStars calls low hands."""
_FILE_HANDS = re.compile(r"^(?=PokerStars Hand #|Hand #|\[\d+\]$)", re.MULTILINE)
"""Where a hand of a file begins."""


def _hands_of_file(name: str, content: str) -> Iterator[tuple[int, str]]:
    """Return the hands of a file, each with its number; 0 where the file does not say it."""
    if name.endswith(".json"):
        told = msgspec.json.decode(content)
        for hand in told.pop("hands", ()):
            yield hand["hand"], hand["phh"]
        yield 0, msgspec.json.encode(told).decode()
        return
    of_one = re.fullmatch(r"hand-(\d+)\.\w+", name)
    for text in _FILE_HANDS.split(content):
        number = re.match(r"(PokerStars )?Hand #(\d+)", text)
        if number is not None:
            yield int(number[2]) % HANDS_OF_A_TABLE if number[1] else int(number[2]), text
        else:
            yield int(of_one[1]) if of_one is not None else 0, text


def without_public_texts(text: str) -> str:
    """Return a message without what names cards and is nobody's: a game's own words, what is wild, and numbers that are no cards."""
    return _PUBLIC_NUMBERS.sub("", _without_public_cards(_GAME_TEXTS.sub("_ ", text), "_ "))  # no number is cut in two


class LeakWatcher:
    """Collects what every person's page gets, in order, with the cards that were open at that moment."""

    def __init__(self, discord: Discord, dealer: Dealer) -> None:
        self._discord = discord
        self._dealer = dealer
        self._read: dict[str, int] = {}
        self._hands: dict[tuple[int, int], CardsOfHand] = {}
        self._waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._files: dict[str, File] = {}
        self.messages_checked = self.pictures_checked = self.files_checked = 0
        self._picture_faults: list[str] = []

    def __enter__(self) -> LeakWatcher:
        take = self._dealer.services.display.on_update

        def watched(change: Any) -> None:
            self._note(change.snapshot)
            take(change)
            waiting, self._waiting = self._waiting, asyncio.get_running_loop().create_future()
            waiting.set_result(None)

        draw = self._dealer.parts.get(PictureMaker).draw

        async def watched_draw(picture: Picture, key: Hashable | None = None) -> bytes | None:
            self._check_picture(picture)
            return await draw(picture, key)

        storage = self._discord.stand_in.world.storage
        save_file = storage.save_file

        def watched_file(snowflake: str, file: File, *, private: bool = False) -> None:
            self._files[snowflake] = file
            save_file(snowflake, file, private=private)

        storage.save_file = watched_file  # type: ignore[method-assign]
        self._dealer.services.display.on_update = watched  # type: ignore[method-assign]
        self._dealer.parts.get(PictureMaker).draw = watched_draw  # type: ignore[method-assign]
        return self

    def __exit__(self, *failure: object) -> None:
        del (
            self._dealer.services.display.on_update,
            self._dealer.parts.get(PictureMaker).draw,
            self._discord.stand_in.world.storage.save_file,
        )
        assert not self._picture_faults, "\n".join(self._picture_faults)

    def _note(self, now: TableSnapshot) -> None:
        """Remember the cards of each player and the open cards."""
        view = now.hand
        if view is None:
            return
        known = self._hands.setdefault((now.id, now.hand_number), CardsOfHand())
        for seat in view.seats:
            player = now.players_by_seat[seat.seat_number].user
            own = now.seen_by(player)
            if own is not None:
                known.held[player] = known.held.get(player, set()) | {
                    as_named(seen.card) for seen in own.seats[seat.seat_index].cards if seen.card is not None
                }
        known.note_open(view)

    def note_unshown_ends(self) -> None:
        """Remember the ends of all-in hands that are still being run out: a dealer that stops shows them."""
        for session in self._dealer.tables._sessions.values():
            self._note(session.saved_snapshot())

    async def note_ends(self) -> None:
        """Remember the open cards of hands that had ended before the dealer started: a run-out is not shown again."""
        for (table, number), known in self._hands.items():
            log_of_hand = await self._dealer.tables.finished_hand(table, number)
            if log_of_hand is not None and log_of_hand.view.over:
                known.note_open(log_of_hand.view)

    def skip_to_now(self) -> None:
        """Ignore what has been seen so far."""
        for player in self._discord._people:
            self._read[player.name] = len(player.frames)

    async def next_change(self) -> None:
        """Wait for the next change at a table."""
        await asyncio.shield(self._waiting)
        await asyncio.sleep(0)  # the change is published before the tables have put it away

    def check(self) -> None:
        """Check everything since the last time.

        A hidden card can stand in a private message or direct message of its owner, and nowhere else; and who is told of a card that
        nobody has shown must be its owner. Messages of several hands are looked at against the hand they name.
        """
        for player in self._discord._people:
            frames = player.frames[self._read.get(player.name, 0) :]
            self._read[player.name] = len(player.frames)
            for frame in frames:
                if frame.get("t") in {"create", "update"}:
                    message = frame["message"]
                    is_private = (
                        bool(message.get("flags", 0) & EPHEMERAL) or message["channel_id"] in player.dm_channels
                    )
                    self._check_message(player.name, int(player.me["id"]), message, private=is_private)
                elif frame.get("t") == "modal":
                    self._check_message(player.name, int(player.me["id"]), frame["modal"], private=True)

    def check_files(self, directory: Path) -> None:
        """Check what a stand-in that has stopped keeps in its data directory: nothing that names a card which was never open."""
        assert not list(directory.glob("*-wal")), "the stand-in still runs"
        with closing(sqlite3.connect(directory / "discord.sqlite3")) as database:
            for (body,) in database.execute("SELECT body FROM document WHERE kind = 'message'").fetchall():
                self._check_message("a reader of the files", 0, msgspec.json.decode(body))
            emojis = {row[0] for row in database.execute("SELECT id FROM document WHERE kind = 'emoji'").fetchall()}
            for number, name in database.execute("SELECT id, name FROM file").fetchall():
                if number not in emojis:
                    self._check_file_name(name)

    def _check_file_name(self, name: str) -> None:
        """Check the name of a file: a card can stand in none, whoever can see it."""
        found = [cards.card_name(card) for card in cards_named(name)] + card_numbers(name)
        assert not found, f"a file is called {name}"

    def _check_picture(self, picture: Picture) -> None:
        """Note a card in the picture of a table that does not lie open, and any card in a chart. A player's own cards can be drawn for
        them alone."""
        if isinstance(picture, AvatarPicture):  # it comes from Discord
            return
        if not isinstance(picture, TablePicture):
            written = _without_public_cards(msgspec.json.encode(picture).decode())
            if not isinstance(picture, HandPicture) and (named := cards_named(written)):
                self._picture_faults.append(f"a picture names {[cards.card_name(card) for card in named]}")
            return
        self.pictures_checked += 1
        shown = {card for card in _picture_cards(msgspec.to_builtins(picture)) if card is not None}
        opened = {card for known in self._hands.values() for card in known.open}
        if hidden := {as_named(card) for card in shown} - opened:
            self._picture_faults.append(f"a picture shows {[cards.card_name(card) for card in hidden]}")
        seats = tuple([replace(seat, avatar=b"") for seat in picture.seats])
        written = msgspec.json.encode(replace(picture, seats=seats)).decode()
        if named := cards_named(_without_public_cards(written)) - opened:
            self._picture_faults.append(f"a picture names {[cards.card_name(card) for card in named]}")

    def _check_message(self, reader: str, user: int, seen: Json, *, private: bool = False) -> None:
        """Check a message that somebody sees, or has in their files; `private`: it is for them alone."""
        self.messages_checked += 1
        for attachment in seen.get("attachments", ()):
            self._check_file_name(attachment["filename"])
            self._check_file(reader, user, attachment, private=private)
        text = msgspec.json.encode(seen).decode()
        if not private:
            told = _DECIDED_AHEAD.search(text)
            assert told is None, f"{reader} sees {told[0]}, which somebody has decided ahead, in {text}"
        read = read_message(text)
        assert not read.listed, f"{reader} sees {read.listed}, which can be cards by their numbers, in {read.text}"
        if read.named:
            self._check_cards(reader, user, set(read.named), set(read.hands), read.text, private=private)

    def _check_file(self, reader: str, user: int, attachment: Json, *, private: bool) -> None:
        """Check what stands in a file that somebody can open. Pictures are looked at before they are drawn."""
        file = self._files.get(attachment["id"])
        if file is None or file.type.startswith("image/"):
            return
        self.files_checked += 1
        for number, text in _hands_of_file(file.name, file.body.decode()):
            listed = card_numbers(_FILE_NUMBERS.sub("", text))
            assert not listed, f"{reader} reads {listed}, which can be cards by their numbers, in {file.name}: {text}"
            words = [word[at : at + 2] for word in _FILE_CARDS.findall(text) for at in range(0, len(word), 2)]
            named = {as_named(cards.parse_card(word)) for word in words} | (cards_named(text) - {cards.JOKER})
            self._check_cards(reader, user, named, {number} - {0}, f"{file.name}: {text}", private=private)

    def _check_cards(
        self, reader: str, user: int, named: set[int], numbers: set[int], text: str, *, private: bool
    ) -> None:
        """Check cards that somebody is told of, in a text about the hands with these numbers, or about any hand if it says none."""
        hands = [known for (_, number), known in self._hands.items() if not numbers or number in numbers]
        own = {card for known in hands for card in known.held.get(user, ())}
        opened = {card for known in hands for card in known.open}
        hidden = {card for known in hands for held in known.held.values() for card in held} - opened - own
        leaked = named & hidden
        assert not leaked, f"{reader} sees {[cards.card_name(card) for card in leaked]} in {text}"
        strange = named - own - opened
        assert not strange, (
            f"{reader} is told of {[cards.card_name(card) for card in strange]} that nobody holds: {text}"
        )
        if not private:
            assert not named - opened, (
                f"a public message names {[cards.card_name(card) for card in named - opened]}: {text}"
            )


def _picture_cards(part: Any) -> Iterator[int | None]:
    """Yield the number of every card in the values of a picture."""
    if isinstance(part, dict):
        if "card" in part:
            yield part["card"]
        for inner in part.values():
            yield from _picture_cards(inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _picture_cards(inner)


class CardsOfHand:
    """The cards of one hand, by player, and the open ones."""

    def __init__(self) -> None:
        self.held: dict[int, set[int]] = {}
        self.open: set[int] = set()

    def note_open(self, view: HandView) -> None:
        """Remember what the public view shows."""
        self.open |= {as_named(card) for board in (*view.boards, *view.rabbit_cards) for card in board}
        self.open |= {as_named(seen.card) for seat in view.seats for seen in seat.cards if seen.card is not None}
        self.open |= {as_named(card) for seat in view.seats for card in seat.openers_shown}
