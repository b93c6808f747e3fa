"""Another user on the same machine, who tries to read our data."""

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
"""Sends words to a port, in plain text and by TLS without a key, and prints both answers."""


def ask_port(port: int, words: bytes) -> list[str]:
    """Return a port's answers to another user of the machine, or to us without a key if only root can change users."""
    python = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin") or "python3"
    who = {"user": SOMEBODY, "group": "nogroup", "extra_groups": []} if can_change_user() else {}
    done = subprocess.run(
        [python, "-c", KNOCK, str(port), words.hex()], capture_output=True, text=True, check=True, cwd="/", **who
    )
    return done.stdout.splitlines()


def list_files(folder: Path) -> subprocess.CompletedProcess[str]:
    """List a folder as another user; skip the test if we cannot change users."""
    if not can_change_user():
        pytest.skip("only root can be somebody else")
    return subprocess.run(
        ["ls", "-RA", str(folder)], capture_output=True, text=True, check=False, cwd="/", user=SOMEBODY, extra_groups=[]
    )


def can_change_user() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
