"""Attacks on a finished release, played person by person: the rows that recipients attack, and their successes."""
