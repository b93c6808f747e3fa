"""What a file holds, before a scenario says so."""
