"""Starts the explorer: `streamlit run app.py`.

This file is the server. It runs once, and says what is served beside the pages. The pages and their
order are in `pages/navigation.py`, which runs for every visitor.
"""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from ui.running.packages import end_if_packages_are_missing

end_if_packages_are_missing()

# How many new objects start the garbage collector, and how often it looks at older ones. An import
# makes thousands that stay; a run of a page makes thousands that go when it ends. By default the
# collector looks at them again and again.
SELDOM = (50_000, 20, 50)
gc.set_threshold(*SELDOM)

# These need the packages that were just looked for: imported above, they would end in a traceback.
from ui import hosting, plot, served_page, served_scripts
from ui.blocks.first_sight import first_picture, first_sight
from ui.blocks.where_from import answer
from ui.controls.sidebar.held_field import drawn
from ui.guards import guards
from ui.running import errors, logs, routes, tuning

logs.kind_or_end()  # a wrong one ends the server before it has begun
tuning.is_on_or_end()


@asynccontextmanager
async def after_imports(_: st.App) -> AsyncIterator[None]:
    """Keep the collector from walking through all of NumPy and Streamlit again and again.

    It walks through them not even once: of what imports leave behind, 35 kB could go, and finding
    them would take 70 ms of each start.
    """
    gc.freeze()
    logs.write_json_if_asked()
    logs.tell_of_no_language()
    tuning.tune()
    yield


app = st.App(
    "pages/navigation.py",
    lifespan=after_imports,
    routes=[
        *served_page.routes(first_sight, first_picture, [plot.PLACE]),
        *plot.routes(answer, drawn),
        *routes.routes(),
    ],
    middleware=[*guards(), *hosting.MIDDLEWARE, *served_scripts.MIDDLEWARE],
    on_script_error=errors.explain,
)
