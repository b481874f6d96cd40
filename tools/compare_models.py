"""Compare the families of trained models with their own code, and record what the tests check.

    python -m tools.compare_models            # a table: the largest difference of each family
    python -m tools.compare_models --record   # also writes tests/core/models/recorded/

It needs torch and transformers, which nothing else does. Each model is small, with numbers that
are made of its tensors' names, so that the tests can make them again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from mha_core.layer.attending import attend
from mha_core.models import Model, open_model
from mha_core.models.plan import Attention
from tests.core.models.held import Held, made_numbers
from tools.models_compared import CASES, IDS

RECORDED: Final = Path("tests/core/models/recorded")
WHAT: Final = ("inputs", "weights", "outputs", "result")
Arrays = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("only", nargs="*")
    given = parser.parse_args()
    print("| family | model | " + " | ".join(WHAT) + " |")
    print("|---" * (len(WHAT) + 2) + "|")
    for name, (config_class, model_class, settings) in CASES.items():
        if not given.only or name in given.only:
            _compare(name, config_class, model_class, settings, record=given.record)


def _compare(
    name: str, config_class: str, model_class: str, settings: Mapping[str, Any], *, record: bool
) -> None:
    transformers = import_module("transformers")
    config = getattr(transformers, config_class)(**settings)
    config._attn_implementation = "eager"
    theirs = _with_made_numbers(getattr(transformers, model_class)(config).eval())
    file = Held(
        {key: value.detach().numpy() for key, value in theirs.state_dict().items()},
        json.loads(config.to_json_string(use_diff=False)),
    )
    ours = open_model(file)
    expected = theirs_on_ids(theirs, ours)
    made = ours_on_ids(ours)
    differences = [_furthest(made[what], expected[what]) for what in WHAT]
    print(f"| {ours.family} | {name} | " + " | ".join(f"{d:.1e}" for d in differences) + " |")
    if record:
        _write(name, file, expected)


def _with_made_numbers(model: Any) -> Any:
    torch = import_module("torch")
    state = model.state_dict()
    for key, value in state.items():
        if value.dtype.is_floating_point:
            state[key] = torch.from_numpy(made_numbers(key, tuple(value.shape)))
    model.load_state_dict(state)
    return model


def theirs_on_ids(model: Any, ours: Model) -> Arrays:
    """What the model's own code reads, weighs and gives in each attention layer."""
    torch = import_module("torch")
    inputs: dict[int, Any] = {}
    outputs: dict[int, Any] = {}
    modules = dict(model.named_modules())

    def kept(into: dict[int, Any], layer: int, place: int) -> Callable[..., None]:
        def hook(_: Any, read: Any, made: Any) -> None:
            into.setdefault(layer, (read[0], made)[place].detach().numpy()[0])

        return hook

    for layer, block in enumerate(ours.plan.blocks):
        q, o = _modules(block.attention)
        modules[q].register_forward_hook(kept(inputs, layer, 0))
        modules[o].register_forward_hook(kept(outputs, layer, 1))
    with torch.no_grad():
        out = model(torch.tensor([IDS]), output_attentions=True)
    return {
        "inputs": [inputs[layer] for layer in sorted(inputs)],
        "weights": [each.numpy()[0] for each in out.attentions],
        "outputs": [outputs[layer] for layer in sorted(outputs)],
        "result": [out.last_hidden_state.numpy()[0]],
    }


def _modules(attention: Attention) -> tuple[str, str]:
    q, o = attention.names.w_q.name, attention.names.w_o.name
    return q.removesuffix(".weight"), o.removesuffix(".weight")


def ours_on_ids(model: Model) -> Arrays:
    """The same by this package."""
    run, text = model.run(IDS), model.text_of(IDS)
    traces = [attend(model.scenario(layer, text, run)) for layer in range(model.n_layers)]
    return {
        "inputs": list(run.inputs),
        "weights": [trace.weights for trace in traces],
        "outputs": [trace.output for trace in traces],
        "result": [run.result],
    }


def _furthest(made: Any, expected: Any) -> float:
    assert len(made) == len(expected) or len(expected) == 1, (len(made), len(expected))
    return max(
        float(np.abs(ours - theirs).max()) for ours, theirs in zip(made, expected, strict=False)
    )


def _write(name: str, file: Held, expected: Arrays) -> None:
    RECORDED.mkdir(exist_ok=True)
    said = {"config": _plain(file.config), "shapes": file.shapes}
    arrays = dict(_named(expected))
    np.savez_compressed(RECORDED / f"{name}.npz", said=np.array(json.dumps(said)), **arrays)


def _plain(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config without what says nothing of the arithmetic."""
    return {
        key: value
        for key, value in config.items()
        if value is not None and key not in ("id2label", "label2id", "transformers_version")
    }


def _named(expected: Arrays) -> Iterator[tuple[str, Any]]:
    for what in WHAT:
        for layer, array in enumerate(expected[what]):
            yield f"{what}{layer}", array


if __name__ == "__main__":
    main()
