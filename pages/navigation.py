"""What every page has in common: the window's title, the layout, and the way between pages."""

import streamlit as st

from mha_core.language import say
from ui.machine.line import LINE
from ui.state import begins_with_a_model, stop_elsewhere
from ui.state.tour_stops import FILES

st.set_page_config(
    page_title=say("Attention Explorer"),
    layout="wide",
    # On a course site (?embed=true) the picture comes first, the controls when they are asked for.
    initial_sidebar_state="collapsed" if st.context.is_embedded else 272,
)

PAGES = [
    st.Page("explore.py", title=say("Explore"), default=True),
    st.Page("walkthrough.py", title=say("Walkthrough")),
    st.Page("compare.py", title=say("Compare")),
    st.Page("patterns.py", title=say("Patterns")),
    st.Page("tours.py", title=say("Tours")),
    st.Page("build.py", title=say("Build a head")),
    st.Page("exercise.py", title=say("Exercise")),
    st.Page("real_layers.py", title=say("Real layers")),
    st.Page("for_class.py", title=say("For class")),
]
page = st.navigation(PAGES, position="top")
if stop := stop_elsewhere(page.url_path):
    st.switch_page(FILES[stop.page], query_params=stop.params)
if begins_with_a_model(page.url_path):
    st.switch_page("real_layers.py")
with LINE.turn():
    page.run()
