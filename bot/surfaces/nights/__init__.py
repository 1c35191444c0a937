"""Game nights in Discord: their tables, their posts, and what is told of them."""
