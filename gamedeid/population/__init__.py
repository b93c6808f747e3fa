"""How many people of the population match a profile at a strategy."""
