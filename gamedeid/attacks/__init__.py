"""Attacks on a finished release, played person by person: which rows recipients attack, and what succeeds."""
