"""Re-identification risk by the measures of the literature, one question to a file."""
