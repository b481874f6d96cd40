"""Reference pictures: they are small, and what is said if a page no longer looks like its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.browser.album import (
    Album,
    PictureError,
    differ_by_palette_alone,
    read,
    with_few_colors,
    write,
)
from tests.browser.comparing import LEVELS, Picture
from tests.serving import ROOT

HEIGHT, WIDTH = 53, 71
THEN, NOW = "Chromium 156.0", "Chromium 158.0"


def page(left: int = 31, size: int = 11) -> Picture:
    """A dark square on a light ground."""
    picture = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
    picture[17 : 17 + size, left : left + size] = (46, 31, 143)
    return picture


@pytest.fixture
def album(tmp_path: Path) -> Album:
    (tmp_path / "pictures").mkdir()
    return Album(tmp_path / "pictures" / "taken_by.json", tmp_path / "failures")


@pytest.fixture
def reference(album: Album) -> Path:
    """A picture that an older browser took."""
    reference = album.taken_by.with_name("square.png")
    album.renew(reference, page(), THEN)
    return reference


def complaint(album: Album, reference: Path, picture: Picture, browser: str = NOW) -> str:
    with pytest.raises(PictureError) as changed:
        album.check(reference, picture, browser)
    return str(changed.value)


def left_behind(album: Album) -> list[str]:
    return sorted(file.name for file in album.failures.glob("*"))


def test_a_page_that_looks_as_it_did_leaves_nothing(album: Album, reference: Path) -> None:
    album.check(reference, page(left=32), NOW)
    assert left_behind(album) == []


def test_a_page_that_changed_is_shown_with_what_differs(album: Album, reference: Path) -> None:
    changed = page(left=51)
    said = complaint(album, reference, changed)
    assert f"no longer looks like its reference picture {reference}:" in said
    assert "around x = 36, y = 22. See" in said  # the middle of the square that has gone
    assert f"See {album.failures / 'square.png'}, and " in said
    assert "square-differences.png with the differences in red." in said
    assert f"The reference was taken by {THEN}, this picture by {NOW}." in said
    assert said.endswith("If the page is right and its picture is old, run: make pictures")
    assert left_behind(album) == ["square-differences.png", "square.png"]
    np.testing.assert_array_equal(read(album.failures / "square.png"), changed)
    red, green, _ = read(album.failures / "square-differences.png").transpose(2, 0, 1) > 128
    for gone_or_come in (36, 56):
        assert (red & ~green)[22, gone_or_come]
    assert not (red & ~green)[:, :25].any()


def test_a_page_of_another_size_is_told_its_size(album: Album, reference: Path) -> None:
    said = complaint(album, reference, page()[:-2])
    assert f"The page is 71 x 51 pixels and its reference picture {reference} 71 x 53." in said
    assert THEN in said
    assert "make pictures" in said
    assert left_behind(album) == ["square.png"]


def test_the_same_browser_is_named_once(album: Album, reference: Path) -> None:
    said = complaint(album, reference, page(left=3), browser=THEN)
    assert f"The reference was taken by {THEN}, this picture by the same." in said


def test_a_missing_reference_is_asked_for_and_not_made(album: Album) -> None:
    reference = album.taken_by.with_name("square.png")
    said = complaint(album, reference, page())
    assert f"There is no reference picture {reference}." in said
    assert said.endswith("if it is right, run: make pictures")
    assert not reference.exists()
    assert not album.taken_by.exists()
    assert left_behind(album) == ["square.png"]


# ---- renewing -----------------------------------------------------------------------------------


def test_a_picture_that_is_still_true_is_left_alone(album: Album, reference: Path) -> None:
    kept = reference.read_bytes()
    album.renew(reference, page() + np.uint8(LEVELS), NOW)
    assert reference.read_bytes() == kept
    assert album.browser_of == {"square.png": THEN}


@pytest.mark.parametrize("picture", [page(left=32), page()[:-2], page() + np.uint8(LEVELS + 1)])
def test_any_other_picture_is_taken_anew(album: Album, reference: Path, picture: Picture) -> None:
    album.renew(reference, picture, NOW)
    np.testing.assert_array_equal(read(reference), picture)
    assert album.browser_of == {"square.png": NOW}


def test_what_belongs_to_no_reference_is_forgotten(album: Album, reference: Path) -> None:
    other = reference.with_name("other.png")
    album.renew(other, page(), NOW)
    assert album.left_over({reference}) == [other]
    album.remove_others({reference})
    assert not other.exists()
    assert reference.exists()
    assert album.browser_of == {"square.png": THEN}


def test_a_run_of_everything_cannot_renew() -> None:
    command = [sys.executable, "-m", "pytest", "--renew-pictures", "--collect-only"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "unrecognized arguments: --renew-pictures" in run.stderr


# ---- files --------------------------------------------------------------------------------------


def test_a_picture_of_few_colours_is_kept_to_the_bit(tmp_path: Path) -> None:
    write(tmp_path / "new folder" / "page.png", page())
    np.testing.assert_array_equal(read(tmp_path / "new folder" / "page.png"), page())


def many_colors() -> Picture:
    """Two plain grounds, and between them more colours than a palette has room for."""
    picture = page()
    picture[:10] = 213
    picture[40:45] = np.arange(5 * WIDTH * 3).reshape(5, WIDTH, 3) % 251
    picture[45:50, :, 1] = np.arange(5 * WIDTH).reshape(5, WIDTH) % 241
    return picture


def test_of_many_colours_the_frequent_are_kept_and_the_rare_ones_come_close() -> None:
    picture = many_colors()
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 256
    colors, places = with_few_colors(picture)
    kept = colors[places]
    assert len(colors) == 256
    for color in (240, 213):
        ground = (picture == color).all(axis=2)
        np.testing.assert_array_equal(kept[ground], picture[ground])
    assert differ_by_palette_alone(kept, picture)
    assert not np.array_equal(kept, picture)
