-- Whose turn it is to identify a connection to the gateway, by group of shards.
CREATE TABLE identify_turn (
    shards INTEGER PRIMARY KEY,  -- which of the groups that Discord lets identify at the same time
    holder TEXT NOT NULL,
    until TIMESTAMPTZ NOT NULL   -- nobody else has a turn before
);
