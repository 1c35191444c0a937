-- Only those who are invited can see what was played at a private table.
ALTER TABLE card_table ADD COLUMN private INTEGER NOT NULL DEFAULT 0;

-- The people of a private table: its host and those invited. Somebody whom the host removed can see the hands up to `last_hand`.
CREATE TABLE table_guest (
    table_id INTEGER NOT NULL REFERENCES card_table (id),
    user INTEGER NOT NULL,
    last_hand INTEGER NOT NULL,
    PRIMARY KEY (table_id, user)
) WITHOUT ROWID;
