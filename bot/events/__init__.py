"""What has a date or an end: nights, sit-and-gos and duels."""
