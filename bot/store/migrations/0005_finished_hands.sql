-- A hand that is over becomes one row: its events and their causes, compressed. See bot/store/finished_hands.py.
-- The function may_exchange exists only on the dealer's own writing connection, and says yes only while a checked exchange runs.

CREATE TABLE stored_part (
    id INTEGER PRIMARY KEY,
    sha256 BLOB NOT NULL UNIQUE,
    blob BLOB NOT NULL  -- a rule card, or the settings of a table: long, and the same in many rows
);

CREATE TABLE dictionary (
    id INTEGER PRIMARY KEY,  -- its version; a blob names the one that reads it
    blob BLOB NOT NULL       -- never changed, so that old hands can always be read
);

CREATE TABLE finished_hand (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES card_table (id),
    seq INTEGER NOT NULL,    -- of the first event in it
    count INTEGER NOT NULL CHECK (count > 0),
    format INTEGER NOT NULL,
    dictionary INTEGER NOT NULL REFERENCES dictionary (id),
    card INTEGER REFERENCES stored_part (id),  -- the rule card that is left out of the blob; NULL: nothing is
    blob BLOB NOT NULL,
    UNIQUE (table_id, seq)
);

ALTER TABLE snapshot ADD COLUMN part INTEGER REFERENCES stored_part (id);  -- what is left out of the blob; NULL: nothing is
ALTER TABLE snapshot ADD COLUMN part_at INTEGER NOT NULL DEFAULT 0;        -- and where it belongs

-- The key of a cause is dropped after a day; who, when and what stay.
CREATE TABLE new_cause (
    id INTEGER PRIMARY KEY,
    key TEXT,
    guild INTEGER NOT NULL,
    who INTEGER NOT NULL,
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    table_id INTEGER NOT NULL,  -- this and the next two answer a repetition; 0 for none
    number INTEGER NOT NULL,
    seq INTEGER NOT NULL
);
INSERT INTO new_cause SELECT id, key, guild, who, at, what, table_id, number, seq FROM cause;
DROP TABLE cause;
ALTER TABLE new_cause RENAME TO cause;
CREATE UNIQUE INDEX cause_key ON cause (key) WHERE key IS NOT NULL;

DROP TRIGGER event_stands;
DROP TRIGGER event_stays;
CREATE TRIGGER event_follows BEFORE INSERT ON event
    WHEN NEW.seq < (SELECT seq + count FROM event WHERE table_id = NEW.table_id ORDER BY seq DESC LIMIT 1)
      OR NEW.seq < (SELECT seq + count FROM finished_hand WHERE table_id = NEW.table_id ORDER BY seq DESC LIMIT 1)
    BEGIN SELECT RAISE(ABORT, 'an event only follows the last one'); END;
CREATE TRIGGER event_stands BEFORE UPDATE ON event WHEN NOT may_exchange('event', OLD.table_id, OLD.seq)
    BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event
    WHEN NOT may_exchange('event', OLD.table_id, OLD.seq) OR OLD.seq + OLD.count > coalesce((
        SELECT seq + count FROM finished_hand WHERE table_id = OLD.table_id AND seq <= OLD.seq ORDER BY seq DESC LIMIT 1
    ), 0)
    BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;

CREATE TRIGGER finished_hand_is_checked BEFORE INSERT ON finished_hand
    WHEN NOT may_exchange('hand', NEW.table_id, NEW.seq)
      OR EXISTS (SELECT 1 FROM finished_hand WHERE table_id = NEW.table_id AND seq = NEW.seq)
    BEGIN SELECT RAISE(ABORT, 'a finished hand is only stored by a checked exchange'); END;
CREATE TRIGGER finished_hand_stands BEFORE UPDATE ON finished_hand WHEN NOT may_exchange('hand', OLD.table_id, OLD.seq)
    BEGIN SELECT RAISE(ABORT, 'a finished hand is never changed'); END;
CREATE TRIGGER finished_hand_stays BEFORE DELETE ON finished_hand WHEN NOT may_exchange('old hand', OLD.table_id, OLD.seq)
    BEGIN SELECT RAISE(ABORT, 'a finished hand is never deleted'); END;

CREATE TRIGGER cause_stands BEFORE UPDATE ON cause
    WHEN NEW.key IS NOT NULL OR NEW.id <> OLD.id OR NEW.guild <> OLD.guild OR NEW.at <> OLD.at OR NEW.what <> OLD.what
      OR NEW.table_id <> OLD.table_id OR NEW.who <> OLD.who AND NOT may_exchange('person', OLD.who, NEW.who)
    BEGIN SELECT RAISE(ABORT, 'who, when and what never change'); END;
CREATE TRIGGER cause_stays BEFORE DELETE ON cause
    WHEN NOT may_exchange('cause', OLD.id, 0)
      OR EXISTS (SELECT 1 FROM transfer WHERE guild = OLD.guild AND cause = OLD.id)
      OR EXISTS (SELECT 1 FROM staff_log WHERE cause = OLD.id)
      OR EXISTS (SELECT 1 FROM event WHERE table_id = OLD.table_id AND cause = OLD.id)
    BEGIN SELECT RAISE(ABORT, 'a cause is never deleted'); END;
