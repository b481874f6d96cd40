"""A file that no family knows: what a visitor has said of one of its layers, and what X it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from mha_core.checks.errors import FormatError, LimitError, MhaError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.making.inputs import make_x, tokenize
from mha_core.mask_rules.registry import RULES
from mha_core.models.by_hand.checked import check_fits, says_compared, unchecked
from mha_core.models.by_hand.choice import Choice, choice_of, numbered
from mha_core.models.by_hand.guess import guessed, with_norm_of_gains
from mha_core.models.by_hand.layer_by_hand import LayerByHand
from mha_core.models.families.registry import is_recognised
from mha_core.models.memory import layer_bytes
from mha_core.models.plan import Attention
from mha_core.models.renamed import with_config
from mha_core.models.stored import Stored
from mha_core.models.text import check_ids
from mha_core.models.tokenizers_of_models import tokenizer_of
from mha_core.models.weights import LayerWeights, read_weights
from mha_core.options.kinds import Word
from mha_core.options.registry import OPTIONS
from mha_core.scenario.masks import Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from ui.edits.entries import option_typed
from ui.edits.page_limits import fits_page
from ui.machine.memory import check_room
from ui.state.hidden_states import StatesFile
from ui.state.opened_first import of_model

WORDS: Final = "words"
EMBEDDING: Final = "embedding"
STATES: Final = "states"
X_FROM: Final[Mapping[str, str]] = {
    WORDS: say("Made from words"),
    EMBEDDING: say("Rows of the embedding"),
    STATES: say("A file of hidden states"),
}
X_SAYS: Final[Mapping[str, str]] = {
    WORDS: say("X is made from the words, and is none of the model's: only the matrices are real."),
    EMBEDDING: say(
        "X has rows of the embedding as they stand: without positions, a factor or a norm, which "
        "no file says. So it is near to what the first layer reads, and to no other."
    ),
    STATES: say("X is what the file has: rows as the layer reads them, behind the norm before it."),
}
IN_TITLE: Final[Mapping[str, str]] = {
    WORDS: say("X made from words"),
    EMBEDDING: say("X of the embedding"),
    STATES: say("X from a file"),
}
MADE_X: Final = "word_vectors"
FIRST_TEXT: Final = say("the black cat saw the white dog")
FIRST_IDS: Final = "0 1 2 3"


FEWER: Final = say("Take fewer words. Whoever runs the server may give more: EXPLORER_ARRAYS_MB.")
SAY_IN_PYTHON: Final = say("Keep the mapping, and read the layer in Python: {call}.").format(
    call='read_layer("model.safetensors", 0, names="mapping.json")'
)


class ReadyLayer(NamedTuple):
    """A layer that the explorer is to show: its title, and which head is large."""

    scenario: Scenario
    title: str
    head: int = 0


@dataclass
class LayerToMap:
    """What a visitor has said of a file that is not recognised, and `why` it was not.

    `exact` is a mapping that was given as a file. It may say more than can be chosen, and holds
    until something else is chosen. `head` is the one that is opened alone, counted from 1; 0: all.
    """

    name: str
    file: TensorFile
    choice: Choice
    why: MhaError
    exact: LayerByHand | None = None
    x_from: str = WORDS
    text: str = ""
    states: StatesFile | None = None
    head: int = 0
    bare: TensorFile | None = None  # without a config that was given beside it
    size: int = 0  # of the file, in bytes that stay in memory

    @classmethod
    def of(
        cls,
        name: str,
        file: TensorFile,
        why: MhaError,
        config: Mapping[str, Any] | None = None,
        size: int = 0,
    ) -> LayerToMap:
        """What the file suggests, and the fields of a config that was given beside it."""
        given = with_config(file, config or {})
        return cls(name, given, guessed(given), why, bare=file, size=size)

    @property
    def is_of_known_family(self) -> bool:
        """Whether only something is missing, such as the number of heads."""
        return is_recognised(self.file)

    # What was chosen.

    def choose(self, choice: Choice) -> None:
        """Another mapping. The head that opens alone stays, if there are as many as before."""
        before = self.choice
        if (choice.n_heads, choice.d_k) != (before.n_heads, before.d_k):
            self.head = 0
        self.choice, self.exact = choice, None

    def choose_tensor(self, role: str, name: str) -> None:
        """Another tensor, or none. Gains say that queries and keys are normed, and how widely."""
        self.choose(with_norm_of_gains(self.choice.with_tensor(role, name), self.file.shapes))

    def choose_option(self, name: str, entered: str) -> None:
        """Another option of the scores: a word of its choices, or what was typed."""
        option = OPTIONS[name]
        value = (
            entered if isinstance(option.kind, Word) else option_typed(option, entered, self._sizes)
        )
        scores = replace(self.choice.scores, **{name: value})
        self.choose(replace(self.choice, scores=scores))

    def choose_rules(self, names: Sequence[str]) -> None:
        """What hides keys: the rules of these names. A new one begins as it is declared."""
        kept = [rule for rule in self.choice.rules if rule.name in names]
        there = {rule.name for rule in kept}
        count = len(tokenize(FIRST_TEXT))
        new = [
            Rule(name, RULES[name].first_options(count, count))
            for name in names
            if name not in there
        ]
        self.choose(replace(self.choice, rules=(*kept, *new)))

    def choose_in_rule(self, place: int, option: str, value: int) -> None:
        """Another number in one of the rules, by its place among them."""
        rules = list(self.choice.rules)
        rules[place] = Rule(rules[place].name, {**rules[place].options, option: value})
        self.choose(replace(self.choice, rules=tuple(rules)))

    @property
    def _sizes(self) -> dict[str, float]:
        """The sizes that a typed expression may name, once they are known."""
        try:
            attention, width = self._planned
        except MhaError:
            return {}
        return {"d_k": attention.d_k, "d_v": attention.d_v, "d_model": width}

    @property
    def _planned(self) -> tuple[Attention, int]:
        return self.mapped.plan(self.file.shapes, self.layer)

    def take_mapping(self, mapped: LayerByHand) -> None:
        """A mapping that was kept. What it names must be in this file."""
        choice = choice_of(mapped, self.file.shapes)
        for name in choice.names.values():
            Stored(name).shape_in(self.file.shapes, len(self.file.shapes.get(name, (0,))))
        self.choice = choice
        is_known = choice.n_heads > 0 or choice.d_k > 0
        is_chosen = is_known and choice.mapped(self.file.shapes) == mapped
        self.exact = None if is_chosen else mapped

    @property
    def mapped(self) -> LayerByHand:
        """The mapping, if all that it needs was said."""
        return self.exact or self.choice.mapped(self.file.shapes)

    @property
    def n_heads(self) -> int:
        return self._planned[0].n_heads

    @property
    def layer(self) -> int:
        _, layer, _ = numbered(self.choice.names, self.file.shapes)
        return layer

    @property
    def layers(self) -> list[int]:
        """All layers of the file that have tensors of the same names."""
        _, _, layers = numbered(self.choice.names, self.file.shapes)
        return layers

    def choose_head(self, head: int) -> None:
        self.head = head or 0

    def choose_layer(self, layer: int) -> None:
        """The same mapping of another layer, however it was made."""
        self.choice = self.choice.of_layer(layer, self.file.shapes)

    @property
    def width(self) -> int:
        """The number of columns of X."""
        return self._planned[1]

    @property
    def reads(self) -> str:
        """What was typed, or what is read at first."""
        return self.text or (FIRST_IDS if self.x_from == EMBEDDING else FIRST_TEXT)

    # What can be said of it.

    def checks(self) -> tuple[list[str], list[str]]:
        """What was checked, and what was not, in words. What does not fit is refused."""
        mapped, layer = self.mapped, self.layer
        fits = check_fits(self.file, mapped, layer)
        return fits, unchecked(self.file, mapped, layer)

    def compared(self) -> tuple[bool, str] | None:
        """What the file of hidden states says of the mapping, if it has what the layer gave."""
        if self.x_from != STATES or self.states is None:
            return None
        x, _ = self._x()
        recorded = self.states.output(x, self.layer)
        if recorded is None:
            return None
        return says_compared(self.file, self.mapped, self.layer, x, recorded)

    @property
    def needs(self) -> int:
        """About how many bytes opening takes; 0 as long as something has to be said before."""
        try:
            attention, width = self._planned
            return layer_bytes(attention, width, len(self._x()[0]))
        except MhaError:
            return 0

    # The layer.

    def ready(self) -> ReadyLayer:
        """The layer with its X, as the explorer shows it."""
        width = self.width
        check_width(width, SAY_IN_PYTHON)
        x, tokens = self._x()
        attention, _ = self._planned
        check_room(layer_bytes(attention, width, len(x)), FEWER)
        weights = read_weights(self.file, attention, width)
        whole = self._chosen_head(weights).scenario(x.astype(weights.w_q.dtype), tokens)
        if self.x_from == WORDS:
            whole = replace(whole, origin=Origin(x=MADE_X))
        whole = of_model(whole, self.name, self.layer)
        check_fits_page(whole, say("Open one head, or give fewer words."))
        return ReadyLayer(whole, self._title())

    def _chosen_head(self, weights: LayerWeights) -> LayerWeights:
        return weights.only([self.head - 1]) if self.head else weights

    def _title(self) -> str:
        place = say("layer {layer}").format(layer=self.layer + 1)
        if self.head:
            place += say(", head {head}").format(head=self.head)
        return f"{self.name[:30]}, {place}, {IN_TITLE[self.x_from]}"

    def _x(self) -> tuple[FloatArray, tuple[str, ...]]:
        """The rows of X, and what they are called."""
        if self.x_from == STATES:
            if self.states is None:
                raise FormatError(
                    say("X"),
                    say("must come from somewhere"),
                    say("no file"),
                    say("Give a file of hidden states, or make X from words."),
                )
            return self.states.rows(self.width, self.layer), ()
        if self.x_from == EMBEDDING:
            return self._embedded()
        tokens = tokenize(self.reads)
        check_tokens(len(tokens))
        return make_x(MADE_X, tokens, self.width), tokens

    def _embedded(self) -> tuple[FloatArray, tuple[str, ...]]:
        table = self.mapped.embedding
        if not table:
            raise FormatError(
                say("The embedding"),
                say("must be one of the tensors"),
                say("none"),
                say("Choose the table with a row for each token."),
            )
        n_rows, _ = Stored(table).shape_in(self.file.shapes, 2)
        Stored(table).check(self.file.shapes, (n_rows, self.width))
        read = tokenizer_of(self.file).read(self.reads)
        check_tokens(len(read))
        return self.file.read_rows(table, check_ids(read.ids, n_rows)), read.tokens


def check_fits_page(layer: Scenario, way_out: str) -> None:
    """Refuse more heads or scores than the explorer shows."""
    if not fits_page(layer):
        raise LimitError(
            say("The layer"),
            say("must have at most {heads} heads and {most:,} scores on this page").format(
                heads=PAGE_LIMITS.heads, most=PAGE_LIMITS.score_cells
            ),
            say("{heads} heads, {scores:,} scores").format(
                heads=layer.n_heads, scores=layer.n_heads * layer.n_q * layer.n_k
            ),
            way_out,
        )


def check_width(width: int, way_out: str) -> None:
    """Refuse a model whose rows of X are wider than the page shows."""
    if width > PAGE_LIMITS.width:
        need = say("must be at most {most:,} columns wide on this page")
        need = need.format(most=PAGE_LIMITS.width)
        raise LimitError(say("The model"), need, f"{width:,}", way_out)


def check_tokens(count: int) -> None:
    """Refuse a text of more tokens than the page shows."""
    if count > PAGE_LIMITS.tokens:
        raise LimitError(
            say("The text"),
            say("must have at most {most} tokens").format(most=PAGE_LIMITS.tokens),
            str(count),
            say("Take a part of it."),
        )
