"""Journeys on a server half a second late in every run: nothing is lost, nothing comes twice.

Takes long: a journey is many entries, and each is a run of the whole page.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

# Pytest runs what it finds here by name.
from tests.browser.test_editing_in_place import (  # noqa: F401 (tests, and the fixture they need)
    test_a_row_is_typed_what_is_refused_stays_in_its_cell_and_undo_takes_back_one_number,
    way_in,
)
from tests.browser.test_journeys import (  # noqa: F401 (tests)
    test_back_and_forward_lead_through_what_was_shown,
    test_what_is_typed_while_the_page_answers_is_kept_and_tokens_mask_and_heads_are_undone,
)
from tests.browser.test_scrub import (  # noqa: F401 (a test)
    test_drags_that_follow_quickly_are_all_kept_each_a_step_for_undo,
)
from tests.serving import NEXT_VISITOR, AppServer, served


@pytest.fixture(scope="module")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    log_file = tmp_path_factory.mktemp("slow") / "server.log"
    with served("tests/browser/slow/app.py", log_file, before_all=NEXT_VISITOR) as server:
        yield server
