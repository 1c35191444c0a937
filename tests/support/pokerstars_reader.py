"""A reader of hand histories in PokerStars' form, as trackers read them: every line must be one that they know, and all chips must add up.

It knows nothing of the program. Its grammar was written for these tests, after what readers of that form look for.
"""

import re
from dataclasses import dataclass, field

CARD = r"[2-9TJQKA][cdhs]"
CARDS = rf"{CARD}(?: {CARD})*"
GAMES = {
    "Hold'em": "flop", "6+ Hold'em": "flop", "Split Hold'em": "flop", "Omaha": "flop", "Omaha Hi/Lo": "flop", "5 Card Omaha": "flop",
    "5 Card Omaha Hi/Lo": "flop", "6 Card Omaha": "flop", "Courchevel": "flop", "Courchevel Hi/Lo": "flop", "Razz": "stud",
    "7 Card Stud": "stud", "7 Card Stud Hi/Lo": "stud", "Badugi": "draw", "Triple Draw 2-7 Lowball": "draw",
    "Single Draw 2-7 Lowball": "draw", "5 Card Draw": "draw",
}  # fmt: skip
HEADER = re.compile(
    rf"PokerStars Hand #(?P<id>\d+):  (?P<game>{'|'.join(sorted(map(re.escape, GAMES), key=len, reverse=True))})"
    r" (?P<limit>No Limit|Pot Limit|Limit) \((?:(?P<small>\d+)/(?P<big>\d+)|Button Blind (?P<blind>\d+) - Ante \d+ )\)"
    r" - \d{4}/\d\d/\d\d \d\d:\d\d:\d\d UTC \[\d{4}/\d\d/\d\d \d\d:\d\d:\d\d ET\]"
)
TABLE = re.compile(r"Table '(?P<table>[^']+)' (?P<max>\d+)-max \(Play Money\)(?: Seat #(?P<button>\d+) is the button)?")
SEAT = re.compile(r"Seat (?P<seat>\d+): (?P<name>[^:()\[\]]+) \((?P<chips>\d+) in chips\)")
POST = re.compile(
    r"(?P<name>[^:]+): posts (?P<what>the ante|small blind|big blind|button blind|straddle|small & big blinds) (?P<chips>\d+)"
    r"(?P<all_in> and is all-in)?"
)
ACTION = re.compile(
    r"(?P<name>[^:]+): (?:(?P<still>folds|checks)|(?P<what>calls|bets|brings in for) (?P<chips>\d+)|raises (?P<more>\d+) to (?P<to>\d+))"
    r"(?P<all_in> and is all-in)?"
)
DRAW = re.compile(
    rf"(?P<name>[^:]+): (?:stands pat(?: on \[(?P<held>{CARDS})\])?|discards (?P<count>[1-5]) cards?(?: \[(?P<cards>{CARDS})\])?)"
)
DEALT = re.compile(rf"Dealt to (?P<name>[^:\[\]]+?) (?:\[(?P<old>{CARDS})\] )?\[(?P<new>{CARDS})\]")
STREET = re.compile(
    r"\*\*\* (?P<street>HOLE CARDS|DEALING HANDS|(?:FIRST |SECOND )?(?:FLOP|TURN|RIVER)|3rd STREET|4th STREET|5th STREET|6th STREET|"
    rf"FIRST DRAW|SECOND DRAW|THIRD DRAW) \*\*\*(?: \[(?P<first>{CARDS})\])?(?: \[(?P<second>{CARDS})\])?"
)
UNCALLED = re.compile(r"Uncalled bet \((?P<chips>\d+)\) returned to (?P<name>.+)")
SHOWS = re.compile(rf"(?P<name>[^:]+): shows \[(?P<cards>{CARDS})\](?: \((?P<hand>[^()]+)\))?")
MUCKS = re.compile(r"(?P<name>[^:]+): (?:mucks hand|doesn't show hand)")
COLLECTED = re.compile(r"(?P<name>.+?) collected (?P<chips>\d+) from (?P<pot>pot|main pot|side pot(?:-\d+)?)")
SHOWDOWN = re.compile(r"\*\*\* (?:FIRST |SECOND )?SHOW DOWN \*\*\*")
TOTAL = re.compile(
    r"Total pot (?P<total>\d+)(?: Main pot (?P<main>\d+)\.(?P<sides>(?: Side pot(?:-\d+)? \d+\.)+))? \| Rake 0"
)
BOARD = re.compile(rf"(?:FIRST |SECOND )?Board \[(?P<cards>{CARDS})\]")
OUTCOME = re.compile(
    r"Seat (?P<seat>\d+): (?P<name>[^:()\[\]]+?) (?P<where>(?:\((?:button|small blind|big blind)\) )*)(?:"
    r"folded (?:before Flop|on the (?:Flop|Turn|River|[3-6](?:rd|th) Street)|before the Draw|after the (?:(?:1st|2nd|3rd) )?Draw)"
    r"(?: \(didn't bet\))?"
    r"|collected \((?P<collected>\d+)\)"
    rf"|showed \[(?P<showed>{CARDS})\] and (?:won \((?P<won>\d+)\)|lost) with (?P<hand>.+?)"
    r"(?:, and (?:won \((?P<won_again>\d+)\)|lost) with .+)?"
    rf"|mucked(?: \[(?P<mucked>{CARDS})\])?)"
)


class NotRead(AssertionError):
    """A line that no tracker reads, or chips that do not add up."""


@dataclass
class ReadHand:
    """A hand as a tracker has it. Amounts are chips; players are named as in the text."""

    number: int = 0
    game: str = ""
    limit: str = ""
    stakes: tuple[int, int] = (0, 0)
    button: int = 0
    seats: dict[str, int] = field(default_factory=dict)
    stacks: dict[str, int] = field(default_factory=dict)
    posts: list[tuple[str, str, int]] = field(default_factory=list)
    actions: list[tuple[str, str, int]] = field(default_factory=list)
    draws: list[tuple[str, int]] = field(default_factory=list)
    dealt: dict[str, list[str]] = field(default_factory=dict)
    boards: list[list[str]] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)
    collected: list[tuple[str, int, str]] = field(default_factory=list)
    pots: tuple[int, ...] = ()
    final_stacks: dict[str, int] = field(default_factory=dict)


def read_hands(text: str) -> list[ReadHand]:
    """Read a file of hands, which empty lines divide."""
    return [read_hand(part) for part in re.split(r"\n{2,}", text.strip("\n"))]


def read_hand(text: str) -> ReadHand:
    """Read one hand and count its chips."""
    return _Reader(text.strip("\n").split("\n")).read()


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.hand = ReadHand()
        self.bets: dict[str, int] = {}
        self.put_in: dict[str, int] = {}

    def read(self) -> ReadHand:
        hand, lines = self.hand, self.lines
        header, table = HEADER.fullmatch(lines[0]), TABLE.fullmatch(lines[1])
        if header is None or table is None:
            raise NotRead("\n".join(lines[:2]))
        hand.number, hand.game, hand.limit = int(header["id"]), header["game"], header["limit"]
        hand.stakes = (int(header["small"] or 0), int(header["big"] or header["blind"]))
        hand.button = int(table["button"] or 0)
        if (GAMES[hand.game] == "stud") == bool(hand.button):
            raise NotRead(lines[1])
        at = 2
        while found := SEAT.fullmatch(lines[at]):
            if found["name"] in hand.seats or int(found["seat"]) > int(table["max"]):
                raise NotRead(lines[at])
            hand.seats[found["name"]] = int(found["seat"])
            hand.stacks[found["name"]] = int(found["chips"])
            at += 1
        self.put_in = dict.fromkeys(hand.seats, 0)
        end = lines.index("*** SUMMARY ***")
        for line in lines[at:end]:
            self.read_line(line)
        self.read_summary(lines[end + 1 :])
        return hand

    def left(self, name: str) -> int:
        return self.hand.stacks[name] - self.put_in[name]

    def pay(self, line: str, name: str, chips: int, all_in: str | None) -> None:
        if name not in self.put_in or chips > self.left(name):
            raise NotRead(f"{line}: {name} has not got that")
        self.put_in[name] += chips
        if all_in is not None and self.left(name):
            raise NotRead(f"{line}: {self.left(name)} are left")
        if all_in is None and not self.left(name):
            raise NotRead(f"{line}: nothing is left, and it does not say so")

    def read_line(self, line: str) -> None:  # one branch for each kind of line
        hand, bets = self.hand, self.bets
        if m := POST.fullmatch(line):
            chips, name = int(m["chips"]), m["name"]
            last = not any(later.startswith(f"{name}: posts") for later in self.lines[self.lines.index(line) + 1 :])
            if last:
                self.pay(line, name, chips, m["all_in"])
            else:
                self.put_in[name] += chips
            hand.posts.append((name, m["what"], chips))
            if m["what"] == "small & big blinds":
                chips = min(chips, hand.stakes[0 if hand.limit == "Limit" else 1])
            if m["what"] != "the ante" and not (m["what"] == "small blind" and self.is_dead(name)):
                bets[name] = chips
        elif m := ACTION.fullmatch(line):
            name = m["name"]
            if m["still"]:
                hand.actions.append((name, m["still"], 0))
            elif m["what"]:
                chips = int(m["chips"])
                self.pay(line, name, chips, m["all_in"])
                bets[name] = bets.get(name, 0) + chips
                hand.actions.append((name, m["what"], chips))
            else:
                to = int(m["to"])
                if to - int(m["more"]) < max(bets.values()):
                    raise NotRead(f"{line}: it was {bets}")
                self.pay(line, name, to - bets.get(name, 0), m["all_in"])
                bets[name] = to
                hand.actions.append((name, "raises", to))
        elif m := DRAW.fullmatch(line):
            hand.draws.append((m["name"], int(m["count"] or 0)))
            bets.clear()
        elif m := DEALT.fullmatch(line):
            hand.dealt.setdefault(m["name"], []).append(m["new"])
        elif m := STREET.fullmatch(line):
            self.read_street(m)
        elif m := UNCALLED.fullmatch(line):
            self.put_in[m["name"]] -= int(m["chips"])
        elif m := SHOWS.fullmatch(line):
            hand.shown[m["name"]] = m["cards"]
        elif m := COLLECTED.fullmatch(line):
            hand.collected.append((m["name"], int(m["chips"]), m["pot"]))
        elif not (MUCKS.fullmatch(line) or SHOWDOWN.fullmatch(line) or line == "The deck is reshuffled"):
            raise NotRead(line)

    def is_dead(self, name: str) -> bool:
        """A second small blind is dead."""
        return any(what == "small blind" and who != name for who, what, _ in self.hand.posts)

    def read_street(self, m: re.Match[str]) -> None:
        street = m["street"]
        if street not in ("HOLE CARDS", "DEALING HANDS", "3rd STREET"):
            self.bets.clear()
        if m["first"] is None:
            return
        run = 1 if street.startswith("SECOND ") else 0
        boards = self.hand.boards
        if len(boards) <= run:
            boards.append([])
        cards = (m["second"] or m["first"]).split()
        old = m["first"].split() if m["second"] else []
        if run and not boards[1]:
            boards[1] = old.copy()
        if old and boards[run] != old:
            raise NotRead(f"{m[0]}: the board was {boards[run]}")
        boards[run] += cards

    def read_summary(self, lines: list[str]) -> None:
        hand = self.hand
        total = TOTAL.fullmatch(lines[0])
        if total is None:
            raise NotRead(lines[0])
        sides = [int(chips) for chips in re.findall(r" (\d+)\.", total["sides"] or "")]
        hand.pots = (int(total["main"]), *sides) if total["main"] else (int(total["total"]),)
        paid = sum(self.put_in.values())
        if not sum(hand.pots) == int(total["total"]) == paid == sum(chips for _, chips, _ in hand.collected):
            raise NotRead(f"{lines[0]}, but {paid} were put in and {hand.collected} collected")
        rest = lines[1:]
        if rest[0] == "Hand was run twice":
            rest = rest[1:]
        boards = []
        while rest and (board := BOARD.fullmatch(rest[0])):
            boards.append(board["cards"].split())
            rest = rest[1:]
        if boards != hand.boards:
            raise NotRead(f"{boards} in the summary, {hand.boards} before")
        won = dict.fromkeys(hand.seats, 0)
        for name, chips, _ in hand.collected:
            won[name] += chips
        if len(rest) != len(hand.seats):
            raise NotRead(f"{len(rest)} seats in the summary")
        for line in rest:
            m = OUTCOME.fullmatch(line)
            if m is None or hand.seats.get(m["name"]) != int(m["seat"]):
                raise NotRead(line)
            told = sum(int(m[part] or 0) for part in ("collected", "won", "won_again"))
            if told != won[m["name"]]:
                raise NotRead(f"{line}: {won[m['name']]} were collected")
        hand.final_stacks = {name: hand.stacks[name] - self.put_in[name] + won[name] for name in hand.seats}
