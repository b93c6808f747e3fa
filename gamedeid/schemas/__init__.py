"""JSON Schemas of every output and of the scenario: the keys that only they need, and the list of all."""
