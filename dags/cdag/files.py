"""Files that are written whole or not at all, and archives read that may be damaged or hostile.

`numpy.load` allocates the memory that a header claims and evaluates that header as Python; a
compressed archive may unpack to a thousand times its size. Here sizes are compared and headers
matched before anything is allocated, and every damage is a FormatError.

Source
------
The NPY format, versions 1.0 to 3.0: NumPy Enhancement Proposal 1 and `numpy.lib.format`.
"""

import os
import re
import secrets
import struct
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.errors import FormatError, one_line


def require_path(path: Path) -> None:
    """Raise FormatError if no file can have this name, for which Python raises a ValueError."""
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError as error:
        raise FormatError(path, "no file can have this name, which is no Unicode text") from error
    if b"\0" in name:
        raise FormatError(path, "no file can have this name, which holds a NUL character")


@contextmanager
def writing(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path beside `path` that takes its place when the block ends well.

    The temporary name keeps the suffix of `path`, which some writers go by. Where the block
    fails, it is removed and `path` is as it was.

    Raises
    ------
    FormatError
        If the file cannot be written: no such directory, no permission, no space, no plain file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with writing(Path(folder, "a.txt")) as temporary:
    ...         _ = temporary.write_text("whole")
    ...     Path(folder, "a.txt").read_text()
    'whole'
    """
    target = Path(path)
    require_path(target)
    # not tempfile: its files are private, ours should have the permissions of any new file
    temporary = target.with_name(f".{target.stem}-{secrets.token_hex(4)}{target.suffix}")
    try:
        if target.exists() and not target.is_file():
            raise FormatError(target, "cannot be written: it is no plain file")
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        raise FormatError(target, f"cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # a name that is too long is none of a file
            temporary.unlink()


FREE_BYTES: Final = 1 << 28  # an archive may unpack to so many bytes, however small it is,
MAX_RATIO: Final = 100  # and to so many times its own size
MAX_HEADER: Final = 10_000  # bytes
_COMPRESSIONS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # those that NumPy writes
_ENCRYPTED: Final = 1  # the bit of a member's flags
_HEADER: Final = re.compile(
    r"\{'descr': *'([<>|=]?[biufcSU][1-9][0-9]{0,8})',"
    r" *'fortran_order': *(?:True|False),"
    r" *'shape': *\(((?: *[0-9]{1,19}+ *(?:,|(?=\))))*) *\),? *\} *\n?"
)


def read_arrays(path: Path, names: Iterable[str], *, width: int = 1) -> dict[str, npt.NDArray[Any]]:
    """Return those arrays of an archive that have one of `names`.

    Memory: the arrays, of which nothing is allocated before the archive is known to hold so many
    bytes, and at most 100 times the size of the file where that is over 256 MiB.

    Parameters
    ----------
    path
        The archive.
    names
        Names of arrays.
    width
        Bytes that an entry takes in the end, whatever takes fewer in the file.

    Raises
    ------
    FormatError
        If the file is no archive that `numpy.savez` or `numpy.savez_compressed` writes, is
        damaged or encrypted, holds Python objects, or unpacks to too much.
    OSError
        If the file cannot be read.
    """
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            members = {name: f"{name}.npy" for name in names}
            held = set(archive.namelist())
            found = {
                name: archive.getinfo(member) for name, member in members.items() if member in held
            }
            _require_ordinary(path, found, os.fstat(file.fileno()).st_size)
            entries = sum(_entries(path, archive, member) for member in found.values())
            _require_few(path, entries * width, os.fstat(file.fileno()).st_size)
            return {name: _array(archive, member) for name, member in found.items()}
    except zipfile.BadZipFile as error:
        raise FormatError(
            path, f"is no NumPy archive, or a truncated one ({one_line(error)})"
        ) from error
    except (OSError, MemoryError, FormatError):
        raise
    except Exception as error:  # zipfile, zlib and numpy have a dozen kinds for a damaged file
        raise _damaged(path, str(error) or type(error).__name__) from error


def _damaged(path: Path, reason: str) -> FormatError:
    return FormatError(path, f"is no NumPy archive, or a damaged one ({one_line(reason)})")


def _require_ordinary(path: Path, members: dict[str, zipfile.ZipInfo], size: int) -> None:
    """Raise FormatError for members that NumPy would not write, or that unpack to too much."""
    for name, member in members.items():
        if member.flag_bits & _ENCRYPTED:
            raise FormatError(path, f"is encrypted: array {name} cannot be read")
        if member.compress_type not in _COMPRESSIONS:
            raise FormatError(path, f"compresses array {name} in a way that NumPy does not write")
    _require_few(path, sum(member.file_size for member in members.values()), size)


def _require_few(path: Path, unpacked: int, size: int) -> None:
    """Raise FormatError for so many bytes that come of a file of some size."""
    if unpacked > max(FREE_BYTES, MAX_RATIO * size):
        raise FormatError(path, f"unpacks to {unpacked} bytes, too many for a file of {size}")


def _entries(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    """The number of entries of an array, which has the bytes that its header claims."""
    with archive.open(member) as stream:
        dtype, shape = _header(path, member.filename, stream)
        if stream.tell() + prod(shape) * dtype.itemsize != member.file_size:
            raise _damaged(path, f"{member.filename} claims another size than it has")
    return prod(shape)


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    with archive.open(member) as stream:
        array: npt.NDArray[Any] = np.lib.format.read_array(
            stream, allow_pickle=False, max_header_size=MAX_HEADER
        )
        return array


def _header(path: Path, name: str, stream: Any) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The type and shape of an array, leaving `stream` at its first entry."""
    version = np.lib.format.read_magic(stream)
    width = 2 if version == (1, 0) else 4
    (length,) = struct.unpack("<H" if width == 2 else "<I", stream.read(width))
    if length > MAX_HEADER:
        raise _damaged(path, f"{name} has a header of {length} bytes")
    header = stream.read(length).decode("latin-1")
    if re.search(r"'descr': *'[<>|=]?O", header):
        raise _damaged(path, f"{name} holds pickled Python objects, which are not read")
    match = _HEADER.fullmatch(header)
    if match is None:
        raise _damaged(path, f"the header of {name} describes no array of numbers or text")
    sides = match[2].replace(",", " ").split()
    return np.dtype(match[1]), tuple(map(int, sides))
