"""Compiled loops are loaded only from folders that no other user writes to, and never by the working directory."""

import hashlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from other_users import can_change_user
from small_world import gamedeid_command, gamedeid_says, process_environment, small_world

import gamedeid
from gamedeid.kernels.guarded_numba import make_folder, refusal

KERNELS = Path(gamedeid.__file__).parent / "kernels"
SOMEBODY = 65534
needs_root = pytest.mark.skipif(not can_change_user(), reason="only root can give files away")
posix = pytest.mark.skipif(os.name != "posix", reason="modes and owners are those of POSIX")

IMPORT = "from gamedeid.kernels.frontier import choose_entry; from gamedeid.kernels.guarded_numba import numba"
ASK = """
import numpy as np
from gamedeid.kernels.tables import Entries, CompiledStakes
entries = Entries(np.array([0, 1]), np.ones(1), np.array([7]), np.zeros(1, np.int64), np.ones(1, np.bool_))
choose_entry(entries, 0, CompiledStakes(100.0, 50.0, 7, 1e-7), None, True)
print([numba.core.config.CACHE_DIR])
"""
PLANT = "import os; os.rename('config', '.numba_config.yaml')"
MOMENTS = {
    "there at the start": (PLANT, "import gamedeid", IMPORT, ASK),
    "there before numba is imported": ("import gamedeid", PLANT, IMPORT, ASK),
    "there before a loop is compiled": (IMPORT, PLANT, ASK),
    "read by another library before": (PLANT, "import numba", IMPORT, ASK),
}


class Forged:
    """An object that runs a command when it is unpickled."""

    def __init__(self, ran: Path) -> None:
        self.ran = ran

    def __reduce__(self):
        return os.mkdir, (str(self.ran),)


@pytest.fixture(name="study")
def _study(tmp_path):
    """Return a folder as unpacked from an archive: a question, settings of numba, and the loops that they name."""
    study = tmp_path / "study"
    study.mkdir()
    small_world(study)
    loops = study / "loops" / f"kernels_{hashlib.sha1(str(KERNELS).encode()).hexdigest()}"  # noqa: S324  (as numba does)
    loops.mkdir(parents=True)
    (study / "config").write_text(f"cache_dir: {study / 'loops'}\n")
    for source in KERNELS.glob("*.py"):
        for line, words in enumerate(source.read_text().splitlines(), 1):
            if words == "@compiled":
                name = source.read_text().splitlines()[line].removeprefix("def ").partition("(")[0]
                version = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
                forged = loops / f"{source.stem}.{name}-{line}.{version}.nbi"
                forged.write_bytes(pickle.dumps(Forged(tmp_path / "ran")))
    assert len(list(loops.iterdir())) > 10
    return study


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in process_environment().items() if not name.startswith("NUMBA_")}
    return kept | more


def run(words, cwd, **more):
    """Return the exit code of a command in an environment, and its output on both streams."""
    done = subprocess.run(words, cwd=cwd, env=environment(**more), check=False, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_forged_loop_would_run(study, tmp_path):
    run([sys.executable, "-c", f"{IMPORT}\n{ASK}"], study, NUMBA_CACHE_DIR=str(study / "loops"))
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize("moment", MOMENTS)
def test_settings_of_numba_in_the_working_directory_are_never_read(study, tmp_path, moment):
    assert (0, "['']\n", "") == run([sys.executable, "-c", "\n".join(MOMENTS[moment])], study)
    assert not (tmp_path / "ran").exists()


def test_a_command_reads_no_settings_of_numba_either(study, tmp_path):
    (study / "config").rename(study / ".numba_config.yaml")
    code, _, errors = run(gamedeid_command("compare", "scenario.toml"), study)
    assert (0, "") == (code, errors)
    assert not (tmp_path / "ran").exists()


def test_settings_in_the_environment_are_taken(tmp_path):
    code = f"{IMPORT}\nprint(numba.core.config.CACHE_DIR, int(numba.core.config.OPT))"
    found = run([sys.executable, "-c", code], tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "mine"), NUMBA_OPT="1")
    assert (0, f"{tmp_path / 'mine'} 1\n", "") == found


def test_where_numba_compiles_nothing_the_answer_is_the_same(tmp_path):
    asked = gamedeid_command("run", small_world(tmp_path), "--game", "aware-basic", "--json")
    code, summary, errors = run(asked, tmp_path)
    assert (0, "") == (code, errors)
    assert (0, summary, "") == run(asked, tmp_path, NUMBA_DISABLE_JIT="1")


@posix
def test_a_new_folder_is_its_owner_s_alone_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        make_folder(tmp_path / "above" / "loops", 0o700)
    finally:
        os.umask(before)
    for folder in (tmp_path / "above", tmp_path / "above" / "loops"):
        assert 0o700 == folder.stat().st_mode & 0o777


@pytest.fixture(name="loops")
def _loops(tmp_path):
    refusal.cache_clear()
    loops = tmp_path / "above" / "loops"
    make_folder(loops, 0o700)
    (loops / "one.nbi").write_bytes(b"")
    (loops / "one.nbi").chmod(0o600)
    return loops


@posix
def test_a_folder_that_is_its_owner_s_alone_is_taken(loops):
    assert refusal(loops) is None


@posix
@pytest.mark.parametrize("mode", [0o777, 0o702, 0o1777])
@pytest.mark.parametrize("place", [".", "one.nbi"])
def test_a_folder_or_a_loop_that_all_may_write_to_is_refused(loops, place, mode):
    (loops / place).chmod(mode)
    assert f"other users may write to `{loops / place}` (mode {mode:04o})" == refusal(loops)


@posix
@pytest.mark.parametrize("place", ["..", "../.."])
def test_a_folder_on_the_way_may_take_files_of_others_only_if_it_is_sticky(loops, place):
    above = (loops / place).resolve()
    above.chmod(0o777)
    assert f"other users may write to `{above}` (mode 0777)" == refusal(loops)
    refusal.cache_clear()
    above.chmod(0o1777)
    assert refusal(loops) is None


@needs_root
@pytest.mark.parametrize("place", [".", "..", "one.nbi"])
def test_files_of_another_user_are_refused(loops, place):
    theirs = (loops / place).resolve()
    os.chown(theirs, SOMEBODY, SOMEBODY)
    assert f"`{theirs}` belongs to another user" == refusal(loops)


@needs_root
def test_a_link_of_another_user_to_our_folder_is_not_followed(loops, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(loops)
    assert refusal(link) is None
    os.lchown(link, SOMEBODY, SOMEBODY)
    refusal.cache_clear()
    assert f"`{link}` belongs to another user" == refusal(link)


@posix
def test_a_loop_that_is_a_link_is_refused(loops):
    (loops / "two.nbi").symlink_to(loops / "one.nbi")
    assert f"`{loops / 'two.nbi'}` is not a regular file" == refusal(loops)


@needs_root
@pytest.mark.parametrize(("number", "members", "taken"), [(4001, [], True), (4002, ["other"], False)])
def test_a_group_may_write_if_the_user_is_its_only_member(loops, monkeypatch, number, members, taken):
    user = {"pw_name": "me", "pw_uid": number, "pw_gid": number}
    monkeypatch.setattr("pwd.getpwuid", lambda _: type("User", (), user))
    monkeypatch.setattr("grp.getgrgid", lambda _: type("Group", (), {"gr_name": "me", "gr_mem": members}))
    os.chown(loops, 0, number)
    loops.chmod(0o770)
    assert taken == (refusal(loops) is None)


def test_a_relative_folder_is_refused():
    assert "`loops` is not an absolute path" == refusal(Path("loops"))


@posix
def test_a_refused_folder_is_one_line_and_the_answer_is_the_same(study, tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    expected = gamedeid_says("compare", study / "scenario.toml")
    why = f"other users may write to `{open_to_all}` (mode 0777)"
    said = f"gamedeid: no compiled loops are kept in the folder that NUMBA_CACHE_DIR names: {why}\n"
    found = run(gamedeid_command("compare", "scenario.toml"), study, NUMBA_CACHE_DIR=str(open_to_all))
    assert (expected.code, expected.out, said) == found
    assert 0 == expected.code
    assert [] == list(open_to_all.iterdir())
