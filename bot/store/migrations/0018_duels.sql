-- Duels that somebody has won, a row for each of the two: how often they have won and lost. A person's rows go with their data.
CREATE TABLE duel_result (
    guild INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    occasion INTEGER NOT NULL REFERENCES occasion (id),
    won INTEGER NOT NULL CHECK (won IN (0, 1)),
    chips INTEGER NOT NULL CHECK (chips >= 0), -- what each has paid; 0 for honour
    PRIMARY KEY (guild, "user", occasion)
) WITHOUT ROWID;
