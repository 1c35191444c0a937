-- The processes that deal or stand by, as each says of itself every few seconds.
CREATE TABLE process (
    name TEXT PRIMARY KEY,             -- process 12 of a machine
    version TEXT NOT NULL,             -- of its program
    slot INTEGER,                      -- which it serves; NULL: it waits for one
    watches INTEGER,                   -- whose events it hears while it waits
    since TIMESTAMPTZ NOT NULL,        -- when it began to do so
    seen TIMESTAMPTZ NOT NULL,         -- when it said so last, by the database's clock
    tables INTEGER NOT NULL,           -- open ones
    hands INTEGER NOT NULL,            -- that run
    clock DOUBLE PRECISION NOT NULL    -- by how many seconds its machine's clock is ahead of the database's
);
