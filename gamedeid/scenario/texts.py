"""Which texts can be written into a file: those without halves of characters, and without NUL."""

from collections.abc import Iterator, Mapping


def is_writable(text: str) -> bool:
    """Return whether a text has only characters that a file of text can hold."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def unwritable_texts(content: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield (place, text) of every text within plain values, names included, that cannot be written.

    Parameters
    ----------
    content : a value, or mappings and lists of them.
    place : dotted keys that lead to it.
    """
    if isinstance(content, str) and not is_writable(content):
        yield place, content
    elif isinstance(content, Mapping):
        for key, value in content.items():
            inside = f"{place}.{key}" if place else str(key)
            yield from unwritable_texts(key, place or "a name")
            yield from unwritable_texts(value, inside)
    elif isinstance(content, list | tuple):
        for value in content:
            yield from unwritable_texts(value, place)
