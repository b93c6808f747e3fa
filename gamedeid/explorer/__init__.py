"""The explorer: a page on this computer in which the stakes of a scenario are turned, and what stands behind it."""
