"""Where the rows are, who counts them, and who puts the answer beside them."""
