"""What a picture lies on: the colours of everything but the numbers.

The same as `LIGHT`, `DARK` and `GROUNDS` in `ui/plot/js`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from mha_core.language import say
from ui.figures.colors import mixed


@dataclass(frozen=True)
class Ground:
    """`paper` is None where it is transparent; `under` is what we assume below it."""

    name: str
    paper: str | None
    under: str
    text: str
    lost: str
    theme: Literal["light", "dark"]

    @property
    def quiet(self) -> str:
        """The colour of less important words."""
        return self.pale(0.75)

    def pale(self, opacity: float) -> str:
        return mixed(self.text, self.under, opacity)


_LIGHT: Final = Ground(say("Light"), "#ffffff", "#ffffff", "#1c1830", "#bdbac6", "light")
_DARK: Final = Ground(say("Dark"), "#14121f", "#14121f", "#eceaf6", "#5d5a69", "dark")
GROUNDS: Final = {
    "light": _LIGHT,
    "dark": _DARK,
    "clear-light": replace(_LIGHT, name=say("None, for light slides"), paper=None),
    "clear-dark": replace(_DARK, name=say("None, for dark slides"), paper=None),
}
