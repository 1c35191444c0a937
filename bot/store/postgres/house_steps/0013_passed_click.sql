-- Clicks in direct messages on their way to the dealer of their table, for three seconds. They hold tokens, and are worth no log.
CREATE UNLOGGED TABLE passed_click (
    interaction BIGINT PRIMARY KEY,
    slot INTEGER,               -- NULL: whoever knows it takes it
    event BYTEA NOT NULL,
    at TIMESTAMPTZ NOT NULL
);
