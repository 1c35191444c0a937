-- People who had their data deleted. A pseudonym, smaller than any id of Discord's, stands for each in a server's books and journals.
CREATE TABLE former_player (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    at INTEGER NOT NULL
);

-- When they had claimed gifts, under a mark that nobody can make without the master secret: coming back brings no second grant.
CREATE TABLE claim_floor (
    mark BLOB PRIMARY KEY,
    granted_at INTEGER NOT NULL,
    day INTEGER NOT NULL,
    relief_at INTEGER NOT NULL
) WITHOUT ROWID;
