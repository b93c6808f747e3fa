"""How many people sex, place and birth single out, by counts of a census."""
