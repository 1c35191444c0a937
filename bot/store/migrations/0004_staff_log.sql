-- What staff did and what players reported, line by line. A ban ends, and a report is done, by a line of its own.
CREATE TABLE staff_log (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    cause INTEGER NOT NULL REFERENCES cause (id),
    at INTEGER NOT NULL,
    who INTEGER NOT NULL,
    kind TEXT NOT NULL,
    about INTEGER NOT NULL,     -- the user whom it concerns; 0 for nobody
    answers INTEGER NOT NULL,   -- the line that it settles; 0 for none
    table_id INTEGER NOT NULL,  -- 0 for none
    blob BLOB NOT NULL
);

CREATE INDEX staff_log_of_guild ON staff_log (guild, id);
CREATE INDEX staff_log_of_kind ON staff_log (kind, guild, about, id);
CREATE INDEX staff_log_answered ON staff_log (answers) WHERE answers > 0;
CREATE INDEX staff_log_of_cause ON staff_log (cause);

CREATE TRIGGER staff_log_stands BEFORE UPDATE ON staff_log BEGIN SELECT RAISE(ABORT, 'a line of the staff log is never changed'); END;
CREATE TRIGGER staff_log_stays BEFORE DELETE ON staff_log BEGIN SELECT RAISE(ABORT, 'a line of the staff log is never deleted'); END;
