-- What all dealers together can do of something that Discord limits: a row for each limit, which whoever finds it missing puts back. It is
-- not worth a log: after a crash of the server the table is empty.
CREATE UNLOGGED TABLE bucket (
    name TEXT PRIMARY KEY,
    tokens DOUBLE PRECISION NOT NULL,  -- at that time; it fills up by itself
    at TIMESTAMPTZ NOT NULL
);
INSERT INTO bucket VALUES ('requests', 5, clock_timestamp()), ('dm channels', 6, clock_timestamp());
