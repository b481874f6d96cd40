"""The explorer as a package: `show` for notebooks, and the command that starts the app."""

from ui.notebook import Shown, show

__all__ = ["Shown", "show"]
