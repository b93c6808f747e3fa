"""Somebody else on the same machine, who tries to look at what is not theirs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOMEBODY = "nobody"

KNOCK = """
import socket, ssl, struct, sys
port = int(sys.argv[1])

def answer(talk, words):
    talk.settimeout(3)
    try:
        talk.sendall(words)
        return talk.recv(4096)
    except OSError as error:
        return repr(error).encode()

plain = answer(socket.create_connection(("127.0.0.1", port), 3), bytes.fromhex(sys.argv[2]))
try:
    secret = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    secret.check_hostname, secret.verify_mode = False, ssl.CERT_NONE
    tls = answer(secret.wrap_socket(socket.create_connection(("127.0.0.1", port), 3)), bytes.fromhex(sys.argv[2]))
except OSError as error:
    tls = repr(error).encode()
print(plain)
print(tls)
"""
"""Says something to a port, in plain words and by TLS without a key, and prints both answers."""


def ask_port(port: int, words: bytes) -> list[str]:
    """Return what a port answers another user of the machine; or us, without any key, where we cannot be another."""
    python = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin") or "python3"
    who = {"user": SOMEBODY, "group": "nogroup", "extra_groups": []} if can_be_somebody_else() else {}
    done = subprocess.run(
        [python, "-c", KNOCK, str(port), words.hex()], capture_output=True, text=True, check=True, cwd="/", **who
    )
    return done.stdout.splitlines()


def list_files(folder: Path) -> subprocess.CompletedProcess[str]:
    """Let another user list a folder; skip the test where we cannot be another."""
    if not can_be_somebody_else():
        pytest.skip("only root can be somebody else")
    return subprocess.run(
        ["ls", "-RA", str(folder)], capture_output=True, text=True, check=False, cwd="/", user=SOMEBODY, extra_groups=[]
    )


def can_be_somebody_else() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
