"""One question, validated: sections of a file, the stakes, and the values that they may take."""
