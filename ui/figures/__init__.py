"""Pictures: pure functions from arrays to plain Plotly figures. No Streamlit, no session."""
