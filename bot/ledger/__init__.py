"""Chips as accounts and transfers that sum to zero, and the gifts of the house. Pure functions over plain values."""
