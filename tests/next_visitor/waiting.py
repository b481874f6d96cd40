"""The page on which a browser waits for its next visitor: the last one's session ends here."""

import streamlit as st

st.set_page_config(initial_sidebar_state="collapsed")  # so that a page that wants it opens it
st.session_state.clear()
st.html('<div class="next-visitor"></div>')
