"""The fuzz run: random inputs, mostly invalid, and the promises that must hold for all of them."""
