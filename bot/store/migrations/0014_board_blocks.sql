-- How many people are in each part of a leaderboard, so that a rank, or a page far down, is found without counting everybody. A block begins
-- with the chips and the tie, and goes as far as the next one; people are ordered by the chips that count, the most first, then by id. `below`
-- is less than 0: the chips with a minus, so that both columns go upwards. A tie lies between two ids and is nobody's. `bot/store/board.py`
-- splits full blocks.
CREATE TABLE board_block (
    guild INTEGER NOT NULL,
    book INTEGER NOT NULL,
    below INTEGER NOT NULL,
    tie INTEGER NOT NULL,
    people INTEGER NOT NULL,
    PRIMARY KEY (guild, book, below, tie)
) WITHOUT ROWID;

INSERT INTO board_block (guild, book, below, tie, people)
SELECT guild, book, -4000000000000000000, 0, count(*) FROM player_total GROUP BY guild, book;

CREATE INDEX full_block ON board_block (guild, book) WHERE people > 4096;

CREATE TRIGGER board_gains AFTER INSERT ON player_total BEGIN
    INSERT INTO board_block (guild, book, below, tie, people) VALUES (NEW.guild, NEW.book, -4000000000000000000, 0, 0)
    ON CONFLICT (guild, book, below, tie) DO NOTHING;
    UPDATE board_block SET people = people + 1 WHERE guild = NEW.guild AND book = NEW.book AND (below, tie) = (
        SELECT below, tie FROM board_block AS block WHERE guild = NEW.guild AND book = NEW.book
        AND (below, tie) <= (-NEW.counted, NEW."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
END;

CREATE TRIGGER board_loses AFTER DELETE ON player_total BEGIN
    UPDATE board_block SET people = people - 1 WHERE guild = OLD.guild AND book = OLD.book AND (below, tie) = (
        SELECT below, tie FROM board_block AS block WHERE guild = OLD.guild AND book = OLD.book
        AND (below, tie) <= (-OLD.counted, OLD."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
END;

CREATE TRIGGER board_moves AFTER UPDATE ON player_total
    WHEN OLD.counted <> NEW.counted OR OLD."user" <> NEW."user" OR OLD.guild <> NEW.guild OR OLD.book <> NEW.book
BEGIN
    UPDATE board_block SET people = people - 1 WHERE guild = OLD.guild AND book = OLD.book AND (below, tie) = (
        SELECT below, tie FROM board_block AS block WHERE guild = OLD.guild AND book = OLD.book
        AND (below, tie) <= (-OLD.counted, OLD."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
    UPDATE board_block SET people = people + 1 WHERE guild = NEW.guild AND book = NEW.book AND (below, tie) = (
        SELECT below, tie FROM board_block AS block WHERE guild = NEW.guild AND book = NEW.book
        AND (below, tie) <= (-NEW.counted, NEW."user") ORDER BY below DESC, tie DESC LIMIT 1
    );
END;
