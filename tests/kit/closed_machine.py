"""Commands where no network is, and as a container runs them: by another user, on a read-only file system."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from other_users import can_be_somebody_else

CONTAINER = """
set -euo pipefail
python=$1 data=$2 user=$3
shift 3

# an interpreter in a folder that others may not enter, such as root's home, is shown at its place, alone
closed= above=$python
while [ "$above" != / ]; do
  [ -n "$(find "$above" -maxdepth 0 -perm -o+x)" ] || closed=$above
  above=$(dirname "$above")
done
if [ -n "$closed" ]; then
  mount --bind "$python" /mnt
  mount -t tmpfs -o mode=755 none "$closed"
  mkdir -p "$python"
  mount --bind /mnt "$python"
  mount -o remount,ro "$closed"
fi

mount --bind "$data" "$data"
mount -o remount,ro,bind /
if [ "$1" = --tmpfs ]; then
  shift
  mount -t tmpfs -o mode=1777 none /tmp
fi
cd "$data"
exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
"""
"""Runs a command as `docker run --network none --read-only --user NUMBER` would; one folder can be written."""


def without_network(
    command: list[str], *, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command where no network is, not even this machine's own; skip where this is impossible."""
    if shutil.which("unshare") is None:
        pytest.skip("no unshare, which shuts the network")
    shut = ["unshare", "--net"] if can_be_somebody_else() else ["unshare", "--map-root-user", "--net"]
    tried = subprocess.run([*shut, "cat", "/proc/net/dev"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"the network cannot be shut here: {tried.stderr.strip()}")
    assert ["lo"] == [line.split(":")[0].strip() for line in tried.stdout.splitlines()[2:]]
    return subprocess.run([*shut, *command], capture_output=True, text=True, check=False, cwd=cwd, env=env)


def in_a_container(
    command: list[str], *, data: Path, env: Mapping[str, str], user: int, tmpfs: bool
) -> subprocess.CompletedProcess[str]:
    """Run a command as a user without an account, without a network, where nothing but a folder can be written.

    Only root can make such a place; elsewhere, or where mounts are forbidden, the test is skipped.

    Parameters
    ----------
    command : with a program that everybody may read.
    data : the folder, which is given to the user; it is the working directory.
    env : all variables that the command sees.
    user : the number of the user.
    tmpfs : whether `/tmp` is a file system in memory, as with `--tmpfs /tmp`; else nothing can be written there either.
    """
    if not can_be_somebody_else() or any(shutil.which(name) is None for name in ("unshare", "setpriv", "mount")):
        pytest.skip("only root, with unshare, setpriv and mount, can run a command as a container does")
    os.chown(data, user, user)
    python = os.path.realpath(sys.base_prefix)
    shut = ["unshare", "--net", "--mount", "bash", "-c", CONTAINER, "container", python, str(data), str(user)]
    if tmpfs:
        shut.append("--tmpfs")
    tried = subprocess.run([*shut, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"nothing can be mounted here: {tried.stderr.strip()}")
    return subprocess.run([*shut, *command], capture_output=True, text=True, check=False, env=dict(env))
