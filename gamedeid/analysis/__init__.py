"""How the answer compares with others and how it moves: policies, solvers, stakes, and what summaries tell of it."""
