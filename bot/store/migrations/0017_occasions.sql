-- Nights, sit-and-gos and duels. Each has a journal of its own beside those of tables; it is played at one table at a time, or at none yet.
CREATE TABLE occasion (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice
    guild INTEGER NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
    table_id INTEGER NOT NULL,  -- the table that it is played at; 0 for none
    opened_by INTEGER NOT NULL, -- the number of the cause that opened it
    opened_at INTEGER NOT NULL,
    closed_at INTEGER
);

CREATE INDEX open_occasions ON occasion (guild, kind, id) WHERE state = 'open';
CREATE INDEX occasion_of_table ON occasion (table_id) WHERE table_id > 0;
CREATE INDEX occasion_of_cause ON occasion (opened_by);

-- The events of one command, the first of them numbered seq. The key is also the fence against a second owner.
CREATE TABLE occasion_event (
    guild INTEGER NOT NULL,
    occasion INTEGER NOT NULL REFERENCES occasion (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    count INTEGER NOT NULL CHECK (count > 0),
    cause INTEGER NOT NULL,
    blob BLOB NOT NULL,
    PRIMARY KEY (guild, occasion, seq)
) WITHOUT ROWID;

CREATE TRIGGER occasion_event_stands BEFORE UPDATE ON occasion_event
    WHEN NOT may_exchange('occasion', OLD.occasion, OLD.seq)
      OR (NEW.guild, NEW.occasion, NEW.seq, NEW.count, NEW.cause) <> (OLD.guild, OLD.occasion, OLD.seq, OLD.count, OLD.cause)
    BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER occasion_event_stays BEFORE DELETE ON occasion_event BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
CREATE TRIGGER occasion_stays BEFORE DELETE ON occasion BEGIN SELECT RAISE(ABORT, 'an occasion is never deleted'); END;
