-- The line of each result of a season, counted from 1: the best first, whoever had too few hands last. A page far down is found by it, and
-- so is how many people there are, however many there are.
ALTER TABLE season_result ADD COLUMN line INTEGER NOT NULL DEFAULT 0;

UPDATE season_result SET line = numbered.line FROM (
    SELECT guild, season, "user", row_number() OVER (PARTITION BY guild, season ORDER BY rank = 0, rank, "user") AS line FROM season_result
) AS numbered
WHERE season_result.guild = numbered.guild AND season_result.season = numbered.season AND season_result."user" = numbered."user";

DROP INDEX season_result_by_rank;
CREATE INDEX season_result_by_rank ON season_result (guild, season, rank, line);
CREATE INDEX season_result_by_line ON season_result (guild, season, line);

DROP TRIGGER season_result_stands;
CREATE TRIGGER season_result_stands BEFORE UPDATE ON season_result
    WHEN (NEW.guild, NEW.season, NEW.rank, NEW.hands, NEW.net, NEW.uncounted, NEW.line)
      <> (OLD.guild, OLD.season, OLD.rank, OLD.hands, OLD.net, OLD.uncounted, OLD.line)
      OR NEW."user" <> OLD."user" AND NOT may_exchange('person', OLD."user", NEW."user")
    BEGIN SELECT RAISE(ABORT, 'a result of a season never changes'); END;
