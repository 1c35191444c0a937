-- How many requests by the bot's token its dealers can make, all together: one row, which whoever finds it missing puts back. It is not
-- worth a log: after a crash of the server the table is empty.
CREATE UNLOGGED TABLE request_bucket (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    tokens DOUBLE PRECISION NOT NULL,  -- at that time; it fills up by itself
    at TIMESTAMPTZ NOT NULL
);
