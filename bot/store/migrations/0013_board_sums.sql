-- What one person adds to another's place on the leaderboards, and how much of it does not count there (BO-1). It is kept from now on: what was
-- won before counts. `span` is the number of a season, or a year of the server's calendar below zero: -2026.

-- Up to how many chips from one opponent count; 0: all of them.
CREATE TABLE board_span (
    guild INTEGER NOT NULL,
    span INTEGER NOT NULL,
    cap INTEGER NOT NULL,
    PRIMARY KEY (guild, span)
) WITHOUT ROWID;

-- Each pair has two rows.
CREATE TABLE board_pair (
    guild INTEGER NOT NULL,
    span INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    other INTEGER NOT NULL,
    chips INTEGER NOT NULL,            -- what "user" has won from "other" in this span; below zero what they have lost to them
    state INTEGER NOT NULL DEFAULT 0,  -- a PairState: an alarm that waits, one that staff have looked at, or set aside
    PRIMARY KEY (guild, span, "user", other)
) WITHOUT ROWID;

-- The same at private tables that are open. It comes to the pairs when the table closes: until then no number tells of its hands.
CREATE TABLE board_pair_held (
    table_id INTEGER NOT NULL REFERENCES card_table (id),
    span INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    other INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    PRIMARY KEY (table_id, span, "user", other)
) WITHOUT ROWID;

-- What of somebody's chips does not count in a span; under 0 what of their net chips of all time does not.
CREATE TABLE uncounted (
    guild INTEGER NOT NULL,
    span INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    at INTEGER NOT NULL,               -- of a season and of all time: when it changed, in ms; never less than in a row that changed before
    PRIMARY KEY (guild, span, "user")
) WITHOUT ROWID;

CREATE INDEX uncounted_since ON uncounted (guild, at);

-- The leaderboard by chips is ordered by those that count.
ALTER TABLE player_total ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
UPDATE player_total SET counted = total;
DROP INDEX leaderboard;
CREATE INDEX leaderboard ON player_total (guild, book, counted DESC, "user");

ALTER TABLE season_result ADD COLUMN uncounted INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER season_result_stands;
CREATE TRIGGER season_result_stands BEFORE UPDATE ON season_result
    WHEN (NEW.guild, NEW.season, NEW.rank, NEW.hands, NEW.net, NEW.uncounted)
      <> (OLD.guild, OLD.season, OLD.rank, OLD.hands, OLD.net, OLD.uncounted)
      OR NEW."user" <> OLD."user" AND NOT may_exchange('person', OLD."user", NEW."user")
    BEGIN SELECT RAISE(ABORT, 'a result of a season never changes'); END;
