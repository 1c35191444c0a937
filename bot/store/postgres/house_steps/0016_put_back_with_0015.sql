-- Whether what is kept about persons was put back from a copy, and nothing has changed since: then a newer copy replaces it.
ALTER TABLE personal_change ADD COLUMN put_back BIGINT NOT NULL DEFAULT 0;   -- the number of the change that put it back
ALTER TABLE personal_change ADD COLUMN copied_at BIGINT NOT NULL DEFAULT 0;  -- when it had been copied, in ms since the epoch
