-- What the program of a process knows. One that is so new that it cannot run beside this does not start.
ALTER TABLE process ADD COLUMN knows INTEGER NOT NULL DEFAULT 16;        -- the last migration of slots
ALTER TABLE process ADD COLUMN knows_house INTEGER NOT NULL DEFAULT 14;  -- the last text of this folder
