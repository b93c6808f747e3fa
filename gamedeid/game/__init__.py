"""The rules of the games, the policies they start from, the solvers, and the outcomes of records."""
