"""Adapters for other libraries, each an extra."""
