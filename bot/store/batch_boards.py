"""What a batch changes on the leaderboards of its servers: who has won chips from whom, up to a cap (`bot.store.board_sums`)."""

from bot.runtime.store_types import Commit, PairChange
from bot.store import queries
from bot.store.board_sums import BoardFlow, BoardSums
from bot.store.database import Database
from bot.store.writer_cache import BoardRules, WriterCache


class BatchBoards:
    """Gathers what the leaderboards count, and writes it at the end of the batch."""

    def __init__(self, db: Database, cache: WriterCache) -> None:
        self._db, self._cache = db, cache
        self._flows: list[BoardFlow] = []
        self._changes: dict[int, int] = {}  # servers of which the leaderboards count by other rules now, and since when
        self._closed_tables: list[int] = []
        self._pair_changes: list[tuple[int, tuple[int, ...], PairChange]] = []

    def add_flows(self, commit: Commit) -> None:
        """Who has won chips from whom. What is won at a private table is held apart."""
        guild, held_at = commit.guild, commit.table if commit.private else 0
        spans = self._rules(guild).spans_at(commit.cause.at)
        self._flows += [BoardFlow(guild, spans, held_at, flow) for flow in commit.flows]
        self._changes.setdefault(guild, commit.cause.at)

    def add_pairs(self, commit: Commit) -> None:
        """What staff have said of the chips between two people."""
        for pair in commit.pair_changes:
            self._pair_changes.append((commit.guild, self._rules(commit.guild).spans_at(pair.at), pair))
            self._changes.setdefault(commit.guild, commit.cause.at)

    def add_settings(self, commit: Commit) -> None:
        """A table that closes, and other rules or another season of a server."""
        if commit.closes:
            self._closed_tables.append(commit.table)
        if commit.rules is not None or commit.season is not None:
            self._cache.boards.pop(commit.guild, None)
        if commit.rules is not None:
            self._changes[commit.guild] = commit.cause.at

    def write(self) -> None:
        """Write the sums into the open transaction."""
        if not (self._changes or self._closed_tables):
            return
        if self._cache.board_sums_at < 0:
            self._cache.board_sums_at = self._db.execute("SELECT coalesce(max(at), 0) FROM uncounted").fetchone()[0]
        at = max([self._cache.board_sums_at, *self._changes.values()])
        self._cache.board_sums_at = at
        sums = BoardSums(self._db, at)
        for guild, changed_at in self._changes.items():
            rules = self._rules(guild)
            spans = {*rules.spans_at(changed_at), *rules.spans_at(at)}
            spans.update(span for flow in self._flows if flow.guild == guild for span in flow.spans)
            sums.follow_cap(guild, sorted(spans), rules.cap)
        sums.add(self._flows)
        for table in self._closed_tables:
            sums.release(table)
        for guild, of, pair in self._pair_changes:
            sums.set_state(guild, of, pair.winner, pair.loser, pair.state)
        sums.write()
        self._flows.clear()
        self._changes.clear()
        self._closed_tables.clear()
        self._pair_changes.clear()

    def _rules(self, guild: int) -> BoardRules:
        """Return by what the leaderboards of a server count."""
        found = self._cache.boards.get(guild)
        if found is None:
            rules = queries.house_rules(self._db, guild, self._cache.default_rules)
            seasons = queries.seasons(self._db, guild)
            found = self._cache.boards[guild] = BoardRules(rules.counted_cap, rules.year_clock, seasons)
        return found
