"""Faults planted at random in the program: which of them do the tests of their own room see?

The tools that there are do not fit: mutmut leaves out decorated functions, and what stands outside of functions, which here is every
command, counter and declared table; cosmic-ray writes into the working tree, and has one command of tests for all faults.
"""
