-- Who of the leaderboard by chips has played enough hands to be on it (BO-2). Hands are counted in the statistics; what is kept here
-- follows them (`bot/store/listed_people.py`).
ALTER TABLE player_total ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX listed_leaderboard ON player_total (guild, book, listed, counted DESC, "user") WHERE listed = 1;

-- Up to where the marks of a server follow the statistics, once everybody has been looked at.
CREATE TABLE listing (
    guild INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,    -- of which statistics, and of which number of hands it takes; in another one everybody is looked at again
    followed INTEGER NOT NULL  -- the number of the last change that is in the marks
);

-- The same as `board_block`, of the people who are listed.
CREATE TABLE listed_block (
    guild INTEGER NOT NULL,
    book INTEGER NOT NULL,
    below INTEGER NOT NULL,
    tie INTEGER NOT NULL,
    people INTEGER NOT NULL,
    PRIMARY KEY (guild, book, below, tie)
) WITHOUT ROWID;

CREATE INDEX full_listed_block ON listed_block (guild, book) WHERE people > 4096;

CREATE TRIGGER listed_gains AFTER INSERT ON player_total WHEN NEW.listed = 1 BEGIN
    INSERT INTO listed_block (guild, book, below, tie, people) VALUES (NEW.guild, NEW.book, -4000000000000000000, 0, 0)
    ON CONFLICT (guild, book, below, tie) DO NOTHING;
    UPDATE listed_block SET people = people + 1 WHERE guild = NEW.guild AND book = NEW.book AND (below, tie) = (
        SELECT below, tie FROM listed_block AS block WHERE guild = NEW.guild AND book = NEW.book
        AND (below, tie) <= (-NEW.counted, NEW."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
END;

CREATE TRIGGER listed_loses AFTER DELETE ON player_total WHEN OLD.listed = 1 BEGIN
    UPDATE listed_block SET people = people - 1 WHERE guild = OLD.guild AND book = OLD.book AND (below, tie) = (
        SELECT below, tie FROM listed_block AS block WHERE guild = OLD.guild AND book = OLD.book
        AND (below, tie) <= (-OLD.counted, OLD."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
END;

CREATE TRIGGER listed_moves AFTER UPDATE ON player_total WHEN (OLD.listed = 1 OR NEW.listed = 1) AND (
    OLD.listed <> NEW.listed OR OLD.counted <> NEW.counted OR OLD."user" <> NEW."user" OR OLD.guild <> NEW.guild OR OLD.book <> NEW.book
) BEGIN
    UPDATE listed_block SET people = people - 1 WHERE OLD.listed = 1 AND guild = OLD.guild AND book = OLD.book AND (below, tie) = (
        SELECT below, tie FROM listed_block AS block WHERE guild = OLD.guild AND book = OLD.book
        AND (below, tie) <= (-OLD.counted, OLD."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
    INSERT INTO listed_block (guild, book, below, tie, people) VALUES (NEW.guild, NEW.book, -4000000000000000000, 0, 0)
    ON CONFLICT (guild, book, below, tie) DO NOTHING;
    UPDATE listed_block SET people = people + 1 WHERE NEW.listed = 1 AND guild = NEW.guild AND book = NEW.book AND (below, tie) = (
        SELECT below, tie FROM listed_block AS block WHERE guild = NEW.guild AND book = NEW.book
        AND (below, tie) <= (-NEW.counted, NEW."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
END;
