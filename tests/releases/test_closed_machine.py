"""Does gamedeid install and run without a network, and in a container as in the Dockerfile?"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from other_users import can_change_user
from release_tools import ROOT, marked_commands, tool, unpacked_sdist

import gamedeid

pytestmark = pytest.mark.releases

PAGE = ROOT / "docs" / "howto" / "install.md"
BARE = {
    "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_NO_COMPILE": "0",
}
"""Environment in which pip finds packages only by the page's options; it does not compile code that runs once.

pip wants a false value for an option that is a refusal: `1` compiles.
"""
BESIDE_TMP = Path("/var/tmp")  # noqa: S108  (a container's own /tmp must not hide it; the folder's name is random)
ANSWER = "Expected re-identifications of Safe Harbor: 5.2 if the recipient counts matching"


@dataclass
class Room:
    """A folder that every user may enter, with what the page's commands leave there."""

    folder: Path
    installed: subprocess.CompletedProcess[str] = field(init=False)

    @property
    def wheels(self) -> Path:
        return self.folder / "wheels"

    @property
    def sources(self) -> Path:
        return self.folder / f"gamedeid-{gamedeid.__version__}"


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    """Follow the page: collect the wheels with a network, check and install them without one."""
    folder = Path(tempfile.mkdtemp(prefix="gamedeid-", dir=BESIDE_TMP if BESIDE_TMP.is_dir() else None))
    try:
        folder.chmod(0o755)
        made = Room(folder)
        shell = ["bash", "-euo", "pipefail", "-c"]
        unpacked_sdist(folder)
        subprocess.run([*shell, marked_commands(PAGE, "collect")], cwd=made.sources, check=True, capture_output=True)
        (made.sources / "wheels").rename(made.wheels)
        made.installed = without_network([*shell, marked_commands(PAGE, "install")], cwd=folder, env=BARE)
        yield made
    finally:
        shutil.rmtree(folder)


def test_the_commands_of_the_page_install_and_answer_without_a_network(room):
    assert 0 == room.installed.returncode, room.installed.stderr
    assert ANSWER in room.installed.stdout


def test_a_wheel_that_was_changed_on_the_way_is_not_installed(room):
    folder = room.folder / "changed"  # on the same disk, for links
    shutil.copytree(room.wheels, folder / "wheels", copy_function=os.link)
    (changed,) = (folder / "wheels").glob("gamedeid-*.whl")
    content = changed.read_bytes()
    changed.unlink()
    changed.write_bytes(content + b"!")
    commands = marked_commands(PAGE, "install")
    done = without_network(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=BARE)
    assert 0 != done.returncode
    assert f"{changed.name}: FAILED" in done.stdout
    assert not (folder / ".venv").exists()


def test_the_command_of_the_page_runs_the_built_wheel_by_uvx_without_a_network(room):
    folders = {"HOME": str(room.folder / "home"), "UV_CACHE_DIR": str(room.folder / "uv")}
    env = BARE | folders | {"PATH": f"{Path(tool('uvx')).parent}:{BARE['PATH']}", "UV_PYTHON": sys.executable}
    done = without_network(["bash", "-euc", marked_commands(PAGE, "uvx")], cwd=room.folder, env=env)
    assert 0 == done.returncode, done.stderr
    assert ANSWER in done.stdout


# --- as a container ---------------------------------------------------------------------------------------------------


@dataclass
class LastStage:
    """What the last stage of the Dockerfile says, one instruction at a time."""

    lines: list[str]

    def words(self, instruction: str) -> str:
        """Return the words of an instruction that occurs once."""
        (found,) = (line.partition(" ")[2] for line in self.lines if line.startswith(f"{instruction} "))
        return found.strip()

    def environment(self, program: Path) -> dict[str, str]:
        said = re.findall(r"(\w+)=(\S+)", self.words("ENV"))
        return {key: value.replace("/opt/gamedeid", str(program)).replace("$PATH", BARE["PATH"]) for key, value in said}


def instructions() -> list[str]:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    without_comments = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [line for line in without_comments.replace("\\\n", " ").splitlines() if line.strip()]


def last_stage() -> LastStage:
    lines = instructions()
    return LastStage(lines[max(number for number, line in enumerate(lines) if line.startswith("FROM ")) + 1 :])


def test_the_dockerfile_is_good_practice_in_the_eyes_of_hadolint():
    done = subprocess.run([tool("hadolint"), str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stdout)


def test_the_image_runs_gamedeid_by_a_numbered_user_who_is_not_root():
    stage = last_stage()
    user, group = map(int, stage.words("USER").split(":"))
    assert min(user, group) > 0
    assert '["gamedeid"]' == stage.words("ENTRYPOINT")
    assert stage.lines.index(f"USER {user}:{group}") < stage.lines.index('ENTRYPOINT ["gamedeid"]')


def test_the_image_fetches_nothing_in_its_last_stage_and_holds_no_secret():
    assert set() == {line.split()[0] for line in last_stage().lines} & {"RUN", "ADD", "ARG", "VOLUME", "EXPOSE"}
    words = re.findall(r"\w*(?:TOKEN|SECRET|PASSWORD|CREDENTIAL|API_?KEY)\w*", "\n".join(instructions()), re.IGNORECASE)
    assert [] == words


def test_the_build_context_has_only_what_the_first_stage_copies():
    lines = instructions()
    copied = {word.strip("/") for line in lines if re.match(r"COPY (?!--from)", line) for word in line.split()[1:-1]}
    assert {"pyproject.toml", "README.md", "LICENSE", "gamedeid", "hierarchies", "scenarios"} == copied
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split("\n")
    assert copied == {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert "*" in ignored


@pytest.fixture(scope="module")
def program(room: Room) -> Path:
    """What the first stage of the Dockerfile makes, by its own commands, without a network and at another place."""
    (commands,) = (line.removeprefix("RUN ") for line in instructions() if line.startswith("RUN "))
    image = room.folder / "image"
    for place in ("/opt/gamedeid", "/program", "/wheels"):
        commands = re.sub(rf"(?<![\w/]){place}\b", f"{image}{place}", commands)
    wanted = re.search(r"(\[[\w,]+\])\"", commands)
    more = wheels_for_the_image(room, wanted[1] if wanted else "")
    packages = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": f"{room.wheels} {more}"}
    done = without_network(["bash", "-euc", commands], cwd=room.sources, env=BARE | packages)
    assert 0 == done.returncode, done.stderr
    installed = image / "opt" / "gamedeid"
    assert not (installed / "bin" / "gamedeid").exists()
    assert not (installed / "bin" / "pip").exists()
    shutil.copytree(Path(f"{image}/program{installed}"), installed, dirs_exist_ok=True)
    return installed


def wheels_for_the_image(room: Room, extras: str) -> Path:
    """Return a folder of what the wheel is built with, and of what the image has beyond a base installation."""
    folder = room.folder / "more"
    (wheel,) = room.wheels.glob("gamedeid-*.whl")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder), "--find-links"]
    subprocess.run([*command, str(room.wheels), "hatchling", f"{wheel}{extras}"], check=True, capture_output=True)
    return folder


@pytest.fixture
def data(room: Room) -> Iterator[Path]:
    folder = room.folder / "data"
    folder.mkdir(mode=0o700)
    yield folder
    shutil.rmtree(folder)


def as_the_image(program: Path, data: Path, *words: str, tmpfs: bool) -> subprocess.CompletedProcess[str]:
    stage = last_stage()
    user = int(stage.words("USER").split(":")[0])
    return in_a_container(list(words), data=data, env=stage.environment(program), user=user, tmpfs=tmpfs)


def test_a_container_writes_the_results_and_nothing_else(program, data):
    done = as_the_image(
        program, data, "gamedeid", "run", "quickstart", "--game", "no-attack", "-o", "results", tmpfs=True
    )
    assert 0 == done.returncode, done.stderr
    assert "CacheWarning" not in done.stderr
    assert "cannot be kept" not in done.stderr
    assert ["results"] == [path.name for path in data.iterdir()]
    assert {"release.csv", "strategies.csv", "manifest.json"} <= {path.name for path in (data / "results").iterdir()}
    assert 0o700 == (data / "results").stat().st_mode & 0o777


def test_a_container_in_which_nothing_can_be_written_compares_with_the_loops_of_the_image(program, data):
    done = as_the_image(program, data, "gamedeid", "compare", "quickstart", tmpfs=False)
    assert 0 == done.returncode, done.stderr
    assert ANSWER in done.stdout
    assert "" == done.stderr  # a loop that was compiled here could not be kept, and that would be said
    assert [] == list(data.iterdir())


def test_a_container_in_which_nothing_can_be_written_says_once_that_further_loops_are_not_kept(program, data):
    done = as_the_image(program, data, "gamedeid", "frontier", "quickstart", "-o", "results", tmpfs=False)
    assert 0 == done.returncode, done.stderr
    assert 1 == done.stderr.count("compiled loops cannot be kept in")
    assert ["results"] == [path.name for path in data.iterdir()]


def test_the_container_of_the_tests_is_closed(program, data):
    tries = f'touch {program}/x || echo program; touch "$HOME/x" /var/tmp/x || echo machine; touch x && id -u'
    done = as_the_image(program, data, "bash", "-c", tries, tmpfs=True)
    assert ["program", "machine", last_stage().words("USER").split(":")[0]] == done.stdout.split()
    networks = as_the_image(program, data, "cat", "/proc/net/dev", tmpfs=True).stdout.splitlines()[2:]
    assert ["lo"] == [line.split(":")[0].strip() for line in networks]


# --- the closed machine -----------------------------------------------------------------------------------------------

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
    """Run a command without any network, not even the loopback; skip if this is impossible."""
    if shutil.which("unshare") is None:
        pytest.skip("no unshare, which shuts the network")
    shut = ["unshare", "--net"] if can_change_user() else ["unshare", "--map-root-user", "--net"]
    tried = subprocess.run([*shut, "cat", "/proc/net/dev"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"the network cannot be shut here: {tried.stderr.strip()}")
    assert ["lo"] == [line.split(":")[0].strip() for line in tried.stdout.splitlines()[2:]]
    return subprocess.run([*shut, *command], capture_output=True, text=True, check=False, cwd=cwd, env=env)


def in_a_container(
    command: list[str], *, data: Path, env: Mapping[str, str], user: int, tmpfs: bool
) -> subprocess.CompletedProcess[str]:
    """Run a command as a user without an account, without a network, where only one folder can be written.

    Only root can make such a place; without root, or if mounts are forbidden, the test is skipped.

    Parameters
    ----------
    command : with a program that everybody may read.
    data : the folder, which is given to the user; it is the working directory.
    env : all variables that the command sees.
    user : the number of the user.
    tmpfs : whether `/tmp` is a file system in memory, as with `--tmpfs /tmp`; else nothing can be written there either.
    """
    if not can_change_user() or any(shutil.which(name) is None for name in ("unshare", "setpriv", "mount")):
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
