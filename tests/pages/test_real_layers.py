"""The page of real layers: models, texts, heads, many sentences, the way to the explorer."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any
from weakref import WeakMethod

import numpy as np
import pytest
import tokenizers

from mha_core.checks.errors import OptionError
from mha_core.io.tensors.opening import tensors_of
from mha_core.models import ModelPackage, open_model
from mha_core.scenario.origin import Origin
from mha_core.survey.head_map import IN_LAYERS
from mha_core.survey.measures import MEASURES
from mha_core.survey.own_sentences import MOST_TEXTS, sentences_of
from tests.core.models.recorded_models import Recorded
from tests.pages.page_visitor import PageVisitor
from tests.pages.small_model import file_of, model_file, model_with_decoder
from ui.blocks.real import choice, installing
from ui.blocks.real.choice import _open_path, _take
from ui.blocks.real.opening import click
from ui.machine import memory
from ui.machine.own_machine import VARIABLE
from ui.state.models_here import MODELS, OpenedModel, OwnModels
from ui.state.real_layers import KEY, OWN, RealLayers, described


class Reader(PageVisitor):
    """A visitor of the page of real layers."""

    def __init__(self, address: str = "", **state: Any) -> None:
        super().__init__("real_layers.py", address, **state)

    @property
    def shown(self) -> RealLayers:
        shown: RealLayers = self.at.session_state[KEY]
        return shown

    def sent(self, component: str) -> dict[str, Any]:
        """What the browser is sent for a component, the last of its kind."""
        protos = [node.proto for node in self.at.get("bidi_component")]
        return [dict(json.loads(p.json)) for p in protos if p.component_name == component][-1]

    @property
    def tiles(self) -> list[dict[str, Any]]:
        protos = [node.proto for node in self.at.get("bidi_component")]
        (first, *_) = [p for p in protos if p.component_name == "head_tiles"]
        return list(json.loads(json.loads(first.json)["tiles"]))


def with_file(data: bytes, name: str) -> Reader:
    """A visitor who has given a file."""
    shown = described({})
    _take(shown, data, name)
    return Reader(**{KEY: shown})


def with_own_model(**changes: Any) -> Reader:
    shown = described({})
    _take(shown, model_file(**changes), "small.npz")
    shown.read("a b c a b")
    return Reader(**{KEY: shown})


def taker_of(page: Reader, monkeypatch: pytest.MonkeyPatch, module: str, key: str) -> Any:
    """What a field for a file does with one."""
    taken: dict[str, Any] = {}

    def note(_: Any, name: str, __: str, ___: Any, take: Any, ____: Any, **_more: Any) -> None:
        taken[name] = take

    with monkeypatch.context() as patched:
        patched.setattr(sys.modules[module], "file_field", note)
        page.run()
    return taken[key]


def test_it_opens_on_our_model_and_shows_all_its_heads() -> None:
    page = Reader()
    assert page.shown.model == next(iter(MODELS))
    assert len(page.tiles) == 8
    assert {tile["group"] for tile in page.tiles} == {"Layer 1", "Layer 2"}
    assert page.tiles[0]["spoken"].startswith("Layer 1, head 1: ")
    assert page.address == {"model": page.shown.model}


def test_another_text_gives_other_pictures_and_the_address_has_it() -> None:
    page = Reader()
    before = page.tiles
    page.enter("real-text", "Anna Stone met Ben Wood .")
    assert page.address["text"] == "Anna Stone met Ben Wood ."
    assert page.tiles[0]["across"] == 6
    assert page.tiles != before


def test_heads_are_sorted_by_what_they_do() -> None:
    page = with_own_model().enter("real-order", "previous")
    scores = [tile["says"] for tile in page.tiles]
    assert page.tiles[0]["title"].startswith("Layer ")
    shares = [
        layer.scores[head][list(MEASURES).index("previous")]
        for layer in page.shown.heads
        for head in (0, 1)
    ]
    assert f"{max(shares):.2f}" in scores[0]
    assert f"{min(shares):.2f}" in scores[-1]
    assert page.address["order"] == "previous"


def test_the_first_token_can_be_left_out() -> None:
    page = with_own_model()
    assert "The first token takes " in page.words
    with_it = page.tiles
    page.enter("real-without-first", True)
    assert page.address["first"] == "off"
    assert page.tiles != with_it
    assert [tile["says"] for tile in page.enter("real-without-first", False).tiles] == [
        tile["says"] for tile in with_it
    ]


def test_whole_words_are_seen_where_a_person_asks_for_them() -> None:
    page = with_own_model()
    before = page.tiles
    page.enter("real-whole-words", True)
    assert page.address["words"] == "on"
    assert page.tiles == before  # here each word is one token


def test_an_address_says_all_and_what_is_wrong_there_is_told() -> None:
    shown = described({"order": "entropy", "text": "a b", "first": "off", "words": "on"})
    assert (shown.order, shown.text, shown.has_first, shown.has_words) == (
        "entropy",
        "a b",
        False,
        True,
    )
    page = Reader("model=none&order=zigzag")
    assert page.shown.order == IN_LAYERS
    assert [error.value for error in page.at.error] != []
    assert "must be one of" in page.words


def test_a_file_is_a_model_to_choose_and_the_address_does_not_name_it() -> None:
    page = with_own_model()
    assert page.shown.model == OWN
    assert page.at.selectbox(key="real-model").options[-1] == "small.npz"
    assert "model" not in page.address
    page.enter("real-model", next(iter(MODELS)))
    assert page.address["model"] == next(iter(MODELS))
    assert page.shown.own


def test_a_file_with_a_list_of_words_opens_on_some_of_them() -> None:
    page = with_file(model_file(), "small.npz")
    assert not page.at.error
    assert page.at.text_input(key="real-text").value == "a b c a b c"
    assert page.tiles[0]["across"] == 6


def test_a_text_that_the_next_model_cannot_read_is_forgotten() -> None:
    page = Reader().enter("real-text", "Anna met Ben")
    page.enter("real-model", "mathformer-add")  # which has a word for what it does not know
    assert page.shown.text == "Anna met Ben"
    _take(page.shown, model_file(), "small.npz")
    assert not page.run().at.error
    assert page.shown.text == "a b c a b c"
    page = with_decoder().enter("real-text-of-decoder", "d k")
    page.enter("real-text", "d k").enter("real-model", next(iter(MODELS)))
    assert (page.shown.own_text, page.shown.of_decoder) == ("d k", "d k")
    _take(page.shown, model_file(), "small.npz")
    assert (page.shown.own_text, page.shown.of_decoder) == ("", "")


def test_a_file_that_is_none_is_refused_and_nothing_is_lost() -> None:
    page = with_file(b"no model", "broken.safetensors")
    assert page.shown.model == next(iter(MODELS))
    assert "broken.safetensors" in page.words
    page.enter("real-text", "Anna met Ben .")
    assert not page.at.error


def test_a_word_that_the_model_does_not_know_is_told() -> None:
    page = with_own_model().enter("real-text", "a " * 513)
    assert "must have at most 512 tokens" in page.words
    assert page.enter("real-text", "a b").tiles


def test_a_model_that_is_too_wide_for_the_page_is_refused() -> None:
    page = with_file(model_file(width=1032, places=4), "wide.npz")
    assert "must be at most 1,024 columns wide" in page.words


def test_a_path_is_read_only_where_the_visitor_sits_at_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    file = tmp_path / "model.npz"
    file.write_bytes(model_file())
    page = Reader()
    _open_path(page.shown, str(file))
    assert page.shown.own is None
    assert VARIABLE in page.words
    monkeypatch.setattr(choice, "is_at_own_machine", lambda: True)
    page.run().enter("real-path", str(file))
    assert page.at.selectbox(key="real-model").options[-1] == tmp_path.name


def words_of_its_field(page: Reader) -> dict[str, Any]:
    protos = [node.proto for node in page.at.get("bidi_component")]
    (first, *_) = [p for p in protos if p.component_name == "file_field"]
    return dict(json.loads(json.loads(first.json)["words"]))


def test_a_file_that_is_too_large_is_told_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Reader()
    assert words_of_its_field(page)["large"].endswith("At most 48 MB: open it as said below.")
    assert f"{VARIABLE}=1" in page.words
    monkeypatch.setattr(choice, "is_at_own_machine", lambda: True)
    assert words_of_its_field(page.run())["large"].endswith("At most 48 MB: give its path below.")
    assert page.at.text_input(key="real-path").label == "Or a path on this machine"


def without_its_folder() -> bytes:
    recorded = Recorded("llama")
    return file_of({"config": np.array(json.dumps(recorded.config)), **recorded.file.tensors})


def test_a_tokenizer_is_given_to_a_model_that_came_without_its_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = with_file(without_its_folder(), "alone.npz")
    assert "To type words, give its tokenizer.json." in page.words
    assert page.shown.text == "0 1 2 3 4 5 0 1 2 3 4 5"
    take = taker_of(page, monkeypatch, "ui.blocks.real.choice", "real-tokenizer")
    take(b"none", "tokenizer.json")
    assert "tokenizer.json must be a tokenizer" in page.run().words
    assert page.tiles[0]["across"] == 12  # nothing is lost
    page.enter("real-text", "4 5")
    words = tokenizers.models.WordLevel({"red": 0, "green": 1, "[UNK]": 2}, unk_token="[UNK]")
    made = tokenizers.Tokenizer(words)
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    take(made.to_str().encode(), "tokenizer.json")
    assert not page.run().at.error
    assert page.shown.text == "red green red green"
    assert "give its tokenizer.json" not in page.words
    assert page.enter("real-text", "green red").tiles[0]["across"] == 2


def at_own_machine(
    monkeypatch: pytest.MonkeyPatch, missing: str, came: Path = Path("never")
) -> Reader:
    """A page on a visitor's own machine, where one package is missing until a file is there."""
    page = Reader()
    here = ModelPackage.path.fget
    path = property(
        lambda each: None if each.package == missing and not came.exists() else here(each)
    )
    monkeypatch.setattr(ModelPackage, "path", path)
    monkeypatch.setattr(installing, "is_at_own_machine", lambda: True)
    monkeypatch.delitem(MODELS, "glassllm-en")
    return page.run()


def test_a_button_installs_a_model_on_ones_own_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    page = at_own_machine(monkeypatch, "glassllm")
    assert page.at.button(key="real-install-glassllm").label == "Install glassllm, 3 MB"
    asked: list[str] = []

    def install(package: ModelPackage, told: Any) -> None:
        asked.append(package.name)
        told(0.5)
        if len(asked) == 1:
            raise OptionError("It", "must come", "nothing", "Wait.")
        monkeypatch.undo()

    monkeypatch.setattr(installing, "install", install)
    page.click("real-install-glassllm")
    assert "It must come, got nothing. Wait." in page.words
    assert page.shown.model == next(iter(MODELS))
    page.click("real-install-glassllm")
    assert asked == ["glassllm-en"] * 2
    assert page.shown.model == "glassllm-en"
    assert "real-install-glassllm" not in {button.key for button in page.at.button}


def test_what_another_program_has_brought_is_opened_and_no_more_offered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    came = tmp_path / "came"
    page = at_own_machine(monkeypatch, "glassllm", came)
    program = f"print('Progress 1 of 2', flush=True); open({str(came)!r}, 'w').close()"
    words = [sys.executable, "-c", program]
    monkeypatch.setattr(sys.modules["ui.machine.installing"], "command", lambda _: words)
    page.click("real-install-glassllm")
    assert page.at.selectbox(key=choice.MODEL).value == "glassllm-en"
    assert "gives the token before" in page.words  # what to see in this model
    assert "real-install-glassllm" not in {button.key for button in page.at.button}


def test_nothing_is_installed_on_a_server_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    page = at_own_machine(monkeypatch, "glassllm")
    monkeypatch.setattr(installing, "install", None)  # which would raise
    monkeypatch.setattr(installing, "is_at_own_machine", lambda: False)
    page.click("real-install-glassllm")
    assert not page.at.exception
    assert "real-install-glassllm" not in {button.key for button in page.at.button}
    assert "`glassllm`, 3 MB" in page.words


def test_a_click_on_a_head_opens_it_in_the_explorer() -> None:
    page = with_own_model()
    click(page.shown, layer=1, head=1)
    page.run()
    session = page.at.session_state["session"]
    assert session.view.head == 1
    assert session.view.title == "small.npz: Layer 2"
    assert session.scenario.tokens == ("a", "b", "c", "a", "b")
    made = Origin(model="small.npz", model_layer=1, model_text="a b c a b")
    assert session.scenario.origin == made


def with_decoder() -> Reader:
    """Encoder and decoder: a is 0, b is 1, and so on. The decoder begins with a."""
    page = Reader()
    _take(page.shown, model_with_decoder(), "both.npz")
    page.shown.read("c d e f")
    return Reader(**{KEY: page.shown})


def test_a_model_with_a_decoder_reads_two_texts() -> None:
    page = with_decoder()
    assert [*dict.fromkeys(tile["group"] for tile in page.tiles)][1:4] == [
        "Encoder, layer 2",
        "Decoder, layer 1",
        "Decoder, layer 1, cross",
    ]
    assert "It reads a text of its own; where none is given, the same one." in page.words
    before = page.tiles
    page.enter("real-text-of-decoder", "g h")
    assert page.address["decoder"] == "g h"
    assert page.tiles[0] == before[0]
    assert page.tiles[-1] != before[-1]
    click(page.shown, layer=3, head=1)
    page.run()
    session = page.at.session_state["session"]
    assert session.view.title == "both.npz: Decoder, layer 1, cross"
    assert session.scenario.tokens == ("a", "g", "h")
    assert session.scenario.context_tokens == ("c", "d", "e", "f")
    read = {"model_text": "c d e f", "model_text_of_decoder": "g h"}
    assert session.scenario.origin == Origin(model="both.npz", model_layer=3, **read)


def test_a_decoder_reads_many_sentences_as_its_encoder_does() -> None:
    page = with_decoder()
    page.shown.read_many(sentences_of(["c d e f c", "g h c d"]))
    page.press("Read them all")
    assert page.shown.many
    assert page.shown.many.count == 2
    assert len(json.loads(page.sent("head_tiles")["tiles"])) == 2


def test_what_to_see_is_told_of_a_package_and_its_head_opens() -> None:
    page = Reader("model=mathformer-add")
    assert [each.value for each in page.at.subheader] == ["What to see here"]
    html = [node.proto.body for node in page.at.get("html")]
    claims = [body for body in html if 'class="claims"' in body]
    assert len(claims) == 4
    assert all("✓" in claim for claim in claims)
    page.enter("real-text", "7+5")
    assert sum("Cannot be told here" in node.proto.body for node in page.at.get("html")) == 3
    page.at.button(key="real-sight-1").click().run()
    assert page.at.session_state["session"].scenario.tokens == ("7", "+", "5")
    assert not Reader().at.subheader  # our own model has an example of its own


def test_only_a_model_with_a_decoder_asks_for_its_text() -> None:
    assert not [field for field in Reader().at.text_input if field.key == "real-text-of-decoder"]


def test_a_layer_with_too_many_scores_opens_with_the_clicked_head_alone() -> None:
    page = with_own_model(heads=8)
    page.shown.read("a b " * 250)
    click(page.shown, layer=0, head=5)
    page.run()
    session = page.at.session_state["session"]
    assert session.scenario.n_heads == 1
    assert session.view.title == "small.npz: Layer 1, head 6"


def test_many_sentences_are_read_and_a_head_is_told() -> None:
    page = Reader().press("Read them all")
    assert page.shown.many
    assert page.shown.many.count == 200
    assert len(json.loads(page.sent("head_dots")["dots"])) == 8
    assert "Over 200 sentences" in page.words
    texts = json.loads(page.sent("head_tiles")["tiles"])
    assert len({tile["says"] for tile in texts}) == len(texts) == 6
    layer, head = page.shown.studied or (0, 0)
    page.enter("real-head", (1 - layer, head))
    assert page.shown.studied == (1 - layer, head)
    page.enter("real-axis-0", "entropy")
    assert page.sent("head_dots")["across"] == "Entropy"


def test_reading_can_be_stopped_and_goes_on_where_it_stopped() -> None:
    page = Reader().press("Read them all")
    assert page.shown.many
    del page.shown.many.read[3:], page.shown.many.tokens[3:]
    page.run()
    assert "Over 3 sentences" in page.words
    assert page.press("Go on").shown.many.count == 200  # type: ignore[union-attr]


def test_the_oldest_file_goes_when_the_room_is_taken() -> None:
    first, second = RealLayers("ours"), RealLayers("ours")
    opened = OpenedModel("small", open_model(tensors_of("small.npz", model_file())))
    room = OwnModels(most_bytes=100)
    for shown in (first, second):
        shown.own, shown.model = opened, OWN
    room.keep(1, 60, WeakMethod(first.let_own_go))
    room.keep(2, 60, WeakMethod(second.let_own_go))
    assert first.own is None
    assert first.model == next(iter(MODELS))
    assert "must leave room" in first.refusals["own"].reason
    assert second.model == OWN


def test_sentences_of_ones_own_are_read_instead_of_ours() -> None:
    page = Reader()
    page.enter("real-own-texts", "Mila Stone met Leo Snow.\n\n  Leo Snow met Mila Stone.\n")
    assert page.shown.own_sentences.texts == (
        "Mila Stone met Leo Snow.",
        "Leo Snow met Mila Stone.",
    )
    page.press("Read them all")
    assert "Over 2 sentences" in page.words
    page.shown.read_many(sentences_of([]))
    assert page.shown.many is None
    assert len(page.shown.many_texts) == 200


def test_own_sentences_that_are_too_many_or_cannot_be_read_are_said() -> None:
    page = with_own_model()
    page.enter("real-own-texts", "\n".join(["a b c", "b x", "a " * 600, *["c a"] * MOST_TEXTS]))
    assert "The first 500 of 503 sentences are read." in page.words
    page.shown.read_many(sentences_of(["a b c", "b x", "a " * 600, "c a"]))
    page.run().press("Read them all")
    assert "Over 2 sentences" in page.words
    assert "2 sentences are left out, as this model cannot read them. The first: " in page.words
    assert "A word must be one of the 3 that the model knows, got 'x'." in page.words
    page.enter("real-own-texts", "x y").press("Read them all")
    assert page.shown.many is None
    assert "got 'x'" in page.words


def test_a_file_of_sentences_is_read_or_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Reader()
    take = taker_of(page, monkeypatch, "ui.blocks.real.many_texts", "real-texts")
    take(b"sentence;who\nMila Stone met Leo Snow.;me\n", "own.csv")
    assert page.shown.own_sentences.texts == ("Mila Stone met Leo Snow.",)
    take(b"\xff", "own.txt")
    assert "must be text in UTF-8" in page.run().words
    assert page.shown.own_sentences.texts  # nothing is lost
    page.enter("real-own-texts", "Leo.")
    assert "must be text in UTF-8" not in page.words


def test_the_page_says_what_a_layer_takes() -> None:
    page = Reader("text=Mila Stone met Leo Snow")
    assert re.search(r"5 tokens\. This takes about \d+ kB; the server has \d", page.words)
    assert "X of each layer comes from a run of the whole model on your words." in page.words
    assert "1 token. " in page.enter("real-text", "Mila").words


def test_one_layer_opens_with_hidden_states_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    page = with_own_model()
    take = taker_of(page, monkeypatch, "ui.blocks.real.x_of_a_file", "real-states")
    take(b"none", "states.npz")
    assert "states.npz" in page.run().words
    states = io.BytesIO()
    np.savez(states, few=np.ones((3, 8)), many=np.ones((600, 8)))
    take(states.getvalue(), "states.npz")
    page.run().enter("real-states-array", "many").click("real-states-open")
    assert "The hidden states must have at most 512 rows, got 600." in page.words
    page.enter("real-states-layer", 1).enter("real-states-array", "few")
    page.enter("real-states-normed", True).click("real-states-open")
    session = page.at.session_state["session"]
    assert session.view.title == "small.npz: Layer 2, X from a file"
    assert session.scenario.x.tolist() == [[1.0] * 8] * 3
    assert session.scenario.origin == Origin(model="small.npz", model_layer=1)


def test_hidden_states_are_let_go_with_their_model(monkeypatch: pytest.MonkeyPatch) -> None:
    page = with_own_model()
    fields: dict[str, Any] = {}
    with monkeypatch.context() as patched:
        patched.setattr(
            sys.modules["ui.blocks.real.x_of_a_file"],
            "file_field",
            lambda _, name, __, ___, take, away: fields.update({name: (take, away)}),
        )
        page.run()
    take, take_away = fields["real-states"]
    states = io.BytesIO()
    np.savez(states, x=np.ones((3, 8)))
    take(states.getvalue(), "states.npz")
    assert page.shown.states
    take_away()
    assert page.shown.states is None
    take(states.getvalue(), "states.npz")
    page.shown.choose(next(iter(MODELS)))
    assert page.shown.states is None


def test_what_takes_more_than_the_server_has_is_refused_before_it_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = with_own_model()
    monkeypatch.setattr(memory, "room", lambda: 1000)
    page.enter("real-text", "a b c")
    assert "This must fit into the 1,000 bytes that the server has" in page.words.replace(
        "1000", "1,000"
    )
    assert page.shown.heads == []
    monkeypatch.undo()
    assert len(page.enter("real-text", "a b").tiles) == 4
