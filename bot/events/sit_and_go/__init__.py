"""Sit-and-gos: tournaments of one table, by tournament law. Laws: SG-1 to SG-15."""
