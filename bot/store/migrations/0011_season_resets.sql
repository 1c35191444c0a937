-- Chips of a season that is over, as they are changed person by person, a few at a time. Until somebody's turn has come, everybody reads their
-- wallet as it will be. The row goes with the last person.
CREATE TABLE season_reset (
    guild INTEGER PRIMARY KEY,
    season INTEGER NOT NULL,
    start INTEGER NOT NULL,    -- what a wallet holds afterwards; 0: so many percent of what it held
    carried INTEGER NOT NULL CHECK (carried BETWEEN 0 AND 100),
    cause INTEGER NOT NULL,    -- it closed the season
    part INTEGER NOT NULL,     -- how many causes have followed it
    reached INTEGER NOT NULL   -- everybody whose id is not larger has had their turn
);

-- Who had their turn earlier, because their chips moved.
CREATE TABLE season_reset_early (
    guild INTEGER NOT NULL REFERENCES season_reset (guild) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) WITHOUT ROWID;

-- Results are written before their season is closed, a few at a time, and nobody reads them until then. They stand from then on.
DROP TRIGGER season_result_stays;
CREATE TRIGGER season_result_stays BEFORE DELETE ON season_result
    WHEN (SELECT closed_at FROM season WHERE guild = OLD.guild AND number = OLD.season) IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a result of a season is never deleted'); END;
CREATE TRIGGER season_results_are_complete BEFORE INSERT ON season_result
    WHEN (SELECT closed_at FROM season WHERE guild = NEW.guild AND number = NEW.season) IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a season that is over gets no more results'); END;
