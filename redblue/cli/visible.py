"""Text in which nothing commands a terminal."""


def visible(text: str) -> str:
    """`text`, with characters escaped that are neither printable nor line ends."""
    return "".join(sign if sign.isprintable() or sign == "\n" else _escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()
