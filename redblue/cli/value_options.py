"""Options in the value of another option, ``--rules recompute:price=3``, and ``NAME=VALUE``.

An option that few need is written behind the value of the one that it belongs to, as options of a
file are behind its name. Its own name, from before, works for one more release.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

WORDS = re.compile("[a-z_]+(,[a-z_]+)*")
YES_NO = {"yes": True, "no": False}


@dataclass(frozen=True)
class Within:
    """The place of an option in the value of another.

    Parameters
    ----------
    host
        Parameter of the option whose value has it; "" for an argument NAME=VALUE.
    key
        Name of the option there.
    """

    host: str
    key: str

    def written(self, value: object, beside: object = None) -> str:
        """The option as it is to be written: "--rules recompute:price=3".

        Parameters
        ----------
        value
            The value of the option.
        beside
            The value of the option that it is written in; None where that is not given.
        """
        text = self.key if value is True else f"{self.key}={_shown(value)}"
        if not self.host:
            return text
        name = f"--{self.host.replace('_', '-')}"
        return f"{name} {text}" if beside is None else f"{name} {beside}:{text}"


@dataclass(frozen=True)
class Place:
    """An option that has a place, and how its value is read.

    Parameters
    ----------
    name
        Parameter of the function.
    within
        The place.
    read
        Reader of its text.
    is_switch
        Whether its key alone turns it on.
    """

    name: str
    within: Within
    read: Callable[[str], Any]
    is_switch: bool


def parted(text: str, places: Mapping[str, Place]) -> tuple[str | None, dict[str, Any]]:
    """Split the value of an option into the value itself and the options behind it.

    Parameters
    ----------
    text
        The value as it was given: "recompute:price=3".
    places
        The options that it may have, by key.

    Raises
    ------
    InvalidSpecError
        If an option is unknown, is given twice, or has a value that cannot be read.

    Examples
    --------
    >>> place = Place("price_of_work", Within("rules", "price"), float, False)
    >>> parted("recompute:price=3", {"price": place})
    ('recompute', {'price_of_work': 3.0})
    """
    value, colon, options = text.rpartition(":")
    if not colon and text.partition("=")[0] in places:
        options = text
    elif not colon:
        return text, {}
    switches = {key for key, place in places.items() if place.is_switch}
    words = options.split(",")
    misspelt = bool(switches and WORDS.fullmatch(options))  # no part of a file's name
    if not misspelt and not all("=" in word or word in switches for word in words):
        return text, {}
    return value or None, read_pairs(words, places, f"--{_host(places)}")


def read_pairs(words: list[str], places: Mapping[str, Place], owner: str) -> dict[str, Any]:
    """The values of "key=value" texts, by parameter.

    Parameters
    ----------
    words
        The texts.
    places
        The options that there are, by key.
    owner
        The option or command that has them, for errors.

    Raises
    ------
    InvalidSpecError
        As `parted`.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line

    values: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        place = places.get(key.replace("-", "_")) or places.get(key)
        if place is None:
            known = ", ".join(places)
            raise InvalidSpecError(f"{owner} has no parameter {one_line(key)!r}; it has: {known}")
        if place.name in values:
            raise InvalidSpecError(f"{owner}: {key} is given twice")
        if not equals and not place.is_switch:
            raise InvalidSpecError(f"{owner}: {key} has no value; write {key}=VALUE")
        try:
            values[place.name] = place.read(value if equals else "yes")
        except (ValueError, KeyError):
            raise InvalidSpecError(f"{owner}: {key} cannot be {one_line(value)!r}") from None
    return values


def reader_of(kind: Any) -> tuple[Callable[[str], Any], bool]:
    """The reader of a parameter's text, and whether it is a switch.

    Parameters
    ----------
    kind
        The type of the parameter: a number, a text, a path, a switch, or a tuple of numbers.
    """
    plain = next((part for part in get_args(kind) if part is not NoneType), kind)
    if get_origin(kind) is tuple:
        number = get_args(kind)[0]
        return lambda text: tuple(number(part) for part in text.split(",")), False
    if plain is bool:
        return lambda text: YES_NO[text], True
    reader: Callable[[str], Any] = plain if plain in (int, float, Path) else str
    return reader, False


def _host(places: Mapping[str, Place]) -> str:
    return next(iter(places.values())).within.host.replace("_", "-")


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
