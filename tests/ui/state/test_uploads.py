"""How much visitors may upload, and when the bytes go again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec

from mha_core.checks.errors import FileError, LimitError
from ui.machine.limits import MachineLimits
from ui.state import presence, uploads
from ui.state.uploads import COUNTS_AT_LEAST, MEGABYTE, WAS_READ, Uploads, take_file

HERE = {"ann", "ben", "cat"}  # sessions that are connected


class Kept(MemoryUploadedFileManager):
    """Where Streamlit keeps files."""

    def __init__(self) -> None:
        super().__init__("/here")

    def put(self, session: str, size: int, name: str = "file", kind: str = "") -> UploadedFileRec:
        file = UploadedFileRec(name, f"{name}.npz", kind, bytes(size))
        self.add_file(session, file)
        return file

    def sizes(self, session: str) -> dict[str, int]:
        return {name: len(file.data) for name, file in self.file_storage.get(session, {}).items()}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    kept = Kept()
    monkeypatch.setattr(uploads, "_kept", lambda: kept)
    monkeypatch.setattr(uploads, "is_here", HERE.__contains__)
    context = SimpleNamespace(uploaded_file_mgr=kept, session_id="ann")
    monkeypatch.setattr(uploads, "get_script_run_ctx", lambda: context)
    return kept


def room(session_mb: float = 4, all_mb: float = 6) -> Uploads:
    return Uploads(MachineLimits(session_uploads_mb=session_mb, uploads_mb=all_mb))


# Room


def test_one_visitor_has_so_much_room_and_the_others_have_theirs(kept: Kept) -> None:
    ours = room()
    kept.put("ann", 3 * MEGABYTE)
    with pytest.raises(LimitError) as refused:
        ours.expect("ann", 2 * MEGABYTE)
    assert str(refused.value) == (
        "Your files must take at most 4 MB together until the page has read them, "
        "got 3 MB and 2 MB more. Send it again in a minute."
    )
    ours.expect("ann", MEGABYTE)
    ours.expect("ben", 2 * MEGABYTE)


def test_all_visitors_together_have_so_much_room(kept: Kept) -> None:
    ours = room()
    kept.put("ann", 3 * MEGABYTE)
    kept.put("ben", 2 * MEGABYTE)
    with pytest.raises(LimitError, match="The files of all visitors must take at most 6 MB"):
        ours.expect("cat", 2 * MEGABYTE)
    ours.expect("cat", MEGABYTE)


def test_what_is_coming_counts_until_it_has_come(kept: Kept) -> None:
    ours = room()
    coming = ours.expect("ann", 4 * MEGABYTE)
    with pytest.raises(LimitError):
        ours.expect("ann", 1)
    for _ in range(2):
        ours.has_come(coming)
    ours.expect("ann", 4 * MEGABYTE)


def test_a_file_that_can_never_have_room_is_told_to_be_smaller(kept: Kept) -> None:
    with pytest.raises(LimitError, match=r"got 0 bytes and 5 MB more\. Send a smaller one\."):
        room().expect("ann", 5 * MEGABYTE)


def test_files_with_nothing_in_them_count_too(kept: Kept) -> None:
    ours = room(session_mb=1)
    count = MEGABYTE // COUNTS_AT_LEAST
    for number in range(count // 2):
        kept.put("ann", 0, f"{number}")
    for _ in range(count - count // 2):
        ours.expect("ann", 0)
    with pytest.raises(LimitError):
        ours.expect("ann", 0)


@pytest.mark.parametrize(
    ("store", "got"),
    [
        (SimpleNamespace(endpoint="/put"), "SimpleNamespace at /put"),
        (MemoryUploadedFileManager("/elsewhere"), "MemoryUploadedFileManager at /elsewhere"),
        (object(), "object at no address"),
    ],
)
def test_where_files_cannot_be_counted_none_is_taken(
    monkeypatch: pytest.MonkeyPatch, store: object, got: str
) -> None:
    runtime = SimpleNamespace(uploaded_file_mgr=store, is_active_session=HERE.__contains__)
    monkeypatch.setattr(uploads.runtime, "exists", lambda: True)
    monkeypatch.setattr(uploads.runtime, "get_instance", lambda: runtime)
    with pytest.raises(FileError, match=f"cannot be limited, got {got}. Install the Streamlit"):
        room().expect("ann", 1)
    assert uploads.bytes_uploaded() == uploads.forget_files_of_who_has_gone() == 0


# Who has gone


def test_what_nobody_has_read_goes_with_its_visitor(kept: Kept) -> None:
    kept.put("gone", 7, "new")
    kept.put("gone", 5, "as if it was read", WAS_READ)
    kept.put("gone", 0, "read", WAS_READ)
    kept.put("ann", 3)
    assert uploads.forget_files_of_who_has_gone() == 12
    assert kept.sizes("gone") == {"read": 0}
    assert uploads.bytes_uploaded() == kept.sizes("ann")["file"]


def test_who_has_gone_leaves_room(kept: Kept) -> None:
    ours = room()
    for number in range(200):
        kept.put("gone", 0, f"{number}", WAS_READ)
    kept.put("gone", 6 * MEGABYTE)
    ours.expect("ann", 4 * MEGABYTE)


def test_a_file_that_comes_when_its_visitor_has_gone_is_not_kept(kept: Kept) -> None:
    ours = room()
    coming = ours.expect("gone", MEGABYTE)
    kept.put("gone", MEGABYTE)
    ours.has_come(coming)
    assert kept.sizes("gone") == {}


def test_the_cleaner_forgets_them_and_gives_the_memory_back(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_back = threading.Event()
    monkeypatch.setattr(presence, "give_back", given_back.set)
    monkeypatch.setattr(presence, "TOGETHER", 0.0)
    kept.put("gone", MEGABYTE)
    presence.Cleaner().clean_after()
    assert given_back.wait(60)
    assert kept.sizes("gone") == {}


def test_where_no_server_runs_nothing_is_uploaded() -> None:
    assert uploads.bytes_uploaded() == 0
    assert uploads.forget_files_of_who_has_gone() == 0
    assert not uploads.is_here("ann")


# Reading once


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], list[object]]:
    """What a callback makes of what the browser reports."""

    def reported(value: object) -> list[object]:
        heard: list[object] = []
        monkeypatch.setattr(uploads, "reported", lambda _: value)
        take_file("a field", lambda *file: heard.append(file), lambda: heard.append("taken away"))
        return heard

    return reported


def test_a_file_is_read_once_and_only_its_name_stays(
    kept: Kept, report: Callable[[object], list[object]]
) -> None:
    kept.put("ann", 3)
    (record,) = kept.get_files("ann", ["file"])
    file = UploadedFile(record, FileURLs())
    assert report(file) == [(bytes(3), "file.npz")]
    assert file.getvalue() == b""
    (rest,) = kept.get_files("ann", ["file"])
    assert rest == UploadedFileRec("file", "file.npz", WAS_READ, b"")
    again = UploadedFile(rest, FileURLs())
    assert again == file  # to Streamlit nothing has changed
    assert report(again) == []


def test_a_file_that_cannot_be_read_goes_too(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    file = UploadedFile(kept.put("ann", 3), FileURLs())

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(uploads, "reported", lambda _: file)
    with pytest.raises(MemoryError):
        take_file("a field", fail, fail)
    assert kept.sizes("ann") == {"file": 0}


def test_a_file_that_has_been_removed_meanwhile_does_not_come_back(
    kept: Kept, report: Callable[[object], list[object]]
) -> None:
    file = UploadedFile(UploadedFileRec("file", "file.npz", "", b"123"), FileURLs())
    assert report(file) == [(b"123", "file.npz")]
    assert kept.sizes("ann") == {}


def test_a_field_that_is_emptied_is_told_from_one_whose_file_is_elsewhere(
    kept: Kept, report: Callable[[object], list[object]]
) -> None:
    assert report(None) == ["taken away"]
    assert report(DeletedFile("of another process")) == []
