"""The explorer: a local page with sliders for the stakes of a scenario, and its server."""
