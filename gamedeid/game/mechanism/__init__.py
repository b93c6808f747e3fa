"""Mechanisms: a strategy for every profile of the population, which an adversary who has this program can compute."""
