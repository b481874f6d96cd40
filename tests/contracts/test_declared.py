"""The declarations of options and mask rules are whole; a missing place is named."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path

import pytest

from mha_core.examples import load_example
from mha_core.layer.made_of import Changed
from mha_core.layer.trace import STEPS
from mha_core.mask_rules.declared import MaskRule
from mha_core.mask_rules.registry import RULES
from mha_core.options.kinds import Real
from mha_core.options.option import Option
from mha_core.options.registry import OPTIONS
from mha_core.scenario.masks import Rule
from mha_core.scenario.score_options import ScoreOptions
from tests.core.oracle import allows
from ui.edits.forward_inputs import forward_inputs

ROOT = Path(__file__).parents[2]
IN_THE_BROWSER = "ui/plot/js/numbers/forward.js"
OF_SIZES = ("n_q", "n_k", "rows")  # what every rule is told


def lacks_of_option(option: Option, forward: str) -> list[str]:
    """What an option still lacks: the file, and what is to stand there."""
    file = f"mha_core/options/{option.name}.py"
    lacks = []
    if option.default not in option.drawn:
        lacks.append(f"{file}: `drawn`, what a random test may give it, has not the default")
    if not option.help.endswith("."):
        lacks.append(f"{file}: `help` is no sentence")
    if isinstance(option.kind, Real) and option.slider is None:
        lacks.append(f"{file}: a number has no `slider`")
    if option.slider and f'given("{option.name}")' not in forward:
        lacks.append(f'{IN_THE_BROWSER}: its equation, which reads s.given("{option.name}")')
    steps = [step for step in STEPS if option.name == getattr(step.made_of, "option", None)]
    if option.step and not steps:
        lacks.append(f'mha_core/layer/trace.py: a step made_of.Changed(..., "{option.name}")')
    return lacks


def lacks_of_rule(rule: MaskRule) -> list[str]:
    file = f"mha_core/mask_rules/{rule.name}.py"
    takes = [name for name in inspect.signature(rule.function).parameters if name not in OF_SIZES]
    declared = [option.name for option in rule.options]
    lacks = [f"{file}: the option {name} is not declared" for name in takes if name not in declared]
    lacks += [f"{file}: nothing takes the option {name}" for name in declared if name not in takes]
    if ": " not in (rule.function.__doc__ or "").partition("\n")[0]:
        lacks.append(f"{file}: its docstring does not begin with 'Title: what it does.'")
    return lacks


@pytest.mark.parametrize("name", OPTIONS)
def test_nothing_is_missing_of_an_option(name: str) -> None:
    forward = (ROOT / IN_THE_BROWSER).read_text("utf-8")
    assert lacks_of_option(OPTIONS[name], forward) == []


@pytest.mark.parametrize("name", RULES)
def test_nothing_is_missing_of_a_mask_rule(name: str) -> None:
    assert lacks_of_rule(RULES[name]) == []
    allows(Rule(name, RULES[name].first_options(2, 2)), 0, 0, 2, 2)  # the oracle knows it


def test_what_is_missing_is_named_with_its_file() -> None:
    bare = replace(
        OPTIONS["softcap"], name="bent", drawn=(), help="", slider=OPTIONS["scale"].slider
    )
    assert [lack.partition(":")[0] for lack in lacks_of_option(bare, forward="")] == [
        "mha_core/options/bent.py",
        "mha_core/options/bent.py",
        IN_THE_BROWSER,
        "mha_core/layer/trace.py",
    ]
    undeclared = replace(RULES["dilated"], options=())
    assert lacks_of_rule(undeclared) == [
        "mha_core/mask_rules/dilated.py: the option step is not declared",
        "mha_core/mask_rules/dilated.py: the option align is not declared",
    ]


def test_the_files_are_named_as_what_they_declare() -> None:
    for folder, names in (("options", OPTIONS), ("mask_rules", RULES)):
        files = {path.stem for path in (ROOT / "mha_core" / folder).glob("*.py")}
        assert set(names) <= files


def test_the_browser_is_told_each_number() -> None:
    told = forward_inputs(load_example("two-tokens"))["numbers"]
    assert list(told) == [name for name, option in OPTIONS.items() if option.slider]
    assert set(vars(ScoreOptions())) == set(OPTIONS)


def test_a_step_of_an_option_says_which() -> None:
    changed = {s.made_of.option for s in STEPS if isinstance(s.made_of, Changed)}
    assert changed == {name for name, option in OPTIONS.items() if option.step}
