"""The rules of the games, the policies they start from, the solvers, and what becomes of records."""
