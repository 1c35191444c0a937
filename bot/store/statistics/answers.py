"""Answer questions from the statistics file, by plain functions on a connection that cannot write."""

import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import NamedTuple

from bot.statistics.periods import day_of, span
from bot.statistics.types import (
    INSIDER,
    STRANGER,
    BestHand,
    ChipsPoint,
    CountedChips,
    Counts,
    FoundHand,
    FoundHands,
    HandKey,
    HandQuery,
    Period,
    PeriodKind,
    PlayerNumbers,
    RankedPlayers,
    RankingLine,
    RankingQuery,
    Reader,
    Scope,
    SessionNumbers,
    Versus,
)
from bot.store.board import BoardOrder, ranked
from bot.store.statistics.long_rankings import OF_SCOPE, RANKED, SCORES, RankingKey, kept_ranking
from bot.store.statistics.stretches import LEVELS, Figures, Hands, Piece, Stretch, joined, pieces
from bot.store.statistics.write import COUNTS, DAYS, KINDS, TIE_BITS, first_id, time_of

_END_OF_TIME = 1 << 42
_NO_HAND = 1 << 62
CURVE_STRETCHES = 100
"""From so many stretches on the points of a curve lie at their ends; a shorter one is drawn hand by hand."""
CHARACTERS_AT_ONCE = 10_000
"""Some two thousand numbers."""
_SUMS = ", ".join(f"sum({name}) AS {name}_" for name in COUNTS)
_SUMS_BY_GAME = ", ".join(f"{name}_" for name in COUNTS)
_COUNTS = ", ".join(COUNTS)
_HAND_COLUMNS = """
    counted_hand.id, table_id, counted_table.number, counted_hand.number, key, name, bet_limit, words, counted_table.chips, pot
"""
_HAND_TABLES = """
    JOIN counted_table ON counted_table.id = table_id JOIN terms ON terms.id = terms
    JOIN game ON game.id = terms.game JOIN stakes ON stakes.id = terms.stakes
"""


class _Chosen(NamedTuple):
    """The hands of one person that a scope holds.

    Attributes:
        between: numbers of hands; the second is not included.
        narrowed: to which game and stakes.
        without: the tables whose hands are left out.
    """

    person: int
    between: tuple[int, int] = (0, _NO_HAND)
    narrowed: tuple[tuple[str, int], ...] = ()
    without: tuple[int, ...] = ()

    @property
    def where(self) -> str:
        """What is asked of `player_hand`, with `parameters`."""
        narrowed = "".join(f" AND {column} = ?" for column, _ in self.narrowed)
        without = f" AND table_id NOT IN {_among(self.without)}" if self.without else ""
        return f"person = ? AND hands = 1 AND hand >= ? AND hand < ?{narrowed}{without}"

    @property
    def parameters(self) -> tuple[int, ...]:
        return (self.person, *self.between, *[number for _, number in self.narrowed])


# looking things up


def _server(db: sqlite3.Connection, guild: int) -> int:
    row = db.execute("SELECT id FROM server WHERE guild = ?", (guild,)).fetchone()
    return int(row[0]) if row is not None else 0


def _person(db: sqlite3.Connection, guild: int, user: int, chips: CountedChips) -> int:
    row = db.execute(
        'SELECT person.id FROM person JOIN server ON server.id = server WHERE guild = ? AND "user" = ? AND chips = ?',
        (guild, user, chips),
    ).fetchone()
    return int(row[0]) if row is not None else 0


def kinds_of_chips(
    db: sqlite3.Connection, guild: int, user: int, reader: Reader = STRANGER
) -> tuple[CountedChips, ...]:
    """Return what a user has played hands for in a server, apart from games that are kept out of all figures."""
    people = 'person.server = :server AND "user" = :user'
    kinds = f"SELECT chips FROM person JOIN total ON total.person = person.id WHERE {people} AND kind = 0 AND hands > 0"
    if tables := _held_tables(db, guild, reader):
        kinds += f"""
            UNION SELECT chips FROM person JOIN player_hand ON player_hand.person = person.id
            WHERE {people} AND hands = 1 AND hand IN {_hands_at(tables)}
        """
    rows = db.execute(
        f"SELECT DISTINCT chips FROM ({kinds}) ORDER BY chips", {"server": _server(db, guild), "user": user}
    )
    return tuple([CountedChips(kind) for (kind,) in rows if kind != CountedChips.NOTHING])


def _game(db: sqlite3.Connection, guild: int, key: str) -> int:
    """Return the number of a game; 0 for every game, -1 for one that nobody has played."""
    if not key:
        return 0
    row = db.execute(
        "SELECT game.id FROM game JOIN server ON server.id = server WHERE guild = ? AND key = ?", (guild, key)
    ).fetchone()
    return int(row[0]) if row is not None else -1


def _stakes(db: sqlite3.Connection, guild: int, words: str) -> int:
    if not words:
        return 0
    row = db.execute(
        "SELECT stakes.id FROM stakes JOIN server ON server.id = server WHERE guild = ? AND words = ?", (guild, words)
    ).fetchone()
    return int(row[0]) if row is not None else -1


def _span(db: sqlite3.Connection, guild: int, period: Period) -> tuple[int, int]:
    """Return when a period begins and ends."""
    if period.kind is PeriodKind.EVER:
        return 0, _END_OF_TIME
    if period.kind is not PeriodKind.SEASON:
        return span(period)
    row = db.execute(
        "SELECT begins_at, ends_at FROM counted_season JOIN server ON server.id = server WHERE guild = ? AND number = ?",
        (guild, period.which),
    ).fetchone()
    return (row[0], min(row[1], _END_OF_TIME)) if row is not None else (0, 0)


def _unknown_tables(db: sqlite3.Connection, guild: int, reader: Reader, *, held: bool = False) -> tuple[int, ...]:
    """Return the ids of the private tables of a server that a reader cannot know of; with `held` those alone whose hands are in no sum.

    A game that its host keeps out of all figures is among them whoever reads.
    """
    rows = db.execute(
        "SELECT id, number, held FROM counted_table WHERE server = ? AND private = 1 AND held >= ?",
        (_server(db, guild), held),
    )
    known = reader.tables
    return tuple([id_ for id_, number, state in rows if state > 1 or (known is not None and number not in known)])


def _held_tables(db: sqlite3.Connection, guild: int, reader: Reader) -> tuple[int, ...]:
    """Return the ids of the private tables of a server that are open, and that a reader can know of: their hands are in no sum."""
    rows = db.execute(
        "SELECT id, number FROM counted_table WHERE server = ? AND private = 1 AND held = 1", (_server(db, guild),)
    )
    return tuple([id_ for id_, number in rows if reader.tables is None or number in reader.tables])


def _among(tables: Iterable[int]) -> str:
    """Write table ids for a query."""
    return f"({', '.join(map(str, tables))})"


def _hands_at(tables: Iterable[int]) -> str:
    """Write the hands of some tables for a query: there are few, and each is looked up."""
    return f"(SELECT id FROM counted_hand WHERE table_id IN {_among(tables)})"


def _without(chosen: _Chosen, tables: tuple[int, ...]) -> _Chosen:
    """Leave the hands of some tables out."""
    return chosen._replace(without=tables)


def _chosen(db: sqlite3.Connection, guild: int, user: int, scope: Scope) -> _Chosen:
    between = 0, _NO_HAND
    if scope.period.kind is not PeriodKind.EVER:
        begins_at, ends_at = _span(db, guild, scope.period)
        between = first_id(begins_at), first_id(ends_at)
    wanted = ("game", _game(db, guild, scope.game)), ("stakes", _stakes(db, guild, scope.stakes))
    narrowed = tuple([(column, number) for column, number in wanted if number])
    return _Chosen(_person(db, guild, user, scope.chips), between, narrowed)


def hand_key(db: sqlite3.Connection, hand: int) -> HandKey:
    """Return the table and number of a hand by the id that it is stored under."""
    row = db.execute(
        """
        SELECT table_id, counted_table.number, counted_hand.number FROM counted_hand
        JOIN counted_table ON counted_table.id = table_id WHERE counted_hand.id = ?
        """,
        (hand,),
    ).fetchone()
    return HandKey(*row)


# hands


def find_hands(db: sqlite3.Connection, query: HandQuery) -> FoundHands:
    """Return a page of a server's finished hands, newest first."""
    people = [person for chips in CountedChips if (person := _person(db, query.guild, query.user, chips))]
    if query.user and not people:
        return FoundHands(())
    limits = {
        "server": _server(db, query.guild),
        "table": 0,
        "game": _game(db, query.guild, query.game),
        "first": first_id(query.since),
        "end": min(query.before or 1 << 62, first_id(query.until) if query.until else 1 << 62),
        "limit": query.limit + 1,
    }
    if query.table_number:
        row = db.execute(
            "SELECT id FROM counted_table WHERE server = :server AND number = :number",
            {**limits, "number": query.table_number},
        ).fetchone()
        if row is None:
            return FoundHands(())
        limits["table"] = row[0]
    if query.user:
        found = sorted(
            {hand for person in people for hand in _hands_of_person(db, {**limits, "person": person})}, reverse=True
        )
    else:
        found = _hands_of_server(db, limits)
    hands = tuple([_found_hand(db, hand, query.user) for hand in found[: query.limit]])
    return FoundHands(hands, found[query.limit - 1] if len(found) > query.limit else 0)


def _hands_of_person(db: sqlite3.Connection, limits: dict[str, int]) -> list[int]:
    where = "person = :person AND hands = 1 AND hand >= :first AND hand < :end"
    if limits["table"]:
        where += " AND table_id = :table"
    if limits["game"]:
        where += " AND game = :game"
    rows = db.execute(f"SELECT hand FROM player_hand WHERE {where} ORDER BY hand DESC LIMIT :limit", limits)
    return [hand for (hand,) in rows]


def _hands_of_server(db: sqlite3.Connection, limits: dict[str, int]) -> list[int]:
    where = "counts = 1 AND id >= :first AND id < :end"
    if limits["table"]:  # the hands of a table are few enough to be sorted
        where, index = f"table_id = :table AND {where}", "hand_of_table"
        if limits["game"]:
            where += " AND game = :game"
    elif limits["game"]:
        where, index = f"game = :game AND {where}", "hand_of_game"
    else:
        where, index = f"server = :server AND {where}", "hand_of_server"
    rows = db.execute(
        f"SELECT id FROM counted_hand INDEXED BY {index} WHERE {where} ORDER BY id DESC LIMIT :limit", limits
    )
    return [hand for (hand,) in rows]


def _found_hand(db: sqlite3.Connection, hand: int, user: int) -> FoundHand:
    id_, table, table_number, number, key, name, limit, words, chips, pot = db.execute(
        f"SELECT {_HAND_COLUMNS} FROM counted_hand {_HAND_TABLES} WHERE counted_hand.id = ?", (hand,)
    ).fetchone()
    players = db.execute(
        'SELECT "user", won, net FROM player_hand JOIN person ON person.id = person WHERE hand = ? ORDER BY won DESC, "user"',
        (hand,),
    ).fetchall()
    return FoundHand(
        hand=HandKey(table, table_number, number),
        at=time_of(id_),
        game=key,
        game_name=name,
        limit=limit,
        stakes=words,
        chips=CountedChips(chips),
        pot=pot,
        player_count=len(players),
        winners=tuple([(player, won) for player, won, _ in players if won]),
        net=next((net for player, _, net in players if player == user), 0),
    )


def games(db: sqlite3.Connection, guild: int, user: int = 0) -> tuple[tuple[str, str], ...]:
    """Return key and name of each game that has been played in a server, or by one user there, the most played first."""
    played = "SELECT id AS game, hands FROM game WHERE server = :server"
    if user:
        played = """
            SELECT game, sum(hands) AS hands FROM person JOIN total ON total.person = person.id
            WHERE person.server = :server AND "user" = :user AND kind = 0 GROUP BY game
        """
    rows = db.execute(
        f"""
        SELECT key, (SELECT name FROM terms WHERE terms.game = game.id ORDER BY terms.id DESC LIMIT 1)
        FROM ({played}) AS played JOIN game ON game.id = played.game WHERE played.hands > 0 ORDER BY played.hands DESC, key
        """,
        {"server": _server(db, guild), "user": user},
    )
    return tuple([(key, name) for key, name in rows])


# players


def player(db: sqlite3.Connection, guild: int, user: int, scope: Scope, reader: Reader = STRANGER) -> PlayerNumbers:
    """Return a player's numbers. What is told of single hands leaves out those that the reader cannot know of."""
    chosen = _chosen(db, guild, user, scope)
    where, parameters = "person = ? AND kind = ? AND which >= ? AND which < ?", [chosen.person, *_summed(scope.period)]
    for column, number in chosen.narrowed:
        where += f" AND {column} = ?"
        parameters.append(number)
    rows = db.execute(
        f"""
        SELECT key, {_SUMS_BY_GAME} FROM (SELECT game AS of_game, {_SUMS} FROM total WHERE {where} GROUP BY game)
        JOIN game ON game.id = of_game ORDER BY hands_ DESC, key
        """,
        parameters,
    )
    by_game = tuple([(key, Counts(*counts)) for key, *counts in rows])
    if tables := _held_tables(db, guild, reader):
        by_game = _with_held(db, chosen, by_game, tables)
    counts = sum_of([counts for _, counts in by_game])
    if not counts.hands:
        return PlayerNumbers(user, counts, by_game=tuple([one for one in by_game if one[1].hands]))
    shown = _shown(db, chosen, _unknown_tables(db, guild, reader))
    if not shown.hands:
        return PlayerNumbers(user, counts, by_game=by_game)
    return PlayerNumbers(
        user,
        counts,
        best_hand=_kept_hand(db, chosen.person, shown.rarest or (shown.best if scope.game else 0)),
        biggest_pot=shown.won,
        biggest_pot_at=hand_key(db, shown.won_by) if shown.won else None,
        longest_streak=shown.longest,
        first_at=time_of(shown.first),
        last_at=time_of(shown.last),
        by_game=by_game,
    )


def _shown(db: sqlite3.Connection, chosen: _Chosen, unknown: tuple[int, ...]) -> Figures:
    """Return what the chosen hands show of which a reader can know. Only those for certain stakes are looked through one by one."""
    if any(column == "stakes" for column, _ in chosen.narrowed):
        return _looked_through(db, _without(chosen, unknown))
    game = dict(chosen.narrowed).get("game", 0)
    found = pieces(db, chosen.person, game, chosen.between, frozenset(unknown))
    return joined(
        [
            one.figures
            if isinstance(one, Stretch)
            else _looked_through(db, _without(chosen._replace(between=(one.first, one.end)), unknown))
            for one in found
        ]
    )


def _looked_through(db: sqlite3.Connection, chosen: _Chosen) -> Figures:
    """Return what hands show, by looking at each."""
    first, last, net, won, rarity, streaks = db.execute(
        f"""
        SELECT min(hand), max(hand), sum(net), max(won), max(rarity), group_concat(net > 0, '')
        FROM (SELECT * FROM player_hand WHERE {chosen.where} ORDER BY hand)
        """,
        chosen.parameters,
    ).fetchone()
    if first is None:
        return Figures()

    def found(where: str, order: str, *values: int) -> tuple[int, int, int]:
        row = db.execute(
            f"SELECT hand, share, value FROM player_hand WHERE {chosen.where} AND {where} ORDER BY {order} LIMIT 1",
            (*chosen.parameters, *values),
        ).fetchone()
        return row if row is not None else (0, 0, 0)

    in_a_row = list(map(len, streaks.split("0")))
    best, share, value = found("value > 0", "share, value DESC, hand")
    return Figures(
        len(streaks),
        net,
        in_a_row[0],
        in_a_row[-1],
        max(in_a_row),
        first,
        last,
        won,
        found("won = ?", "hand", won)[0],
        rarity,
        found("rarity = ?", "hand", rarity)[0] if rarity else 0,
        share,
        value,
        best,
    )


def _with_held(
    db: sqlite3.Connection, chosen: _Chosen, by_game: tuple[tuple[str, Counts], ...], tables: tuple[int, ...]
) -> tuple[tuple[str, Counts], ...]:
    """Add the hands of tables that are held to the counts of each game."""
    rows = db.execute(
        f"""
        SELECT key, {_SUMS_BY_GAME} FROM (
            SELECT game AS of_game, {_SUMS} FROM player_hand WHERE {chosen.where.replace(" AND hands = 1", "")}
            AND hand IN {_hands_at(tables)} GROUP BY game
        ) JOIN game ON game.id = of_game
        """,
        chosen.parameters,
    )
    found = dict(by_game)
    for key, *counts in rows:
        found[key] = sum_of([found.get(key, Counts()), Counts(*counts)])
    return tuple(sorted(found.items(), key=lambda one: (-one[1].hands, one[0])))


def _summed(period: Period) -> tuple[int, int, int]:
    """Return by which sums a period is told: their kind, the first of them, and the first that no longer belongs to it."""
    if period.kind in (PeriodKind.EVER, PeriodKind.SEASON):
        return KINDS[period.kind], period.which, period.which + 1
    begins_at, ends_at = span(period)
    return DAYS, day_of(begins_at), day_of(ends_at)


def sum_of(each: Iterable[Counts]) -> Counts:
    """Return the sum of counts."""
    rows = [[getattr(counts, name) for name in COUNTS] for counts in each]
    return Counts(*map(sum, zip(*rows, strict=True))) if rows else Counts()


def _kept_hand(db: sqlite3.Connection, person: int, hand: int) -> BestHand | None:
    """Return with what a person won a hand; None for none."""
    row = db.execute(
        """
        SELECT hand, value, share, key FROM player_hand JOIN game ON game.id = player_hand.game WHERE person = ? AND hand = ?
        """,
        (person, hand),
    ).fetchone()
    if row is None:
        return None
    _, value, share, key = row
    return BestHand(hand_key(db, hand), time_of(hand), key, value, share)


def versus(
    db: sqlite3.Connection, guild: int, user: int, other: int, scope: Scope, reader: Reader = STRANGER
) -> Versus:
    """Return how two players did in the hands that both were dealt into, as far as the reader can know of them."""
    unknown = _unknown_tables(db, guild, reader)
    mine, theirs = (_without(_chosen(db, guild, one, scope), unknown) for one in (user, other))
    if not mine.person or not theirs.person or mine.person == theirs.person:
        return Versus(user, other)
    hands = "SELECT sum(hands) FROM total WHERE person = ? AND kind = 0"
    (own_hands,), (other_hands,) = (db.execute(hands, (one.person,)).fetchone() for one in (mine, theirs))
    turned = (other_hands or 0) < (own_hands or 0)  # fewer hands are looked through, and each is looked up
    few, many = (theirs, mine) if turned else (mine, theirs)
    found, few_net, many_net, showdowns, few_won, many_won = db.execute(
        f"""
        SELECT count(*), sum(few.net), sum(many.net), sum(few.showdowns AND many.showdowns),
               sum(few.showdowns_won AND many.showdowns AND NOT many.showdowns_won),
               sum(many.showdowns_won AND few.showdowns AND NOT few.showdowns_won)
        FROM (SELECT * FROM player_hand WHERE {few.where}) AS few CROSS JOIN player_hand AS many
        ON many.person = ? AND many.hand = few.hand
        """,
        (*few.parameters, many.person),
    ).fetchone()
    if not found:
        return Versus(user, other)
    if turned:
        few_net, many_net, few_won, many_won = many_net, few_net, many_won, few_won
    return Versus(user, other, found, few_net, many_net, showdowns, few_won, many_won)


def curve(
    db: sqlite3.Connection, guild: int, user: int, scope: Scope, points: int, reader: Reader = STRANGER
) -> tuple[ChipsPoint, ...]:
    """Return a player's net chips over time; see `thinned`. A game that the reader cannot know of comes at its end, as a whole."""
    chosen = _without(_chosen(db, guild, user, scope), _unknown_tables(db, guild, reader, held=True))
    unknown = _unknown_tables(db, guild, reader)
    every = _pieces_of_curve(db, chosen, unknown)
    if every is None:
        rows = f"""
            SELECT CASE WHEN known THEN own_net WHEN own_hand = last THEN whole ELSE 0 END AS net,
                   CASE WHEN known THEN own_hand ELSE last END AS hand
            FROM (
                SELECT net AS own_net, hand AS own_hand, table_id NOT IN {_among(unknown)} AS known,
                       max(hand) OVER of_table AS last, sum(net) OVER of_table AS whole
                FROM player_hand WHERE {chosen.where} WINDOW of_table AS (PARTITION BY table_id)
            ) ORDER BY hand, own_hand
        """
        nets, hands = db.execute(
            f"SELECT group_concat(net), group_concat(hand) FROM ({rows})", chosen.parameters
        ).fetchone()
        return thinned(nets, hands, points) if nets is not None else ()
    if sum(map(_is_played, every)) >= CURVE_STRETCHES:
        return _through_stretches(db, chosen, every, points)
    each = [_nets_and_hands(db, chosen, one) for one in _put_together(every)]
    nets, hands = (",".join(filter(None, column)) for column in zip(*each, strict=True)) if each else ("", "")
    return thinned(nets, hands, points) if nets else ()


def _pieces_of_curve(db: sqlite3.Connection, chosen: _Chosen, unknown: tuple[int, ...]) -> list[Piece] | None:
    """Return what stands for the chosen hands, in the largest stretches of which there are enough for a curve, else in the smallest.

    None if some of the hands are of tables that the reader cannot know of, or only those for certain stakes are asked for.
    """
    game = dict(chosen.narrowed).get("game", 0)
    if any(column == "stakes" for column, _ in chosen.narrowed):
        return [Hands(*chosen.between)] if not unknown else None
    every: list[Piece] = []
    for level in range(LEVELS, 0, -1):
        every = pieces(db, chosen.person, game, chosen.between, frozenset(unknown), level=level)
        if any(one.is_part if isinstance(one, Stretch) else _holds(db, chosen, one, unknown) for one in every):
            return None
        if sum(map(_is_played, every)) >= CURVE_STRETCHES:
            break
    return every


def _is_played(piece: Piece) -> bool:
    return isinstance(piece, Stretch) and piece.figures.hands > 0


def _holds(db: sqlite3.Connection, chosen: _Chosen, hands: Hands, tables: tuple[int, ...]) -> bool:
    """Return whether some hands of a person are of one of these tables."""
    query = f"SELECT 1 FROM player_hand WHERE person = ? AND hand >= ? AND hand < ? AND table_id IN {_among(tables)} LIMIT 1"
    return bool(tables) and db.execute(query, (chosen.person, *hands)).fetchone() is not None


def _put_together(every: Iterable[Piece]) -> list[Hands]:
    """Return where the hands lie that pieces stand for; those that follow each other are one."""
    found: list[Hands] = []
    follows = False
    for one in every:
        first, end = (one.first, one.last + 1) if isinstance(one, Stretch) else one
        wanted = isinstance(one, Hands) or _is_played(one)
        if wanted and follows:
            found[-1] = Hands(found[-1].first, end)
        elif wanted:
            found.append(Hands(first, end))
        follows = wanted
    return found


def _nets_and_hands(db: sqlite3.Connection, chosen: _Chosen, hands: Hands) -> tuple[str | None, str | None]:
    some = chosen._replace(between=hands)
    row: tuple[str | None, str | None] = db.execute(
        f"SELECT group_concat(net), group_concat(hand) FROM (SELECT net, hand FROM player_hand WHERE {some.where} ORDER BY hand)",
        some.parameters,
    ).fetchone()
    return row


def _through_stretches(
    db: sqlite3.Connection, chosen: _Chosen, played: Iterable[Piece], points: int
) -> tuple[ChipsPoint, ...]:
    """Return a curve by points that lie at the ends of stretches, and at the hands that are in none."""
    every = [ChipsPoint(0, 0, 0)]

    def add(hands: int, net: int, last: int) -> None:
        every.append(ChipsPoint(every[-1].hands + hands, every[-1].net + net, time_of(last)))

    begin = 0
    for one in played:
        if isinstance(one, Stretch):
            begin = begin or one.figures.first
            add(one.figures.hands, one.figures.net, one.figures.last)
            continue
        nets, hands = _nets_and_hands(db, chosen, one)
        for net, hand in zip(map(int, (nets or "0").split(",")), map(int, (hands or "0").split(",")), strict=True):
            if hand:
                begin = begin or hand
                add(1, net, hand)
    count, steps = every[-1].hands, max(1, min(points - 1, len(every) - 1))
    at = {bisect_left(every, count * step // steps, key=lambda point: point.hands) for step in range(1, steps + 1)}
    return (ChipsPoint(0, 0, time_of(begin)), *[every[number] for number in sorted(at - {0})])


def thinned(nets: str, hands: str, points: int) -> tuple[ChipsPoint, ...]:
    """Return the sums of chips after each hand, at so many points at most; the first is before any hand, the last after all.

    Args:
        nets: the chips won in each hand, with commas between them.
        hands: the numbers that the hands are stored under, in the same way.
    """
    totals = running_sums(nets)
    count, width = len(totals) - 1, hands.find(",") + 1 or len(hands) + 1
    if (len(hands) + 1) != count * width:
        hands = ",".join(one.zfill(20) for one in hands.split(","))
        width = 21
    steps = max(1, min(points - 1, count))
    ends = [count * step // steps for step in range(1, steps + 1)]

    def ended_at(number: int) -> int:  # to take them all apart would be the longest part
        return time_of(int(hands[(number - 1) * width : number * width - 1]))

    return (ChipsPoint(0, 0, ended_at(1)), *[ChipsPoint(end, totals[end], ended_at(end)) for end in ends])


def running_sums(numbers: str) -> list[int]:
    """Return 0 and the sums of the first one, the first two and so on of numbers with commas between them.

    It goes in parts: Python lets no other thread run, and so no click be answered, while it works through a long list at once.
    """
    totals, begin = [0], 0
    while begin <= len(numbers):
        end = numbers.find(",", begin + CHARACTERS_AT_ONCE)
        end = end if end >= 0 else len(numbers)
        before = totals.pop()
        totals.extend(accumulate(map(int, numbers[begin:end].split(",")), initial=before))
        begin = end + 1
    return totals


def session(db: sqlite3.Connection, table: int, user: int, since: int, until: int) -> SessionNumbers:
    """Return what a user did at a table between two times."""
    row = db.execute(
        "SELECT guild, chips FROM counted_table JOIN server ON server.id = server WHERE counted_table.id = ?",
        (table,),
    ).fetchone()
    person = _person(db, row[0], user, CountedChips(row[1])) if row is not None else 0
    chosen = _Chosen(person, (first_id(since), first_id(until + 1)), (("table_id", table),))
    rows = db.execute(f"SELECT hand, {_COUNTS} FROM player_hand WHERE {chosen.where} ORDER BY hand", chosen.parameters)
    played = rows.fetchall()
    if not played:
        return SessionNumbers(user, table, since, since, Counts())
    counts = Counts(*[sum(column) for column in list(zip(*played, strict=True))[1:]])
    nets = [net for _, _, net, *_ in played]
    curve_ = [ChipsPoint(0, 0, since)]
    for count, (net, (hand, *_)) in enumerate(zip(accumulate(nets), played, strict=True), 1):
        curve_.append(ChipsPoint(count, net, hand >> TIE_BITS))
    (games_,) = db.execute(
        f"SELECT count(DISTINCT game) FROM player_hand WHERE {chosen.where}", chosen.parameters
    ).fetchone()
    shown = _looked_through(db, chosen)
    return SessionNumbers(
        user,
        table,
        since,
        time_of(played[-1][0]),
        counts,
        tuple(curve_),
        _kept_hand(db, person, shown.rarest or (shown.best if games_ == 1 else 0)),
        shown.won,
        hand_key(db, shown.won_by) if shown.won else None,
    )


# leaderboards

_EVER = "standing.server = :server AND standing.chips = :chips AND kind = 0 AND which = 0 AND game = 0"


def hands_of(db: sqlite3.Connection, guild: int, user: int, chips: CountedChips) -> int:
    """Return how many hands somebody has played in a server, ever. Practice players have none."""
    row = db.execute(
        f"SELECT hands FROM standing WHERE {_EVER} AND person = :person",
        {"server": _server(db, guild), "chips": chips, "person": _person(db, guild, user, chips)},
    ).fetchone()
    return int(row[0]) if row is not None else 0


def people_with_hands(
    db: sqlite3.Connection, guild: int, chips: CountedChips, min_hands: int, among: int | None = None
) -> tuple[int, ...] | None:
    """Return who has played at least so many hands in a server, ever. Practice players have none.

    Args:
        among: None is returned if more people than this have played there at all; with None everybody is looked at.
    """
    parameters = {"server": _server(db, guild), "chips": chips, "hands": max(min_hands, 1), "some": (among or 0) + 1}
    if among is not None:
        (some,) = db.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM standing WHERE {_EVER} LIMIT :some)", parameters
        ).fetchone()
        if some > among:
            return None
    rows = db.execute(
        f'SELECT "user" FROM standing JOIN person ON person.id = person WHERE {_EVER} AND hands >= :hands', parameters
    )
    return tuple([user for (user,) in rows])


class Crossings(NamedTuple):
    """What there is to mark in the data file: who has played enough hands there.

    Attributes:
        listed_from: so many hands it takes.
        epoch: of this file and that number.
        last: the number of the last change that is told.
        enough: whether people have played enough.
    """

    listed_from: int
    epoch: int
    last: int
    enough: dict[int, bool]


_ENOUGH = """
    SELECT "user", crossed, coalesce(hands, 0) >= listed_from FROM person JOIN server ON server.id = person.server
    LEFT JOIN standing ON standing.server = person.server AND standing.chips = person.chips AND kind = 0 AND which = 0 AND game = 0
    AND standing.person = person.id WHERE guild = :guild AND person.chips = 0
"""


def crossings(db: sqlite3.Connection, guild: int, after: int, limit: int) -> Crossings:
    """Return who has come to have played enough hands, or no longer has, after a change with a number; so many people at most."""
    found = _crossings(db, guild)
    rows = db.execute(
        f"{_ENOUGH} AND crossed > 0 AND crossed > :after ORDER BY crossed LIMIT :limit",
        {"guild": guild, "after": after, "limit": limit},
    ).fetchall()
    last = rows[-1][1] if len(rows) == limit else found.last
    return found._replace(last=last, enough={user: bool(enough) for user, _, enough in rows})


def enough_hands(db: sqlite3.Connection, guild: int, users: Iterable[int]) -> Crossings:
    """Return whether some people have played enough hands."""
    enough = dict.fromkeys(users, False)
    for user in enough:
        row = db.execute(f'{_ENOUGH} AND "user" = :user', {"guild": guild, "user": user}).fetchone()
        enough[user] = row is not None and bool(row[2])
    return _crossings(db, guild)._replace(enough=enough)


def _crossings(db: sqlite3.Connection, guild: int) -> Crossings:
    row = db.execute("SELECT listed_from, epoch, crossings FROM server WHERE guild = ?", (guild,)).fetchone()
    listed_from, epoch, last = row if row is not None else (0, 0, 0)
    return Crossings(listed_from, epoch, last, {})


def held_by_player(db: sqlite3.Connection, guild: int, scope: Scope) -> dict[int, tuple[int, int]]:
    """Return the hands and net chips that are in no sum yet, by person, in any game: those of private tables that are open."""
    tables = _held_tables(db, guild, INSIDER)
    if not tables:
        return {}
    begins_at, ends_at = _span(db, guild, scope.period)
    rows = db.execute(
        f"""
        SELECT "user", sum(hands), sum(net) FROM counted_hand CROSS JOIN player_hand ON hand = counted_hand.id
        JOIN person ON person.id = person WHERE counted_hand.table_id IN {_among(tables)} AND hand >= ? AND hand < ?
        AND chips = ? AND "user" > 0 GROUP BY "user" HAVING sum(hands) > 0
        """,
        (first_id(begins_at), first_id(ends_at), scope.chips),
    )
    return {user: (hands, net) for user, hands, net in rows}


def ranking(db: sqlite3.Connection, query: RankingQuery) -> RankedPlayers:
    """Return a page of a leaderboard. Equals share a rank."""
    key = ranking_key(db, query)
    kept, order = kept_ranking(db, key), SCORES[key.order]
    person = _person(db, query.guild, query.user, query.scope.chips)
    parameters = {**key.parameters, "limit": query.limit, "offset": query.offset, "person": person}
    ranked_people = (_kept if kept else _looked_for)(db, kept, order, parameters)
    own = db.execute(
        f"SELECT hands, net, net - counted, {order} FROM standing WHERE {OF_SCOPE} AND person = :person AND hands > 0",
        parameters,
    ).fetchone()
    if own is None:
        return RankedPlayers(ranked_people.lines, ranked_people.players)
    hands, net, uncounted, score = own
    rank = ranked_people.rank_of(score) if hands >= key.min_hands else 0
    line = RankingLine(rank, query.user, hands, net, uncounted) if rank else None
    return RankedPlayers(ranked_people.lines, ranked_people.players, line, hands)


def ranking_key(db: sqlite3.Connection, query: RankingQuery) -> RankingKey:
    """Return which ranking is asked for."""
    scope = query.scope
    kind, which, game = KINDS[scope.period.kind], scope.period.which, _game(db, query.guild, scope.game)
    server = _server(db, query.guild)
    return RankingKey(server, int(scope.chips), kind, which, game, query.order, max(query.min_hands, 1))


class _RankedPeople(NamedTuple):
    """A page of a ranking, how many people are in it, and how somebody's rank is found."""

    lines: tuple[RankingLine, ...]
    players: int
    rank_of: Callable[[float], int]


def _kept(db: sqlite3.Connection, kept: int, order: str, parameters: dict[str, int]) -> _RankedPeople:
    """Return a page of a ranking that is kept."""
    board = BoardOrder(db, RANKED, {"ranking": kept})
    offset = parameters["offset"]
    lines: list[RankingLine] = []
    for rank, person, _ in ranked(board.page(offset, parameters["limit"]), offset + 1, board.rank_of):
        row = db.execute(
            f"""
            SELECT "user", hands, net, net - counted FROM standing JOIN person ON person.id = person
            WHERE {OF_SCOPE} AND person = :one
            """,
            {**parameters, "one": person},
        ).fetchone()
        lines.append(RankingLine(rank, *row))
    return _RankedPeople(tuple(lines), board.people(), board.rank_of)


def _looked_for(db: sqlite3.Connection, kept: int, order: str, parameters: dict[str, int]) -> _RankedPeople:
    """Return a page of a ranking that is not kept, by a look at everybody."""
    enough = f"FROM standing WHERE {OF_SCOPE} AND hands >= :min_hands"
    (players,) = db.execute(f"SELECT count(*) {enough}", parameters).fetchone()
    rows = db.execute(
        f"""
        SELECT "user", hands, net, net - counted, score FROM (SELECT person, hands, net, counted, {order} AS score {enough}) AS ranked
        JOIN person ON person.id = person ORDER BY score DESC, hands DESC, "user" LIMIT :limit OFFSET :offset
        """,
        parameters,
    ).fetchall()

    def rank_of(score: float) -> int:
        query = f"SELECT count(*) {enough} AND {order} > :score"
        (better,) = db.execute(query, {**parameters, "score": score}).fetchone()
        return int(better) + 1

    lines: list[RankingLine] = []
    last: float | None = None
    for number, (user, hands, net, uncounted, score) in enumerate(rows, parameters["offset"] + 1):
        rank = lines[-1].rank if lines and score == last else number if lines else rank_of(score)
        lines.append(RankingLine(rank, user, hands, net, uncounted))
        last = score
    return _RankedPeople(tuple(lines), players, rank_of)
