"""Results to pictures: first a description that any library can draw, then the drawings."""
