"""The screen: figures, the plot component, state, controls and what pages share."""
