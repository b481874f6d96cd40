"""How many threads NumPy's linear algebra has while a model reads."""

from __future__ import annotations

from pathlib import Path

from ui.machine.one_thread import OneThread, Threads, libraries_of_numpy, threads_of


class Counted:
    """Threads that are only counted."""

    def __init__(self, count: int) -> None:
        self.count = count

    def become(self, count: int) -> None:
        self.count = count

    @property
    def threads(self) -> Threads:
        return Threads(lambda: self.count, self.become)


def test_there_is_one_thread_until_the_last_has_read() -> None:
    made = Counted(7)
    one = OneThread(made.threads)
    with one:
        assert made.count == 1
        with one:
            assert made.count == 1
        assert made.count == 1
    assert made.count == 7


def test_who_fails_while_reading_leaves_as_many_as_before() -> None:
    made = Counted(7)
    try:
        with OneThread(made.threads):
            raise KeyError
    except KeyError:
        assert made.count == 7


def test_the_library_of_numpy_has_them() -> None:
    threads = threads_of(libraries_of_numpy())
    assert threads
    before = threads.how_many()
    with OneThread(threads):
        assert threads.how_many() == 1
    assert threads.how_many() == before


def test_without_such_a_library_nothing_is_changed(tmp_path: Path) -> None:
    no_library = tmp_path / "openblas.so"
    no_library.write_text("of another machine")
    threads = threads_of(iter([no_library]))
    assert threads is None
    with OneThread(threads):
        pass
