"""Chips: accounts and transfers that sum to zero. Pure.

Source: design §3.
"""
