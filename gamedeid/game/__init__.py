"""Who plays what: the rules of the games, the policies they start from, and what a strategy comes to."""
