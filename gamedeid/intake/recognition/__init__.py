"""Recognition of each column of a file: by its name, its values and their counts."""
