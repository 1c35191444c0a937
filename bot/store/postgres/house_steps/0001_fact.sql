-- What all dealers of a bot must agree on, one row.
CREATE TABLE fact (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    slots INTEGER NOT NULL CHECK (slots IN (1, 2, 4, 8, 16)),  -- into how many schemas the servers are dealt out
    shards INTEGER NOT NULL,                                   -- connections to the gateway in all; 0: nobody has asked Discord yet
    secret BYTEA                                               -- the fingerprint of the master secret; NULL: nobody has dealt yet
);
INSERT INTO fact VALUES (1, 1, 0, NULL);
