"""What ``gamedeid --version`` says."""

from gamedeid._version import __version__


def version_line() -> str:
    """Return the name and the version of the package."""
    return f"gamedeid {__version__}"
