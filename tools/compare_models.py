"""Compare the families of trained models with their own code, and record what the tests check.

    python -m tools.compare_models            # a table: the largest difference of each family
    python -m tools.compare_models --record   # also writes tests/core/models/recorded/

It needs torch and transformers, which nothing else does. Each model is small, with numbers that
are made of its tensors' names, so that the tests can make them again. "captured" is of the same
model while it runs: what `capture` computes again, as a part of the largest number of the output.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from mha_core.layer.attending import attend
from mha_core.models import Model, capture, open_model
from tests.core.models.held import made_numbers
from tools.models_compared import CASES, IDS, IDS_OF_DECODER

RECORDED: Final = Path("tests/core/models/recorded")
WHAT: Final = ("inputs", "weights", "outputs", "result")
Arrays = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("only", nargs="*")
    given = parser.parse_args()
    print("| family | model | " + " | ".join(WHAT) + " | captured |")
    print("|---" * (len(WHAT) + 3) + "|")
    for name, (config_class, model_class, settings) in CASES.items():
        if not given.only or name in given.only:
            _compare(name, config_class, model_class, settings, record=given.record)


def _compare(
    name: str, config_class: str, model_class: str, settings: Mapping[str, Any], *, record: bool
) -> None:
    transformers = import_module("transformers")
    kind = getattr(transformers, model_class)
    with TemporaryDirectory() as folder:
        kind(getattr(transformers, config_class)(**settings)).save_pretrained(folder)
        _fill_with_made_numbers(Path(folder) / "model.safetensors")
        theirs = kind.from_pretrained(folder, attn_implementation="eager").eval()
        model = open_model(folder)
        expected = theirs_of(theirs, model)
        made = ours(model, expected["start"][0])
        shapes, config = dict(model.file.shapes), dict(model.file.config)
        captured = _captured(kind.from_pretrained(folder).eval(), model)
    differences = [_furthest(made[what], expected[what]) for what in WHAT]
    print(
        f"| {model.family} | {name} | "
        + " | ".join(f"{d:.1e}" for d in [*differences, captured])
        + " |"
    )
    if record:
        starts = ("start",) if model.plan.embedding is None else ()
        said = {"config": _plain(config), "shapes": shapes}
        _write(name, said, _named(expected, (*starts, *WHAT)))


def _fill_with_made_numbers(path: Path) -> None:
    """The file as it was saved, with the names that such files have, and other numbers."""
    numpy_files = import_module("safetensors.numpy")
    made = {
        key: made_numbers(key, array.shape) for key, array in numpy_files.load_file(path).items()
    }
    numpy_files.save_file(made, path, metadata={"format": "pt"})


def theirs_of(theirs: Any, model: Model) -> Arrays:
    """What the model's own code reads, weighs and gives in each attention layer."""
    inputs: list[Any] = []
    outputs: list[Any] = []

    def keep_read(_: Any, read: Any, made: Any) -> None:
        inputs.append(read[0].detach().numpy()[0])

    def keep_made(_: Any, read: Any, made: Any) -> None:
        outputs.append(made.detach().numpy()[0])

    # Tied layers are one module, which is run several times.
    attention = [block.attention for block in model.plan.all_blocks]
    for name in {each.readers[0] for each in attention}:
        _module(theirs, model.file.read(name)).register_forward_hook(keep_read)
    for name in {each.names.w_o.name for each in attention}:
        _module(theirs, model.file.read(name)).register_forward_hook(keep_made)
    read, of_decoder = _read_by(theirs, model)
    with import_module("torch").no_grad():
        out = theirs(read, **of_decoder, output_attentions=True, output_hidden_states=True)
    streams = out.encoder_hidden_states if model.has_decoder else out.hidden_states
    return {
        "start": [streams[0].numpy()[0]],
        "inputs": inputs,
        "weights": [each.numpy()[0] for each in _weights_in(out, model)],
        "outputs": outputs,
        "result": [out.last_hidden_state.numpy()[0]],
    }


def _read_by(theirs: Any, model: Model) -> tuple[Any, Arrays]:
    """What the model is called with."""
    torch = import_module("torch")
    read: Any = torch.tensor([IDS])
    if model.plan.embedding is None:  # what stands for pixels
        read = torch.from_numpy(made_numbers("pixels", _size_read(theirs.config)))
    own = {"decoder_input_ids": torch.tensor([IDS_OF_DECODER])} if model.has_decoder else {}
    return read, own


def _captured(theirs: Any, model: Model) -> float:
    """The largest difference in any layer of the model as it runs by default: often fused."""
    read, of_decoder = _read_by(theirs, model)
    layers = capture(theirs, read, **of_decoder)
    assert len(layers) == model.n_layers
    return max(layer.difference for layer in layers)


def _weights_in(out: Any, model: Model) -> list[Any]:
    """The weights of each attention layer; those of a decoder in the order in which they run."""
    if not model.has_decoder:
        return list(out.attentions)
    of_layers = zip(out.decoder_attentions, out.cross_attentions, strict=True)
    return [*out.encoder_attentions, *chain(*of_layers)]


def _size_read(config: Any) -> tuple[int, ...]:
    """The size of an image, or of sound."""
    if hasattr(config, "num_mel_bins"):
        return (1, config.num_mel_bins, 2 * config.max_source_positions)
    return (1, 3, config.image_size, config.image_size)


def _module(theirs: Any, weight: Any) -> Any:
    """The module that has this weight: its name may be another than that in the file."""
    [found] = [module for module in theirs.modules() if np.array_equal(_weight_of(module), weight)]
    return found


def _weight_of(module: Any) -> Any:
    weight = getattr(module, "weight", None)
    return None if weight is None else weight.detach().numpy()


def ours(model: Model, start: Any) -> Arrays:
    """The same by this package, from the ids, or from where the pixels are read."""
    of_decoder = IDS_OF_DECODER if model.has_decoder else ()
    has_words = model.plan.embedding is not None
    run = model.run(IDS, of_decoder) if has_words else model.run_from(start, of_decoder)
    traces = [attend(run.scenario(layer)) for layer in range(model.n_layers)]
    return {
        "inputs": list(run.inputs),
        "weights": [trace.weights for trace in traces],
        "outputs": [trace.output for trace in traces],
        "result": [run.result],
    }


def _furthest(made: Any, expected: Any) -> float:
    return max(
        float(np.abs(ours - theirs).max()) for ours, theirs in zip(made, expected, strict=True)
    )


def _write(name: str, said: Mapping[str, Any], arrays: Iterator[tuple[str, Any]]) -> None:
    RECORDED.mkdir(exist_ok=True)
    text = np.array(json.dumps(said))
    np.savez_compressed(RECORDED / f"{name}.npz", said=text, **dict(arrays))


def _plain(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config without what says nothing of the arithmetic."""
    return {
        key: value
        for key, value in config.items()
        if value is not None and key not in ("id2label", "label2id", "transformers_version")
    }


def _named(expected: Arrays, kept: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for what in kept:
        for layer, array in enumerate(expected[what]):
            yield f"{what}{layer}", array


if __name__ == "__main__":
    main()
