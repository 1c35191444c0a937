-- The number of the event with which the newest row begins that holds all that an occasion is by then; 0 for none. A start reads from there.
ALTER TABLE occasion ADD COLUMN kept_seq INTEGER NOT NULL DEFAULT 0;
