"""One attribute's hierarchy, and all of them together: the lattice of strategies."""
