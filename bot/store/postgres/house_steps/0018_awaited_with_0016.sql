-- Whom tables wait for whose turns can take hours, with all dealers. A dealer replaces those of its slot when it starts.
CREATE TABLE awaited (
    slot INTEGER NOT NULL,
    card_table BIGINT NOT NULL,
    "user" BIGINT NOT NULL,
    guild BIGINT NOT NULL,
    channel BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,  -- in ms since the epoch
    PRIMARY KEY (slot, card_table, "user")
);
CREATE INDEX awaited_by_user ON awaited ("user");
