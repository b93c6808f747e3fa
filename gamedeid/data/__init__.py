"""From files and frames to small integers, and the answer back to the rows."""
