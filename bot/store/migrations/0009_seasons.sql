-- Seasons of a server, counted from 1, and their results, which never change. A hand counts for the season in which it ends.

CREATE TABLE season (
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    name TEXT NOT NULL,          -- as staff wrote it; empty for one that the calendar opened
    opened_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,    -- hands that end from then on are not in it; 0: nobody knows yet when
    months INTEGER NOT NULL,     -- at ends_at the calendar goes on with another one, and so every so many months; 0: it does not
    ranked_by TEXT NOT NULL,     -- a RankingOrder
    min_hands INTEGER NOT NULL,  -- who has played fewer has no rank
    channel INTEGER NOT NULL,    -- where it was opened; 0: nowhere
    closed_at INTEGER,           -- when its results were written down; NULL: not yet
    PRIMARY KEY (guild, number)
) WITHOUT ROWID;

CREATE INDEX season_not_closed ON season (guild, number) WHERE closed_at IS NULL;

CREATE TABLE season_result (
    guild INTEGER NOT NULL,
    season INTEGER NOT NULL,
    user INTEGER NOT NULL,
    rank INTEGER NOT NULL,       -- equal numbers share one; 0: fewer hands than it took
    hands INTEGER NOT NULL,
    net INTEGER NOT NULL,
    PRIMARY KEY (guild, season, user)
) WITHOUT ROWID;

CREATE INDEX season_result_by_rank ON season_result (guild, season, rank, user);
CREATE INDEX season_results_of_player ON season_result (guild, user);

-- Open tables that hold chips of a season that is over. When such chips come back to a wallet only so many percent are carried over.
CREATE TABLE season_table (
    table_id INTEGER PRIMARY KEY REFERENCES card_table (id),
    guild INTEGER NOT NULL,
    carried INTEGER NOT NULL CHECK (carried BETWEEN 0 AND 100)
);

-- What somebody has brought to such a table since: it is of the new season.
CREATE TABLE season_buy_in (
    table_id INTEGER NOT NULL REFERENCES season_table (table_id) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    chips INTEGER NOT NULL CHECK (chips > 0),
    PRIMARY KEY (table_id, user)
) WITHOUT ROWID;

CREATE TRIGGER season_stands BEFORE UPDATE ON season
    WHEN OLD.closed_at IS NOT NULL OR NEW.guild <> OLD.guild OR NEW.number <> OLD.number OR NEW.opened_at <> OLD.opened_at
    BEGIN SELECT RAISE(ABORT, 'a season that is over never changes'); END;
CREATE TRIGGER season_stays BEFORE DELETE ON season BEGIN SELECT RAISE(ABORT, 'a season is never deleted'); END;
CREATE TRIGGER season_result_stands BEFORE UPDATE ON season_result
    WHEN (NEW.guild, NEW.season, NEW.rank, NEW.hands, NEW.net) <> (OLD.guild, OLD.season, OLD.rank, OLD.hands, OLD.net)
      OR NEW.user <> OLD.user AND NOT may_exchange('person', OLD.user, NEW.user)
    BEGIN SELECT RAISE(ABORT, 'a result of a season never changes'); END;
CREATE TRIGGER season_result_stays BEFORE DELETE ON season_result BEGIN SELECT RAISE(ABORT, 'a result of a season is never deleted'); END;
