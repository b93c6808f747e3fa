"""JSON Schemas of every output and of the scenario: documents without a result class, and the list of all."""
