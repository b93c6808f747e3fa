"""Where the page may write: below one folder, which whoever started the explorer chose."""

from pathlib import Path

from gamedeid.errors import OutputError, quoted
from gamedeid.results.staging import reason_of
from gamedeid.scenario.texts import is_writable


def permitted_path(root: Path, asked: object, *, suffix: str = "") -> Path:
    """Return the path that the page asks for, without symbolic links on the way to it.

    Parameters
    ----------
    root : folder below which it must be.
    asked : a path that starts from ``root``, or an absolute one.
    suffix : how the name must end, such as ".toml".

    Raises
    ------
    OutputError : it is not below ``root``, its folder is not there, or it is a symbolic link itself.
    """
    if not isinstance(asked, str) or not asked.strip() or not is_writable(asked):
        raise OutputError(f"expected a path below {root}, not {quoted(asked)}")
    path = root / asked.strip()
    if path.name in {"", "..", "."} or path.suffix.lower() != (suffix or path.suffix.lower()):
        raise OutputError(f"expected the name of a{' ' + suffix if suffix else ''} file or folder, not {quoted(asked)}")
    try:
        folder = path.parent.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: links that go in circles
        raise OutputError(f"{quoted(asked)}: there is no such folder below {root}; create it first") from None
    if not folder.is_relative_to(root.resolve()):
        raise OutputError(f"{quoted(asked)} is not below {root}, and the explorer writes nowhere else")
    found = folder / path.name
    try:
        linked = found.is_symlink()
    except OSError as error:
        raise OutputError(f"cannot write {quoted(asked)}: {reason_of(error)}") from None
    if linked:
        raise OutputError(f"{quoted(asked)} is a symbolic link; choose another name")
    return found
