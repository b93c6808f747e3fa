"""Commands of gamedeid on a Python that lacks what only POSIX systems have.

Run as a program, with the commands as JSON, each a list of words. It ends after the first that fails, with its code.
It shows what the code calls, and not what Windows does: encodings, paths and locked files are those of this system.
"""

import json
import os
import signal
import sys
from typing import Any

_MODULES = ("fcntl", "grp", "pwd", "resource", "syslog", "termios")

_OF_OS = (
    *("chown", "fchmod", "fchown", "fork", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getpgrp"),
    *("getuid", "get_blocking", "killpg", "lchown", "mkfifo", "nice", "openpty", "posix_fadvise"),
    *("sched_getaffinity", "set_blocking", "statvfs", "sysconf", "ttyname", "wait3", "wait4"),
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_SYNC"),
)

_OF_SIGNAL = (
    *("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGUSR1", "SIGUSR2", "ITIMER_REAL"),
    *("alarm", "getitimer", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"),
)

_open, _link, _rename = os.open, os.link, os.rename
_set_blocking, _set_wakeup_fd = os.set_blocking, signal.set_wakeup_fd


def _open_no_folder(path: Any, flags: int, mode: int = 0o777) -> int:
    """Open a file; Windows opens no folder, and none relative to another one."""
    if os.path.isdir(path):  # noqa: PTH112  (a path may be bytes)
        raise PermissionError(13, "Permission denied", path)
    return _open(path, flags, mode)


def _link_as_is(source: Any, target: Any, *, follow_symlinks: bool = True) -> None:
    """Make a hard link; Windows does not know what a link to a link would be."""
    if not follow_symlinks:
        raise NotImplementedError("link: follow_symlinks unavailable on this platform")
    _link(source, target)


def _rename_to_new(source: Any, target: Any) -> None:
    """Rename to a name that is free, as Windows does."""
    if os.path.lexists(target):
        raise FileExistsError(17, "File exists", source, target)
    _rename(source, target)


def _wake_by_any_pipe(descriptor: int, **options: Any) -> int:
    """Take any pipe for signals, as Windows does; POSIX wants one that does not block."""
    if descriptor >= 0:
        _set_blocking(descriptor, False)  # noqa: FBT003
    return _set_wakeup_fd(descriptor, **options)


def main() -> int:
    """Take these things away, run the commands, and return the exit code of the last."""
    for module in _MODULES:
        sys.modules[module] = None  # type: ignore[assignment]
    for name in _OF_OS:
        delattr(os, name)
    for name in _OF_SIGNAL:
        delattr(signal, name)
    os.open, os.link, os.rename = _open_no_folder, _link_as_is, _rename_to_new  # type: ignore[assignment]
    signal.set_wakeup_fd = _wake_by_any_pipe
    from gamedeid.cli.entry_point import run_command  # noqa: PLC0415  (after all that)

    return next(filter(None, map(run_command, json.loads(sys.argv[1]))), 0)


if __name__ == "__main__":
    sys.exit(main())
