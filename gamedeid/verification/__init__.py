"""Verification of a folder of results, by code that shares nothing with the code that made it."""
