-- Who has won how many chips from whom, net, in hands that counted and in corrections of stacks. Each pair has two rows that sum to zero.
-- It is kept from now on: what was won before was won before the rules that ask for it.
CREATE TABLE flow (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    other INTEGER NOT NULL,
    chips INTEGER NOT NULL,  -- what `user` has won from `other`; below zero what they have lost to them
    PRIMARY KEY (guild, user, other)
) WITHOUT ROWID;
