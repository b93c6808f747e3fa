"""Attacks on a finished release, played person by person: who attacks what, how often she is right, what it pays."""
