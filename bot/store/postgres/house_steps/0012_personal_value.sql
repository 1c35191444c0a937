-- What is kept about persons in all servers: what they prefer, and the channels of their direct messages.
CREATE TABLE personal_value (
    key TEXT COLLATE "C" PRIMARY KEY,
    value BYTEA,                 -- NULL: deleted, until every dealer has heard of it
    change BIGINT NOT NULL,      -- the number of the change, in the order in which they were saved
    at TIMESTAMPTZ NOT NULL
);
CREATE INDEX personal_value_change ON personal_value (change);
CREATE TABLE personal_change (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    number BIGINT NOT NULL,      -- of the newest change
    forgotten BIGINT NOT NULL    -- of the newest deletion of which nothing is left
);
INSERT INTO personal_change VALUES (1, 0, 0);
