"""Pictures: pure functions from arrays to figures, which are data. No Streamlit, no session."""
