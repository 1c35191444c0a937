"""Evenings with a date, and what has a winner: schedules, answers, standings, prizes. Pure: values in, values out."""
