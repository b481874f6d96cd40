"""What visitors upload: how much of it there may be, and how its bytes go again.

Streamlit takes any number of files, and keeps each in memory until it forgets the session. Here
each visitor and the machine have a limit, which is asked before a file is taken. The page reads a
file once. Then its bytes go, while its field goes on showing its name. Files that no page has read
go with their visitor.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeGuard

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from mha_core.checks.errors import FileError, LimitError
from mha_core.checks.sizes import size_in_words
from mha_core.language import say
from ui.machine.limits import MACHINE, MEGABYTE, MachineLimits
from ui.reports import reported

PATH: Final = "/_stcore/upload_file"  # where Streamlit takes files
COUNTS_AT_LEAST: Final = 2**16  # bytes: a program may send very many empty files
WAS_READ: Final = "application/x-was-read"  # the type of a file whose bytes are gone


@dataclass(frozen=True, eq=False)
class Coming:
    """A file that is on its way to the server."""

    session: str
    size: int


class Uploads:
    """The files of all visitors of this process: those that are there and those that are coming."""

    def __init__(self, limits: MachineLimits = MACHINE) -> None:
        self._limits = limits
        self._changing = threading.Lock()
        self._coming: list[Coming] = []

    def expect(self, session: str, size: int) -> Coming:
        """Keep room for a file until it has come. Where there is none, a LimitError says so."""
        check_that_files_are_counted()
        forget_files_of_who_has_gone()
        coming = Coming(session, max(size, COUNTS_AT_LEAST))
        with self._changing:
            own, whole = self._limits.session_uploads_mb, self._limits.uploads_mb
            _check(say("Your files"), self._bytes_of(session), coming, own)
            _check(say("The files of all visitors"), self._bytes_of(), coming, whole)
            self._coming.append(coming)
        return coming

    def has_come(self, coming: Coming) -> None:
        """The file is there, or will never be. It may be said more than once."""
        with self._changing:
            if coming not in self._coming:
                return
            self._coming.remove(coming)
        if not is_here(coming.session):
            forget_files_of_who_has_gone()

    def _bytes_of(self, session: str = "") -> int:
        """What counts for one session, or for all."""
        coming = sum(each.size for each in self._coming if session in ("", each.session))
        there = _files_by_session()
        counted = [session] if session else filter(is_here, there)
        return coming + sum(_counted(file) for each in counted for file in there.get(each, ()))


UPLOADS: Final = Uploads()


def _check(whose: str, taken: int, coming: Coming, most_mb: float) -> None:
    """That there is room for one more."""
    if taken + coming.size > most_mb * MEGABYTE:
        is_too_large = coming.size > most_mb * MEGABYTE
        limit = size_in_words(int(most_mb * MEGABYTE))
        need = say("must take at most {limit} together until the page has read them")
        sizes = size_in_words(taken), size_in_words(coming.size)
        raise LimitError(
            whose,
            need.format(limit=limit),
            say("{size} and {size_of_file} more").format(size=sizes[0], size_of_file=sizes[1]),
            say("Send a smaller one.") if is_too_large else say("Send it again in a minute."),
        )


def _counted(file: UploadedFileRec) -> int:
    return max(len(file.data), COUNTS_AT_LEAST)


def is_here(session: str) -> bool:
    """Whether a page of this process has a session of this name, and is connected."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def bytes_uploaded() -> int:
    """The bytes of the files that no page has read yet."""
    return sum(len(file.data) for files in _files_by_session().values() for file in files)


def forget_files_of_who_has_gone() -> int:
    """The bytes that were forgotten: those of files that no page has read."""
    forgotten = 0
    for session, files in _files_by_session().items():
        if is_here(session) or not (kept := _kept()):
            continue
        for file in files:
            if file.data or file.type != WAS_READ:
                kept.remove_file(session, file.file_id)
                forgotten += len(file.data)
    return forgotten


def take_file(
    widget: str, take: Callable[[bytes, str], object], take_away: Callable[[], object]
) -> None:
    """In the callback of a field for a file: read it once, and let its bytes go.

    A file that was read before is no entry: over a new connection the browser names it again, also
    to a process that never had it. `take_away` is called when a person has removed it.
    """
    file = reported(widget)
    if file is None:
        take_away()
    elif isinstance(file, UploadedFile) and file.type != WAS_READ:
        try:
            take(file.getvalue(), file.name)
        finally:
            _let_go(file)


def _let_go(file: UploadedFile) -> None:
    """Its name stays: if the file were gone, Streamlit would report another value."""
    file.seek(0)
    file.truncate()
    context = get_script_run_ctx()
    assert context  # a callback has one
    kept, session = context.uploaded_file_mgr, context.session_id
    if isinstance(kept, MemoryUploadedFileManager) and kept.get_files(session, [file.file_id]):
        kept.add_file(session, UploadedFileRec(file.file_id, file.name, WAS_READ, b""))


def check_that_files_are_counted() -> None:
    """Take no file if Streamlit keeps files in a way that we cannot count."""
    kept = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if kept is not None and not _is_known(kept):
        raise FileError(
            say("The server's store of uploaded files"),
            say("must be Streamlit's {store} at {address}, or it cannot be limited").format(
                store="MemoryUploadedFileManager", address=PATH
            ),
            f"{type(kept).__name__} at {getattr(kept, 'endpoint', 'no address')}",
            say(
                "Install the Streamlit that hosting/requirements.lock names; "
                "until then, paste what is in the file."
            ),
        )


def _is_known(kept: object) -> TypeGuard[MemoryUploadedFileManager]:
    return (
        isinstance(kept, MemoryUploadedFileManager)
        and kept.endpoint == PATH
        and isinstance(kept.file_storage, dict)
    )


def _kept() -> MemoryUploadedFileManager | None:
    """Where Streamlit keeps the files, if they can be counted there; otherwise None."""
    kept = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return kept if _is_known(kept) else None


def _files_by_session() -> dict[str, list[UploadedFileRec]]:
    """A copy: other threads may add some meanwhile."""
    kept = _kept()
    there = kept.file_storage.copy() if kept else {}
    return {session: list(files.copy().values()) for session, files in there.items()}
