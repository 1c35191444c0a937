"""Read hands in the form of PokerStars' hand histories, ours and those of trackers and card rooms that write the same lines.

Reading checks the form alone: every line must be one that the form has. What comes out is a `RecordedHand`, as from a PHH file, which
`bot.history.replay` plays and rules on; the lines of its actions are kept, so that a fault can be shown where it stands. Amounts with
cents are read as cents. Cards that the lines do not show are unknown.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace

from bot.engine.cards import parse_card
from bot.engine.errors import TableError
from bot.engine.events import PostKind
from bot.engine.options.values import Limit
from bot.engine.stakes import MAX_CHIPS
from bot.engine.units import SeatNumber
from bot.history import phh
from bot.history.file_hands import FileHand
from bot.history.pokerstars import DRAW_MARKS, LIMIT_NAMES, POKERSTARS_GAMES, STUD_STREETS, Layout, PokerStarsGame
from bot.history.validate_card import MAX_SEATS

MAX_LINES = 2_000
"""The longest hands have a few hundred lines."""
MAX_LINE_LENGTH = 500


class PokerStarsFault(StrEnum):
    """What is wrong with a hand. `PokerStarsError.detail` is the line, cut, or what else each value says."""

    NOT_A_HEADER = "not a header"
    UNKNOWN_GAME = "unknown game"
    NO_TABLE = "no table"
    NO_SEATS = "no seats"
    NO_STAKES = "no stakes"
    TOO_MANY_LINES = "too many lines"
    LINE_TOO_LONG = "line too long"
    BREAKS_OFF = "breaks off"
    UNKNOWN_LINE = "unknown line"
    UNKNOWN_PLAYER = "unknown player"
    NOT_A_CARD = "not a card"
    AMOUNT = "amount"
    OUT_OF_ORDER = "out of order"


class PokerStarsError(TableError):
    """Lines that are no hand in PokerStars' form. `line` counts from 1 in the whole file."""

    fault: PokerStarsFault
    line: int
    detail: str = ""


_AMOUNT = r"[$€£₹¥]?(\d[\d,]{0,20}(?:\.\d{1,2})?)(?: (?:USD|EUR|GBP|CAD|INR|CNY))?"
_CARDS = r"\[([^][]*)\]"
_GAME = re.compile(r"\b(" + "|".join(sorted({re.escape(one.name) for one in POKERSTARS_GAMES.values()}, key=len, reverse=True))
                   + r") (No Limit|Pot Limit|Fixed Limit|Limit)\b", re.IGNORECASE)  # fmt: skip
_HEADER = re.compile(r"\ufeff?PokerStars .{0,80}?#(\d{1,19}):\s+(.*)")
_STAKES = re.compile(rf"\((?:[^()]*?\b)?{_AMOUNT}/{_AMOUNT}[^()]*\)")
_BUTTON_STAKES = re.compile(rf"\(Button Blind {_AMOUNT} - Ante {_AMOUNT}[^()]*\)")
_TABLE = re.compile(r"Table .{0,120}?(?: Seat #(\d{1,2}) is the button)?\s*")
_SEAT = re.compile(rf"Seat (\d{{1,2}}): (.{{1,200}}) \({_AMOUNT} in chips[^()]*\)(.*)")
_POST = re.compile(rf"posts (the ante|small blind|big blind|button blind|straddle|small & big blinds) {_AMOUNT}(.*)")
_PAYS = re.compile(rf"(calls|bets|brings in for|brings[- ]in(?: low)? for) {_AMOUNT}(.*)")
_RAISES = re.compile(rf"raises {_AMOUNT} to {_AMOUNT}(.*)")
_DISCARDS = re.compile(rf"discards (\d) cards?(?: {_CARDS})?")
_STANDS_PAT = re.compile(rf"stands pat(?: on {_CARDS})?")
_SHOWS = re.compile(rf"shows {_CARDS}.*")
_DEALT = re.compile(rf"Dealt to (.{{1,200}}?)(?: {_CARDS})? {_CARDS}")
_STREET = re.compile(rf"\*\*\* (FIRST |SECOND )?([A-Z0-9a-z ]{{3,14}}) \*\*\*(?: ?{_CARDS})?(?: ?{_CARDS})?")
_UNCALLED = re.compile(rf"Uncalled bet \({_AMOUNT}\) returned to (.+)")
_COLLECTED = re.compile(rf"(.+) collected {_AMOUNT} from (?:main pot|side pot(?:-\d+)?|pot)")
_TOTAL = re.compile(rf"Total pot {_AMOUNT}(.*?)\| Rake {_AMOUNT}.*")
_SIDE_POT = re.compile(rf"(?:Main|Side) pot(?:-\d+)? {_AMOUNT}\.")
_NOISE = re.compile(
    r".* said, \".*\"|.* (?:is sitting out|sits out|has timed out(?: while (?:being )?disconnected)?|is (?:dis)?connected|has returned"
    r"|joins the table at seat #\d+|leaves the table|was removed from the table for failing to post|re-buys and receives .*"
    r"|will be allowed to play after the button|finished the tournament.*|wins the tournament.*)\s*"
    r"|Betting is capped|The deck is reshuffled"
)
"""What readers pass over: chat and who comes and goes."""
_SUMMARY_LINES = ("Seat ", "Board [", "FIRST Board [", "SECOND Board [", "Hand was run twice")
_ALL_IN = "all-in"
_AFTER_ALL = 99
"""The number of the street after the last one."""
_BOARD_STREETS = ("FLOP", "TURN", "RIVER")


def is_pokerstars(text: str) -> bool:
    """Return whether a text begins as a hand in PokerStars' form does."""
    return text.lstrip("\ufeff\n\r ").startswith("PokerStars ")


def parse_pokerstars(lines: Sequence[str], first_line: int = 1) -> FileHand:
    """Read one hand.

    Args:
        lines: from its header on, without empty ones at the end.
        first_line: the number of its first line in the file.

    Raises:
        PokerStarsError: a line is not of the form.
    """
    if len(lines) > MAX_LINES:
        raise PokerStarsError(fault=PokerStarsFault.TOO_MANY_LINES, line=first_line)
    reader = _HandReader(first_line)
    for number, line in enumerate(lines):
        reader.at = first_line + number
        if len(line) > MAX_LINE_LENGTH:
            raise reader.error(PokerStarsFault.LINE_TOO_LONG)
        if line.strip():
            reader.read(line.rstrip())
    reader.at = first_line + len(lines) - 1
    return reader.hand()


class _Seat:
    """What the lines say of one player."""

    def __init__(self, number: int, chips: int) -> None:
        self.number, self.chips = number, chips
        self.put_in = 0
        self.bet = 0  # on this street
        self.won = 0
        self.is_dealt_in = False
        self.has_folded = False
        self.hole: list[int | None] = []  # as far as the lines told before the showdown
        self.up: list[int] = []  # of stud, in the order of dealing
        self.shown: list[int] = []


class _HandReader:
    """Reads a hand line by line."""

    def __init__(self, first_line: int) -> None:
        self.at = self.first_line = first_line
        self.read = self._header
        self.number = 0
        self.game: PokerStarsGame
        self.limit = Limit.NO_LIMIT
        self.stakes = (0, 0)
        self.button = 0
        self.scale = 1
        self.seats: dict[str, _Seat] = {}
        self.order_dealt: list[str] = []  # of stud: who is dealt to first
        self.posts: list[tuple[str, str, int, bool]] = []
        self.actions: list[tuple[int, str, phh.RecordedAction]] = []  # line, name, action with player 0
        self.boards: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])  # of each run: line and card
        self.street = -1
        self.has_run_twice = False
        self.bring_in = 0
        self.first_call = 0
        self.is_raised = False
        self.pots: tuple[int, ...] | None = None
        self.rake = 0
        self.is_cancelled = False
        self.is_over = False
        self.cards_of_street: dict[str, tuple[list[int | None], list[int]]] = {}

    # what every line can need

    def error(self, fault: PokerStarsFault, detail: str = "") -> PokerStarsError:
        return PokerStarsError(fault=fault, line=self.at, detail=detail[:80])

    def _chips(self, text: str | None) -> int:
        digits = (text or "0").replace(",", "")
        whole, _, cents = digits.partition(".")
        if len(whole) > len(str(MAX_CHIPS)):
            raise self.error(PokerStarsFault.AMOUNT, digits)
        chips = int(whole) * self.scale
        if cents:
            if self.scale == 1:
                raise self.error(PokerStarsFault.AMOUNT, digits)
            chips += int(cents.ljust(2, "0"))
        if chips > MAX_CHIPS:
            raise self.error(PokerStarsFault.AMOUNT, digits)
        return chips

    def _cards(self, text: str | None) -> list[int]:
        found = []
        for word in (text or "").split():
            try:
                card = parse_card(word)
            except TableError as error:
                raise self.error(PokerStarsFault.NOT_A_CARD, word) from error
            if card >= 52:
                raise self.error(PokerStarsFault.NOT_A_CARD, word)
            found.append(card)
        return found

    def _seat(self, name: str) -> _Seat:
        if name not in self.seats:
            raise self.error(PokerStarsFault.UNKNOWN_PLAYER, name)
        return self.seats[name]

    def _pay(self, seat: _Seat, chips: int, *, live: bool = True) -> None:
        seat.put_in += chips
        seat.bet += chips if live else 0
        seat.is_dealt_in = True

    def _add(self, name: str, action: phh.RecordedAction) -> None:
        self._seat(name).is_dealt_in = True
        self.actions.append((self.at, name, action))

    # the head

    def _header(self, line: str) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise self.error(PokerStarsFault.NOT_A_HEADER, line)
        self.number = int(found[1])
        about = found[2]
        named = list(_GAME.finditer(about))
        if not named:
            raise self.error(PokerStarsFault.UNKNOWN_GAME, about)
        name, limit = named[-1].groups()
        self.game = next(one for one in POKERSTARS_GAMES.values() if one.name.casefold() == name.casefold())
        limit = "Limit" if limit.casefold() == "fixed limit" else limit
        self.limit = next(value for value, word in LIMIT_NAMES.items() if word.casefold() == limit.casefold())
        stakes = (_BUTTON_STAKES if self.game.button_blind else _STAKES).search(about, named[-1].end())
        if stakes is None:
            raise self.error(PokerStarsFault.NO_STAKES, about)
        self.scale = 100 if re.search(r"[$€£₹¥]", stakes[0]) or "." in stakes[0] else 1
        self.stakes = self._chips(stakes[1]), self._chips(stakes[2])
        self.read = self._table

    def _table(self, line: str) -> None:
        found = _TABLE.fullmatch(line)
        if found is None:
            raise self.error(PokerStarsFault.NO_TABLE, line)
        self.button = int(found[1] or 0)
        self.read = self._seats

    def _seats(self, line: str) -> None:
        found = _SEAT.fullmatch(line)
        if found is None:
            if len(self.seats) < 2:
                raise self.error(PokerStarsFault.NO_SEATS, line)
            self.read = self._line
            self.read(line)
            return
        number, name = int(found[1]), found[2]
        if name in self.seats or number in {seat.number for seat in self.seats.values()} or not 0 < number <= MAX_SEATS:
            raise self.error(PokerStarsFault.NO_SEATS, line)
        if "out of hand" not in found[4] and "sitting out" not in found[4]:
            self.seats[name] = _Seat(number, self._chips(found[3]))

    # the hand

    def _line(self, line: str) -> None:
        name, told = self._split(line)
        if name and self._player_line(name, told):
            return
        if line.startswith("*** "):
            self._street_line(line)
        elif found := _DEALT.fullmatch(line):
            self._dealt(found)
        elif found := _UNCALLED.fullmatch(line):
            seat = self._seat(found[2])
            seat.put_in -= self._chips(found[1])
        elif found := _COLLECTED.fullmatch(line):
            self._seat(found[1]).won += self._chips(found[2])
        elif line == "Hand cancelled":
            self.is_cancelled = True
        elif not _NOISE.fullmatch(line):
            raise self.error(PokerStarsFault.UNKNOWN_LINE, line)

    def _split(self, line: str) -> tuple[str, str]:
        """Return the player whom a line begins with, and the rest. Of two names that fit, the longer one."""
        fitting = [name for name in self.seats if line.startswith(f"{name}: ")]
        name = max(fitting, key=len, default="")
        return name, line[len(name) + 2 :] if name else ""

    def _player_line(self, name: str, told: str) -> bool:
        """Read what a player does. Returns False for what is no line of a player."""
        seat = self._seat(name)
        if found := _POST.fullmatch(told):
            self._post(name, found)
        elif told in ("folds", "folds ") or (
            _SHOWS.fullmatch(told.removeprefix("folds ")) and told.startswith("folds [")
        ):
            seat.has_folded = True
            self._add(name, phh.RecordedFold(0))
        elif told.rstrip() == "checks":
            self._add(name, phh.RecordedCheckOrCall(0))
        elif found := _PAYS.fullmatch(told):
            self._pays(name, found)
        elif found := _RAISES.fullmatch(told):
            to, self.is_raised = self._chips(found[2]), True
            self._pay(seat, to - seat.bet)
            self._add(name, phh.RecordedBetOrRaise(0, to))
        elif found := _DISCARDS.fullmatch(told):
            self._draw(name, int(found[1]), self._cards(found[2]))
        elif _STANDS_PAT.fullmatch(told):
            self._draw(name, 0, [])
        elif found := _SHOWS.fullmatch(told):
            self._shows(name, self._cards(found[1]))
        elif told.startswith("mucks hand"):
            if not any(who == name and isinstance(one, phh.RecordedShowOrMuck) for _, who, one in self.actions):
                self._add(name, phh.RecordedShowOrMuck(0, shown=False))
        elif not told.startswith("doesn't show hand"):
            return False
        return True

    def _post(self, name: str, found: re.Match[str]) -> None:
        if self.street >= 0:
            raise self.error(PokerStarsFault.OUT_OF_ORDER, found[0])
        what, chips = found[1], self._chips(found[2])
        seat = self._seat(name)
        dead = what == "the ante" or (what == "small blind" and any(other == what for _, other, _, _ in self.posts))
        self._pay(seat, chips, live=not dead)
        if what == "small & big blinds":
            big = self.stakes[0] if self.limit is Limit.LIMIT else self.stakes[1]
            seat.bet -= max(0, chips - big)
        self.posts.append((name, what, chips, _ALL_IN in found[3]))

    def _pays(self, name: str, found: re.Match[str]) -> None:
        what, chips, seat = found[1], self._chips(found[2]), self._seat(name)
        if what == "calls":
            if self.bring_in and not self.is_raised and not self.first_call:
                self.first_call = chips + seat.bet
            self._pay(seat, chips)
            self._add(name, phh.RecordedCheckOrCall(0))
        elif what == "bets":
            self._pay(seat, chips)
            self._add(name, phh.RecordedBetOrRaise(0, seat.bet))
        else:
            self.bring_in = -chips if _ALL_IN in found[3] else chips
            self._pay(seat, chips)
            self._add(name, phh.RecordedBringIn(0))

    def _draw(self, name: str, count: int, cards: list[int]) -> None:
        if self.game.layout not in (Layout.SINGLE_DRAW, Layout.TRIPLE_DRAW) or (cards and len(cards) != count):
            raise self.error(PokerStarsFault.OUT_OF_ORDER)
        for each in self.seats.values():
            each.bet = 0
        self._add(name, phh.RecordedDraw(0, tuple(cards) or (None,) * count))
        if count:
            self._add(
                name, phh.RecordedHoleCards(0, (None,) * count)
            )  # `_dealt` puts the cards that are told in its place

    def _shows(self, name: str, cards: list[int]) -> None:
        seat = self._seat(name)
        if not cards:
            raise self.error(PokerStarsFault.NOT_A_CARD)
        is_again = seat.shown == cards
        if len(cards) >= len(seat.shown):
            seat.shown = cards
        if not is_again:
            self._add(name, phh.RecordedShowOrMuck(0, tuple(cards)))

    def _street_line(self, line: str) -> None:
        found = _STREET.fullmatch(line)
        if found is None:
            raise self.error(PokerStarsFault.UNKNOWN_LINE, line)
        run, street = found[1] or "", found[2]
        if street == "SUMMARY":
            self._end_street()
            self.street, self.read = _AFTER_ALL, self._summary
        elif street in ("SHOW DOWN", "SHOWDOWN"):
            self._end_street()
            self.street = _AFTER_ALL
        elif street in ("HOLE CARDS", "DEALING HANDS"):
            self._next_street(keep_bets=True)
            if found[3]:
                self._board(0, found[3], None)
        elif street in _BOARD_STREETS and self.game.layout is Layout.FLOP:
            self._common_cards(run, found)
        elif street in STUD_STREETS and self.game.layout is Layout.STUD:
            self._next_street(keep_bets=not (self.street + 1))
            if found[3]:
                self._board(0, found[3], None)
        elif f"{run}{street}" in DRAW_MARKS and self.game.layout is Layout.TRIPLE_DRAW:
            self._next_street()
        elif f"{run}{street}" != "DRAW":
            raise self.error(PokerStarsFault.UNKNOWN_LINE, line)

    def _common_cards(self, run: str, found: re.Match[str]) -> None:
        if run and not self.game.split and not self.has_run_twice:
            self.has_run_twice = True
            for name, seat in self.seats.items():
                if seat.is_dealt_in and not seat.has_folded:
                    self._add(name, phh.RecordedAnswer(0, yes=True))
        self._next_street()
        self._board(1 if run == "SECOND " else 0, found[4] or found[3], found[3] if found[4] else None)

    def _board(self, run: int, new: str | None, old: str | None) -> None:
        if run and not self.game.split and not self.boards[1]:
            before = self._cards(old)
            self.boards[1].extend((0, card) for card in before)
        self.boards[run].extend((self.at, card) for card in self._cards(new))

    def _next_street(self, *, keep_bets: bool = False) -> None:
        self._end_street()
        self.street += 1
        for seat in self.seats.values():
            seat.bet = seat.bet if keep_bets else 0

    def _dealt(self, found: re.Match[str]) -> None:
        name, old, new = found[1], self._cards(found[2]), self._cards(found[3])
        seat = self._seat(name)
        seat.is_dealt_in = True
        if self.game.layout is Layout.STUD:
            self.cards_of_street[name] = (list(old), new)
            if not self.street:
                self.order_dealt.append(name)
            return
        last = next((at for at in reversed(range(len(self.actions))) if self.actions[at][1] == name), -1)
        drawn = self.actions[last][2] if last >= 0 else None
        if isinstance(drawn, phh.RecordedHoleCards):
            if len(drawn.cards) != len(new):
                raise self.error(PokerStarsFault.OUT_OF_ORDER)
            self.actions[last] = (self.at, name, phh.RecordedHoleCards(0, tuple(new)))
        elif self.street == 0 and not seat.hole:
            seat.hole = [*new]
        else:
            raise self.error(PokerStarsFault.OUT_OF_ORDER)

    def _end_street(self) -> None:
        """Stud: write down what everybody was dealt on the street that ends: those of whom no line tells got a card face down."""
        if self.game.layout is not Layout.STUD or self.street < 0:
            return
        told, self.cards_of_street = self.cards_of_street, {}
        if self.street >= len(STUD_STREETS) or (not told and not self.street):
            return
        for name, seat in self.seats.items():
            cards = told[name][1] if name in told else []
            if self.street == 0 and len(cards) == 1:
                seat.hole += [None, None, *cards]
            elif cards:
                seat.hole += cards
            elif self.street == len(STUD_STREETS) - 1 and not seat.has_folded and not self.boards[0]:
                seat.hole.append(None)

    # the summary

    def _summary(self, line: str) -> None:
        if found := _TOTAL.fullmatch(line):
            sides = [self._chips(one[1]) for one in _SIDE_POT.finditer(found[2])]
            self.pots = tuple(sides) or (self._chips(found[1]),)
            self.rake = self._chips(found[3])
            self.is_over = True
        elif not (line.startswith(_SUMMARY_LINES) or _NOISE.fullmatch(line)):
            raise self.error(PokerStarsFault.UNKNOWN_LINE, line)

    # the record

    def hand(self) -> FileHand:
        """Put together what was read.

        Raises:
            PokerStarsError: the hand has no end, or its seats make no table.
        """
        if not self.is_over:
            raise self.error(PokerStarsFault.BREAKS_OFF)
        names = self._ordered()
        player = {name: at for at, name in enumerate(names, start=1)}
        posts = self._owed(names)
        dealt = self._hole_cards(names)
        first_line = min([line for line, _, _ in self.actions], default=self.at)
        numbered: list[tuple[int, phh.RecordedAction]] = [(first_line, action) for action in dealt]
        numbered += [
            (line, _with_player(self._completed(name, action), player[name]))
            for line, name, action in self.actions
            if name in player
        ]
        numbered += [(line or self.at, phh.RecordedBoard((card,))) for line, card in self._board_cards()]
        seats = [self.seats[name] for name in names]
        stacks = tuple(seat.chips - seat.put_in + seat.won for seat in seats)
        tells_end = not self.rake and not self.is_cancelled
        record = phh.RecordedHand(
            variant=self._key(),
            antes=(0,) * len(names),
            starting_stacks=tuple(seat.chips for seat in seats),
            actions=tuple(action for _, action in numbered),
            finishing_stacks=stacks
            if tells_end
            else tuple(seat.chips for seat in seats)
            if self.is_cancelled
            else None,
            final_pots=self.pots if tells_end else None,
            metadata={
                "players": names,
                "hand": self.number,
                "_game": self._key(),
                "_seats": [SeatNumber(seat.number) for seat in seats],
                "_button": self.button or seats[-1].number,
                "_posts": [f"p{player[name]} {kind} {chips}" for name, kind, chips in posts],
                "_stakes": self._stakes(posts),
                **({"_ask_run_twice": True} if self.has_run_twice else {}),
                **({"_voided": ["I-1", "cancelled"]} if self.is_cancelled else {}),
            },
        )
        return FileHand(record, tuple(line for line, _ in numbered), self.limit, self.first_line)

    def _key(self) -> str:
        """Return the key of the game: the one with this limit, where there are several."""
        fitting = [key for key, one in POKERSTARS_GAMES.items() if one.name == self.game.name]
        wanted = _KEYS_BY_LIMIT.get((self.game.name, self.limit), "")
        return wanted or fitting[0]

    def _ordered(self) -> list[str]:
        """Return who was dealt in, from the first player left of the button, or in stud from the first that was dealt to."""
        dealt_in = {name: seat for name, seat in self.seats.items() if seat.is_dealt_in}
        if len(dealt_in) < 2:
            raise self.error(PokerStarsFault.NO_SEATS)
        by_seat = sorted(dealt_in, key=lambda name: dealt_in[name].number)
        if self.game.layout is Layout.STUD:
            first = next((name for name in self.order_dealt if name in dealt_in), by_seat[0])
            at = by_seat.index(first)
        else:
            at = next((at for at, name in enumerate(by_seat) if dealt_in[name].number > self.button), 0)
        return by_seat[at:] + by_seat[:at]

    def _owed(self, names: Sequence[str]) -> list[tuple[str, PostKind, int]]:
        """Return the forced bets in the order of payment: what each owed, also where a short stack posted less (TL-7)."""
        fixed = self.limit is Limit.LIMIT
        big = self.stakes[0] if fixed or self.game.button_blind else self.stakes[1]
        small = next((chips for _, what, chips, short in self.posts if what == "small blind" and not short), 0)
        small = small or (max(1, big // 2) if fixed else self.stakes[0])
        antes = [(name, chips) for name, what, chips, _ in self.posts if what == "the ante"]
        ante = self.stakes[1] if self.game.button_blind else max((chips for _, chips in antes), default=0)
        before: list[tuple[str, PostKind, int]] = []
        owed: list[tuple[str, PostKind, int]] = []
        after: list[tuple[str, PostKind, int]] = []
        if len(antes) == 1 and self.game.layout is not Layout.STUD:  # one player pays it for all, after the blinds
            after.append((antes[0][0], PostKind.DEAD, ante))
        else:
            before += [(name, PostKind.ANTE, ante) for name, _ in antes]
        posted: set[str] = set()
        for name, what, chips, short in self.posts:
            if what == "the ante":
                continue
            if what in ("big blind", "button blind") or (what == "small & big blinds"):
                kind = PostKind.LIVE if "big blind" in posted or what == "small & big blinds" else PostKind.BIG_BLIND
                owed.append((name, kind, big))
                if what == "small & big blinds":
                    owed.append((name, PostKind.DEAD, small if short else chips - big))
                else:
                    posted.add("big blind")
            elif what == "small blind":
                owed.append((name, PostKind.DEAD if what in posted else PostKind.SMALL_BLIND, small))
                posted.add(what)
            else:
                owed.append((name, PostKind.STRADDLE, max(chips, 2 * big) if short else chips))
        return [*before, *self._unpaid_blinds(names, posted, small, big), *owed, *after]

    def _unpaid_blinds(
        self, names: Sequence[str], posted: set[str], small: int, big: int
    ) -> list[tuple[str, PostKind, int]]:
        """Return the blinds that no line tells, because the ante took their last chip: the others must still call them (TL-7)."""
        if self.game.layout is Layout.STUD:
            return []
        broke = {name for name, what, _, short in self.posts if what == "the ante" and short}
        if self.game.button_blind:
            at_big, at_small = len(names) - 1, -1
        else:
            at_big, at_small = (0, 1) if len(names) == 2 else (1, 0)
        found = []
        if at_small >= 0 and "small blind" not in posted and names[at_small] in broke:
            found.append((names[at_small], PostKind.SMALL_BLIND, small))
        if "big blind" not in posted and names[at_big] in broke:
            found.append((names[at_big], PostKind.BIG_BLIND, big))
        return found

    def _stakes(self, posts: Sequence[tuple[str, PostKind, int]]) -> dict[str, int]:
        owed: dict[PostKind, int] = {}
        for _, kind, chips in posts:
            owed.setdefault(kind, chips)
        fixed = self.limit is Limit.LIMIT
        found = {"ante": owed.get(PostKind.ANTE, 0)}
        if self.game.button_blind:
            found |= {"ante": self.stakes[1], "button_blind": self.stakes[0]}
        elif self.game.layout is not Layout.STUD:
            big = self.stakes[0] if fixed else self.stakes[1]
            small = owed.get(PostKind.SMALL_BLIND) or (max(1, big // 2) if fixed else self.stakes[0])
            found |= {"small_blind": small, "big_blind": big}
        else:
            told = abs(self.bring_in)
            guess = max(told, self.first_call if self.bring_in < 0 else 0, 0)
            found["bring_in"] = (
                guess if self.bring_in > 0 else max(guess, min(self.stakes[0] // 4, self.stakes[0] - 1), 1)
            )
        if fixed:
            found |= {"small_bet": self.stakes[0], "big_bet": self.stakes[1]}
        return {name: chips for name, chips in found.items() if chips}

    def _hole_cards(self, names: Sequence[str]) -> list[phh.RecordedAction]:
        """Return what was dealt before anybody acted, and in stud on every street, as far as the lines tell it in the end."""
        found: list[phh.RecordedAction] = []
        for at, name in enumerate(names, start=1):
            seat = self.seats[name]
            count = _HOLE_CARDS.get(self.game.name, 0)
            cards = seat.hole
            if self.game.layout is Layout.FLOP:
                whole = len(seat.shown) == count
                cards = cards or ([*seat.shown] if whole else [None] * count)
            elif self.game.layout is Layout.STUD:
                cards = self._stud_cards(seat)
            elif not cards:
                cards = [None] * count
            if cards:
                found.append(phh.RecordedHoleCards(at, tuple(cards)))
        return found

    def _stud_cards(self, seat: _Seat) -> list[int | None]:
        """Fill the cards that a player showed in the end into those that lay face down."""
        if len(seat.shown) != len(seat.hole):
            return seat.hole
        return [*seat.shown]

    def _completed(self, name: str, action: phh.RecordedAction) -> phh.RecordedAction:
        """Return an action with what the end of the hand tells: of a hand shown in part, which cards stayed hidden."""
        if not isinstance(action, phh.RecordedShowOrMuck) or not action.shown:
            return action
        seat = self.seats[name]
        held = len(seat.hole) if self.game.layout is Layout.STUD else _HOLE_CARDS[self.game.name]
        hidden = max(0, held - len(action.cards))
        return phh.RecordedShowOrMuck(0, (*action.cards, *(None,) * hidden))

    def _board_cards(self) -> list[tuple[int, int]]:
        """Return the common cards in the order in which the dealer deals them: a board that is run twice to its end and then again,
        two boards street by street."""
        first, second = self.boards
        if not self.game.split:
            return first + [(line, card) for line, card in second if line]
        return [one for start, end in ((0, 3), (3, 4), (4, 5)) for board in (first, second) for one in board[start:end]]


_KEYS_BY_LIMIT: Mapping[tuple[str, Limit], str] = {
    ("Hold'em", Limit.NO_LIMIT): "holdem",
    ("Hold'em", Limit.POT_LIMIT): "pot_limit_holdem",
    ("Hold'em", Limit.LIMIT): "limit_holdem",
    ("Omaha", Limit.LIMIT): "limit_omaha",
    ("Omaha Hi/Lo", Limit.LIMIT): "limit_omaha8",
    ("Omaha Hi/Lo", Limit.NO_LIMIT): "no_limit_omaha8",
    ("5 Card Draw", Limit.POT_LIMIT): "pot_limit_five_card_draw",
    ("5 Card Draw", Limit.NO_LIMIT): "no_limit_five_card_draw",
}
"""The keys of games of which we have several, one for each limit."""
_HOLE_CARDS: Mapping[str, int] = {
    "Hold'em": 2, "6+ Hold'em": 2, "Split Hold'em": 2, "Omaha": 4, "Omaha Hi/Lo": 4, "5 Card Omaha": 5, "5 Card Omaha Hi/Lo": 5,
    "6 Card Omaha": 6, "Courchevel": 5, "Courchevel Hi/Lo": 5, "5 Card Draw": 5, "Single Draw 2-7 Lowball": 5,
    "Triple Draw 2-7 Lowball": 5, "Badugi": 4,
}  # fmt: skip
"""How many cards each player gets before anybody acts."""


def _with_player(action: phh.RecordedAction, player: int) -> phh.RecordedAction:
    """Return an action with the number of its player."""
    if isinstance(action, phh.RecordedBoard):
        return action
    return replace(action, player=player)
