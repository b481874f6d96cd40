"""What happens to the scores: scale, soft cap, positions, temperature, and the kind of softmax."""

from __future__ import annotations

from dataclasses import Field, field, make_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mha_core.options.registry import OPTIONS


class _Checked:
    """What happens to the scores between Q K^T and the softmax.

    Each option is declared in a file of its own in `mha_core/options/`:
    """

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            option.check(getattr(self, name))

    def number(self, name: str, d_k: int) -> Any:
        """The number that an option stands for in a layer of this d_k."""
        return OPTIONS[name].number(getattr(self, name), d_k)

    def factor(self, d_k: int) -> float:
        """The number that raw scores are multiplied by."""
        factor: float = self.number("scale", d_k)
        return factor


if TYPE_CHECKING:

    class ScoreOptions(_Checked):
        """One field for each option, by its name."""

        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

        def __init__(self, *values: Any, **options: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...

else:
    ScoreOptions = make_dataclass(
        "ScoreOptions",
        [(name, Any, field(default=option.default)) for name, option in OPTIONS.items()],
        bases=(_Checked,),
        namespace={
            "__module__": __name__,
            "__doc__": f"{_Checked.__doc__}\n"
            + "\n".join(f"    {name}: {option.help}" for name, option in OPTIONS.items()),
        },
        frozen=True,
    )
