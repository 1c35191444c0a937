"""Every sentence shown to people, in one catalogue. English is the source; other languages are translations of it."""
