-- Table chips: each game has a mint of its own, which owes what its players have bought (kind 21). Everything else is as it was.
CREATE TABLE balance_with_games (
    guild INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    chips INTEGER NOT NULL CHECK (chips >= 0 OR kind IN (1, 11, 21)),
    staked INTEGER NOT NULL DEFAULT 0 CHECK (staked >= 0),  -- seats: own chips in the pot
    PRIMARY KEY (guild, kind, table_id, "user")
) WITHOUT ROWID;

INSERT INTO balance_with_games (guild, kind, table_id, "user", chips, staked)
SELECT guild, kind, table_id, "user", chips, staked FROM balance;

DROP TABLE balance;
ALTER TABLE balance_with_games RENAME TO balance;

CREATE INDEX seats_of_player ON balance (guild, "user", kind) WHERE table_id > 0;

-- Table chips never leave their own game, and no other chips come to it.
CREATE TRIGGER transfer_stays_in_its_game BEFORE INSERT ON transfer
    WHEN (NEW.debit_kind > 20 OR NEW.credit_kind > 20)
        AND (NEW.debit_kind < 20 OR NEW.credit_kind < 20 OR NEW.debit_table <> NEW.credit_table OR NEW.debit_table = 0)
    BEGIN SELECT RAISE(ABORT, 'table chips stay in their game'); END;
