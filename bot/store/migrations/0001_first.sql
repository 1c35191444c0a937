-- Chips and the journal. Times are ms since the epoch; ids of servers, channels and users are Discord's.
-- No card and no seed is stored: events name cards by their place in the deck.

CREATE TABLE guild (
    id INTEGER PRIMARY KEY,
    tables INTEGER NOT NULL DEFAULT 0,  -- the last table number given
    rules BLOB                          -- what staff have set, as JSON; NULL: nothing
);

CREATE TABLE card_table (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice
    guild INTEGER NOT NULL REFERENCES guild (id),
    number INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    settings BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
    opened_at INTEGER NOT NULL,
    closed_at INTEGER,
    UNIQUE (guild, number)
);

CREATE UNIQUE INDEX one_open_table_a_channel ON card_table (guild, channel) WHERE state = 'open';

-- Why something changed. The key is unique, so a repeated click is answered and not applied twice.
CREATE TABLE cause (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    guild INTEGER NOT NULL,
    who INTEGER NOT NULL,
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    table_id INTEGER NOT NULL,  -- this and the next two answer a repetition; 0 for none
    number INTEGER NOT NULL,
    seq INTEGER NOT NULL
);

-- The events of one command, the first of them numbered seq. The key is also the fence against a second owner of the table:
-- whoever has not seen this row would write the same seq.
CREATE TABLE event (
    table_id INTEGER NOT NULL REFERENCES card_table (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    count INTEGER NOT NULL CHECK (count > 0),
    cause INTEGER NOT NULL REFERENCES cause (id),
    blob BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

CREATE TABLE hand (
    table_id INTEGER NOT NULL REFERENCES card_table (id),
    number INTEGER NOT NULL CHECK (number > 0),
    seq INTEGER NOT NULL,  -- of its first event
    nonce BLOB NOT NULL,
    started_at INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;

-- The last snapshot of a table; seq is the first event that is not in it.
CREATE TABLE snapshot (
    table_id INTEGER PRIMARY KEY REFERENCES card_table (id),
    seq INTEGER NOT NULL,
    blob BLOB NOT NULL
);

-- Chips that moved, from debit to credit. The kinds are those of bot.ledger.accounts.
CREATE TABLE transfer (
    guild INTEGER NOT NULL,
    cause INTEGER NOT NULL REFERENCES cause (id),
    part INTEGER NOT NULL,  -- counts the transfers of one cause from 0
    chips INTEGER NOT NULL CHECK (chips BETWEEN 1 AND 1000000000000),
    reason TEXT NOT NULL,
    debit_kind INTEGER NOT NULL,
    debit_table INTEGER NOT NULL,
    debit_user INTEGER NOT NULL,
    credit_kind INTEGER NOT NULL,
    credit_table INTEGER NOT NULL,
    credit_user INTEGER NOT NULL,
    note TEXT NOT NULL,
    wallet INTEGER NOT NULL,  -- kind of the wallet it touched, 0 for none: only those are in a personal history
    owner INTEGER NOT NULL,   -- whose wallet
    CHECK ((debit_kind < 10) = (credit_kind < 10)),  -- people's chips and practice chips never mix
    PRIMARY KEY (guild, cause, part)  -- a server's transfers lie together: an audit reads no others
) WITHOUT ROWID;

CREATE INDEX wallet_history ON transfer (guild, wallet, owner, cause, part) WHERE wallet > 0;

-- The sum of the transfers of each account, kept in the same transaction. Only a mint may owe.
CREATE TABLE balance (
    guild INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    user INTEGER NOT NULL,
    chips INTEGER NOT NULL CHECK (chips >= 0 OR kind IN (1, 11)),
    staked INTEGER NOT NULL DEFAULT 0 CHECK (staked >= 0),  -- seats: own chips in the pot
    PRIMARY KEY (guild, kind, table_id, user)
) WITHOUT ROWID;

-- What the house has given a player; book 0 is people's, 10 the practice tables'.
CREATE TABLE claim (
    guild INTEGER NOT NULL,
    book INTEGER NOT NULL,
    user INTEGER NOT NULL,
    granted_at INTEGER NOT NULL,
    day INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    relief_at INTEGER NOT NULL,
    PRIMARY KEY (guild, book, user)
) WITHOUT ROWID;

CREATE TABLE kept (
    key TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- What has been written stands. Corrections are new transfers.
CREATE TRIGGER transfer_stands BEFORE UPDATE ON transfer BEGIN SELECT RAISE(ABORT, 'a transfer is never changed'); END;
CREATE TRIGGER transfer_stays BEFORE DELETE ON transfer BEGIN SELECT RAISE(ABORT, 'a transfer is never deleted'); END;
CREATE TRIGGER event_stands BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
