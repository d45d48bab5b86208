"""What goes wrong with files, as a sentence."""

import errno
from pathlib import Path

FULL = "the disk is full; make room, or choose another place"
FORBIDDEN = "this user may not read or write it; choose another place, or change its permissions"
WHY = {
    errno.ENOENT: "there is no such file or folder",
    errno.EISDIR: "it is a folder; name a file in it",
    errno.ENOTDIR: "a part of its path is a file and no folder",
    errno.EEXIST: "something of that name is there already",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EROFS: "its disk cannot be written; choose another place",
    **dict.fromkeys((errno.EACCES, errno.EPERM), FORBIDDEN),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), FULL),
}


def why(error: OSError) -> str:
    """Why a file could not be read or written, and the way out where there is one."""
    return WHY.get(error.errno or 0) or error.strerror or type(error).__name__


def sentence(error: OSError) -> str:
    """The same with the name of the file, as far as the error has one."""
    named = f"{Path(error.filename).name}: " if isinstance(error.filename, str) else ""
    return f"{named}{why(error)}"
