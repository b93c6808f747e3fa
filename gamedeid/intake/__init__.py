"""What a file holds, and how it can be released, before a scenario exists."""
