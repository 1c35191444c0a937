"""What of a table is shown between hands. All of it is public; words and pixels are `bot.render`'s.

During a hand the engine's view shows stacks and cards; this one still says who sits where and what is due.
"""

from msgspec import Struct

from bot.table.ceremonies import right_of_dealer
from bot.table.mixing import openers_asked
from bot.table.next_game import bomb_is_due
from bot.table.queries import consent_missing, host_of, offered_to, owed, vacant
from bot.table.settings import TableSettings
from bot.table.state import AfterHand, ChipShift, SeatState, Status, Table


class SeatLine(Struct, frozen=True):
    """One seated player. `dead` and `live` are the chips of missed blinds he owes; `bank_seconds` his time bank.

    `kept_out`: he wants a hand, but the next deal is a replay of one that he was not in (TL-29).
    """

    number: int
    player: int
    name: str
    stack: int
    state: SeatState
    after: AfterHand
    queued: int
    dead: int
    live: int
    bank_seconds: int
    in_hand: bool
    fresh: bool
    straddles: bool
    practice: bool
    host: bool
    kept_out: bool = False


class WaitingLine(Struct, frozen=True):
    """One on the waiting list; `offered_until` is 0 while no seat is offered to him."""

    player: int
    name: str
    offered_until: int


class ProposalView(Struct, frozen=True):
    """A change that awaits consent: `missing` are the seated players who have not given theirs."""

    player: int
    settings: TableSettings | None
    shifts: tuple[ChipShift, ...]
    consents: tuple[int, ...]
    missing: tuple[int, ...]


class MixedView(Struct, frozen=True):
    """Where a mixed table is: its name, its games, the place of the one that is played, deals of it so far and deals of a lap, and
    under dealer's choice the seat that chooses until `due` (0: nobody is asked)."""

    name: str
    games: tuple[str, ...]
    place: int
    deals: int
    lap: int
    chooser: int
    due: int


class PackView(Struct, frozen=True):
    """The pack before the next deal: how often it was shuffled on demand, where and by which seat it is cut, who is to cut (0: nobody
    yet known), and the cuts for the first deal so far, as seat and card (D-2 to D-7)."""

    shuffles: int
    points: tuple[int, ...]
    cut_by: int
    cutter: int
    lots: tuple[tuple[int, int], ...]


class TableView(Struct, frozen=True):
    """A table as everybody may see it.

    Attributes:
        number: the table's number in its server; game, limit: name of the game and value of `LIMIT`.
        blinds: small and big blind in chips, 0 and 0 in games without; ante in chips.
        open_seats: numbers of the free seats; kept: how many of them are kept for the waiting list.
        host: user id of the host.
        button: seat number of the button at the last or running deal, 0 before the first; small, big: the same of the blinds.
        next_hand_at: when the next deal is due, 0 when none is; needs_players: how many more players a deal needs.
        hand: number of the running hand, else of the last one; running: it is being played.
        settings: everything the table has agreed on.
        mixed: None at a table of one game. openers: the rank that opens the next deal where the game asks for openers, else -1 (VC-20).
        pack: before the next deal. bomb: a bomb pot is due next, or running; bomb_votes: who has asked for one.
        replay: the next deal is the exact replay of one that did not count (TL-29).
    """

    number: int
    status: Status
    game: str
    limit: str
    small_blind: int
    big_blind: int
    ante: int
    min_buyin: int
    max_buyin: int
    turn_seconds: int
    bank_seconds: int
    seats: tuple[SeatLine, ...]
    open_seats: tuple[int, ...]
    kept: int
    waiting: tuple[WaitingLine, ...]
    host: int
    button: int
    small: int
    big: int
    next_hand_at: int
    needs_players: int
    hand: int
    running: bool
    carried: int
    proposal: ProposalView | None
    settings: TableSettings
    mixed: MixedView | None
    openers: int
    pack: PackView
    bomb: bool
    bomb_votes: tuple[int, ...]
    replay: bool = False


def view(table: Table, number: int = 0) -> TableView:
    """Show a table. `number` is its number in the server, which the store gives."""
    settings, stakes, at = table.settings, table.settings.stakes, table.positions
    host = host_of(table)
    kept_out = {seat.number for seat in table.kept_out}
    lines = []
    for seat in table.seats:
        debt = owed(table, seat)
        lines.append(
            SeatLine(
                number=seat.number,
                player=seat.player,
                name=seat.name,
                stack=seat.stack,
                state=seat.state,
                after=seat.after,
                queued=seat.queued,
                dead=debt.dead,
                live=debt.live,
                bank_seconds=seat.bank_ms // 1000,
                in_hand=table.dealt_in(seat.player),
                fresh=seat.fresh,
                straddles=seat.straddles,
                practice=seat.practice,
                host=seat.player == host,
                kept_out=seat.number in kept_out,
            )
        )
    proposal = None
    if table.proposal is not None:
        asked = table.proposal
        missing = consent_missing(table, asked)
        proposal = ProposalView(asked.player, asked.settings, asked.shifts, asked.consents, missing)
    return TableView(
        number=number,
        status=table.status,
        game=settings.card.name,
        limit=settings.options.limit.value,
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
        ante=stakes.ante,
        min_buyin=settings.min_buyin,
        max_buyin=settings.max_buyin,
        turn_seconds=stakes.turn_seconds,
        bank_seconds=stakes.bank_seconds,
        seats=tuple(lines),
        open_seats=vacant(table),
        kept=len(offered_to(table)),
        waiting=tuple(WaitingLine(one.player, one.name, one.offered_until) for one in table.waiting),
        host=host,
        button=table.frozen or (at.dealer if at else 0),
        small=at.small if at else 0,
        big=at.big if at else 0,
        next_hand_at=table.next_hand_at,
        needs_players=max(0, 2 - len(table.players)),
        hand=table.hands,
        running=table.running is not None,
        carried=table.carried,
        proposal=proposal,
        settings=settings,
        mixed=_mixed(table),
        openers=openers_asked(settings.card, table.passed),
        pack=PackView(
            table.pack.shuffles,
            table.pack.points,
            table.pack.by,
            right_of_dealer(table) if table.running is None else 0,
            tuple((lot.seat, lot.card) for lot in table.lots),
        ),
        bomb=table.running.bomb if table.running is not None else bomb_is_due(table),
        bomb_votes=table.bomb_votes,
        replay=table.replay is not None,
    )


def _mixed(table: Table) -> MixedView | None:
    rotation, at = table.settings.rotation, table.mixed
    if rotation is None:
        return None
    names = tuple(game.card.name for game in rotation.games)
    return MixedView(rotation.name, names, at.place, at.deals, at.lap, at.chooser if at.due else 0, at.due)
