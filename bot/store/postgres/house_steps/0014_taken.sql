-- The seats that persons have, and the tables that they host, with all dealers. A dealer replaces those of its slot when it starts.
CREATE TABLE taken (
    slot INTEGER NOT NULL,
    card_table BIGINT NOT NULL,  -- below 0: it is being opened
    "user" BIGINT NOT NULL,
    kind TEXT NOT NULL,
    channel BIGINT NOT NULL,
    PRIMARY KEY (slot, card_table, "user", kind)
);
CREATE INDEX taken_by_user ON taken ("user");
