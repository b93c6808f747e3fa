"""What each column of a file is: by its name, its values and how often they stand there."""
