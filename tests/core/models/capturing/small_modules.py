"""BERT, ALBERT, ViT, Llama, DeepSeek V3, GPT-2, BART: a few lines of PyTorch each, their names.

Only what attention reads and gives is theirs: there are no MLPs, and Llama's are never called.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import torch
from torch import Tensor, nn

M = TypeVar("M", bound=nn.Module)

WIDTH: Final = 12
BERT: Final = {
    "model_type": "bert",
    "hidden_size": WIDTH,
    "intermediate_size": 5,
    "num_attention_heads": 3,
    "num_hidden_layers": 2,
}
LLAMA: Final = {
    "model_type": "llama",
    "hidden_size": WIDTH,
    "intermediate_size": 5,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "num_hidden_layers": 2,
    "rope_theta": 50.0,
}
DEEPSEEK: Final = {
    **{"model_type": "deepseek_v3", "hidden_size": WIDTH, "intermediate_size": 5},
    **{"num_attention_heads": 2, "num_hidden_layers": 2, "rope_theta": 50.0},
    **{"q_lora_rank": 7, "kv_lora_rank": 5, "rope_interleave": False},
    **{"qk_rope_head_dim": 4, "qk_nope_head_dim": 3, "v_head_dim": 6},
}
GPT2: Final = {"model_type": "gpt2", "n_embd": WIDTH, "n_layer": 2, "n_head": 3}
BART: Final = {
    "model_type": "bart",
    "d_model": WIDTH,
    **{"encoder_layers": 1, "encoder_attention_heads": 3, "encoder_ffn_dim": 5},
    **{"decoder_layers": 2, "decoder_attention_heads": 2, "decoder_ffn_dim": 5},
}
ALBERT: Final = {**BERT, "model_type": "albert", "num_hidden_layers": 2, "num_hidden_groups": 1}


def filled(module: M) -> M:
    """The same, at rest, with numbers that are far from zero."""
    drawn = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(0, 0.5, generator=drawn)
    return module.eval()


def rows(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def heads_of(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (n_heads, -1)).transpose(-2, -3)


def fused(q: Tensor, k: Tensor, v: Tensor, **how: Any) -> Tensor:
    """Fused attention, which gives no weights; heads side by side again."""
    made = nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True, **how)
    return made.transpose(-2, -3).flatten(-2)


class BertSelfAttention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = BERT
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None) -> tuple[Tensor]:
        q, k, v = (heads_of(each(hidden_states), 3) for each in (self.query, self.key, self.value))
        return (fused(q, k, v, attn_mask=attention_mask),)


class BertOutput(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.dense, self.LayerNorm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, made: Tensor, x: Tensor) -> Tensor:
        made = self.dense(made)
        made += x  # into the tensor itself, as some models do
        normed: Tensor = self.LayerNorm(made)
        return normed


class BertLayer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.ModuleDict({"self": BertSelfAttention(), "output": BertOutput()})

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        made: Tensor = self.attention["output"](self.attention["self"](x, mask)[0], x)
        return made


class Bert(nn.Module):
    """Of rows that are embedded already. In `attention_mask` 1 is a token and 0 is padding."""

    def __init__(self) -> None:
        super().__init__()
        self.config = BERT
        self.embeddings = nn.ModuleDict({"word_embeddings": nn.Embedding(7, WIDTH)})
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(BertLayer() for _ in range(2))})

    def forward(self, x: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        mask = None if attention_mask is None else attention_mask[:, None, None].bool()
        for layer in self.encoder["layer"]:  # type: ignore[union-attr] # a list of modules
            x = layer(x, mask)
        return x


class Albert(nn.Module):
    """Two layers that are tied."""

    def __init__(self) -> None:
        super().__init__()
        self.config = ALBERT
        layer = nn.ModuleDict({"attention": nn.ModuleDict()})
        for name in ("query", "key", "value", "dense"):
            layer["attention"].add_module(name, nn.Linear(WIDTH, WIDTH))
        group = nn.ModuleDict({"albert_layers": nn.ModuleList([layer])})
        self.encoder = nn.ModuleDict({"albert_layer_groups": nn.ModuleList([group])})
        self.layer = [layer["attention"]]  # a list, so that its names are not told twice
        self.n_calls = 2

    def forward(self, x: Tensor) -> Tensor:
        (part,) = self.layer
        for _ in range(self.n_calls):
            q, k, v = (heads_of(part[name](x), 3) for name in ("query", "key", "value"))  # type: ignore[index]
            x = x + part["dense"](fused(q, k, v))  # type: ignore[index]
        return x


class VitAttention(nn.Module):
    """With the names that it has in the code of transformers. Its files have others."""

    def __init__(self) -> None:
        super().__init__()
        self.config = {**BERT, "model_type": "vit"}
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            self.add_module(name, nn.Linear(WIDTH, WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (heads_of(each(x), 3) for each in (self.q_proj, self.k_proj, self.v_proj))
        made: Tensor = self.o_proj(fused(q, k, v))
        return made


class Vit(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = {**BERT, "model_type": "vit"}
        self.layernorm = nn.LayerNorm(WIDTH)
        self.layers = nn.ModuleList(nn.ModuleDict({"attention": VitAttention()}) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = x + layer["attention"](x)  # type: ignore[index]
        return x


class LlamaAttention(nn.Module):
    def __init__(self, layer_idx: int) -> None:
        super().__init__()
        self.config, self.layer_idx = LLAMA, layer_idx
        self.q_proj, self.o_proj = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(WIDTH, WIDTH // 2, bias=False) for _ in range(2))

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> tuple[Tensor]:
        q, k = heads_of(self.q_proj(hidden_states), 2), heads_of(self.k_proj(hidden_states), 1)
        q, k = turned(q, position_ids), turned(k, position_ids)
        v = heads_of(self.v_proj(hidden_states), 1)
        made = fused(q, k, v, attn_mask=attention_mask, is_causal=attention_mask is None)
        return (self.o_proj(made),)


def turned(x: Tensor, places: Tensor | None = None) -> Tensor:
    """Halves of the columns turned by the place, with LLAMA's base."""
    half = x.shape[-1] // 2
    its = torch.arange(x.shape[-2]) if places is None else places.reshape(-1, 1, x.shape[-2])
    angles = its[..., None] * 50.0 ** (-torch.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), -1)


class Llama(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = LLAMA
        self.layers = nn.ModuleList()
        for number in range(2):
            mlp = nn.ModuleDict({"gate_proj": nn.Linear(WIDTH, 5, bias=False)})
            norm = nn.RMSNorm(WIDTH)
            parts = {"self_attn": LlamaAttention(number), "mlp": mlp, "input_layernorm": norm}
            self.layers.append(nn.ModuleDict(parts))

    def forward(
        self, x: Tensor, attention_mask: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Tensor:
        for layer in self.layers:
            normed = layer["input_layernorm"](x)  # type: ignore[index]
            x = x + layer["self_attn"](normed, attention_mask, position_ids)[0]  # type: ignore[index]
        return x


class DeepseekAttention(nn.Module):
    """With latents. What turns stands last in each head."""

    def __init__(self, layer_idx: int, config: dict[str, Any]) -> None:
        super().__init__()
        self.config, self.layer_idx, self.rank = config, layer_idx, config["q_lora_rank"]
        if self.rank:
            self.q_a_proj, self.q_a_layernorm = linear(WIDTH, 7), nn.RMSNorm(7, eps=1e-6)
            self.q_b_proj = linear(7, 2 * 7)
        else:
            self.q_proj = linear(WIDTH, 2 * 7)
        self.kv_a_proj_with_mqa, self.kv_a_layernorm = linear(WIDTH, 9), nn.RMSNorm(5, eps=1e-6)
        self.kv_b_proj, self.o_proj = linear(5, 2 * 9), linear(2 * 6, WIDTH)

    def forward(self, x: Tensor, attention_mask: Tensor | None = None) -> tuple[Tensor]:
        of_x = self.q_b_proj(self.q_a_layernorm(self.q_a_proj(x))) if self.rank else self.q_proj(x)
        still, turns = heads_of(of_x, 2).split((3, 4), -1)
        latent, shared = self.kv_a_proj_with_mqa(x).split((5, 4), -1)
        k, v = heads_of(self.kv_b_proj(self.kv_a_layernorm(latent)), 2).split((3, 6), -1)
        of_all = turned(shared)[:, None].expand(-1, 2, -1, -1)
        q, k = torch.cat((still, turned(turns)), -1), torch.cat((k, of_all), -1)
        seen = torch.ones(x.shape[1], x.shape[1]).tril().bool()
        mask = seen if attention_mask is None else seen & attention_mask[:, None, None].bool()
        return (self.o_proj(fused(q, k, v, attn_mask=mask)),)


def linear(read: int, made: int) -> nn.Linear:
    return nn.Linear(read, made, bias=False)


class Deepseek(nn.Module):
    def __init__(self, **config: Any) -> None:
        super().__init__()
        self.config = {**DEEPSEEK, **config}
        self.layers = nn.ModuleList()
        for number in range(2):
            parts = {"self_attn": DeepseekAttention(number, self.config)}
            self.layers.append(nn.ModuleDict(parts))

    def forward(self, x: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = x + layer["self_attn"](x, attention_mask)[0]  # type: ignore[index]
        return x


class Conv1D(nn.Module):
    def __init__(self, made: int, read: int) -> None:
        super().__init__()
        self.weight, self.bias = (
            nn.Parameter(torch.empty(read, made)),
            nn.Parameter(torch.empty(made)),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


class Gpt2(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = GPT2
        self.wpe = nn.Embedding(7, WIDTH)
        self.h = nn.ModuleList()
        for _ in range(2):
            two = {"c_attn": Conv1D(3 * WIDTH, WIDTH), "c_proj": Conv1D(WIDTH, WIDTH)}
            self.h.append(nn.ModuleDict({"attn": nn.ModuleDict(two)}))

    def forward(self, x: Tensor) -> Tensor:
        for block in self.h:
            part = block["attn"]  # type: ignore[index]
            q, k, v = (heads_of(each, 3) for each in part["c_attn"](x).chunk(3, -1))
            x = x + part["c_proj"](fused(q, k, v, is_causal=True))
        return x


class BartAttention(nn.Module):
    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.config, self.n_heads = BART, n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            self.add_module(name, nn.Linear(WIDTH, WIDTH))

    def forward(self, x: Tensor, key_value_states: Tensor | None = None, **how: Any) -> Tensor:
        keys = x if key_value_states is None else key_value_states
        q = heads_of(self.q_proj(x), self.n_heads)
        k, v = (heads_of(each(keys), self.n_heads) for each in (self.k_proj, self.v_proj))
        made: Tensor = self.out_proj(fused(q, k, v, **how))
        return made


class BartEncoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = BART
        self.layernorm_embedding = nn.LayerNorm(WIDTH)
        self.layers = nn.ModuleList([nn.ModuleDict({"self_attn": BartAttention(3)})])

    def forward(self, x: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = x + layer["self_attn"](x, attn_mask=seen(attention_mask))  # type: ignore[index]
        return x


class BartDecoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = BART
        self.layers = nn.ModuleList()
        for _ in range(2):
            parts = {name: BartAttention(2) for name in ("self_attn", "encoder_attn")}
            self.layers.append(nn.ModuleDict(parts))

    def forward(
        self,
        x: Tensor,
        encoder_hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        encoder_attention_mask: Tensor | None = None,
    ) -> Tensor:
        before = torch.ones(x.shape[1], x.shape[1]).tril().bool()
        own = before if attention_mask is None else before & seen(attention_mask)  # type: ignore[operator]
        for layer in self.layers:
            x = x + layer["self_attn"](x, attn_mask=own)  # type: ignore[index]
            how = {"attn_mask": seen(encoder_attention_mask)}
            x = x + layer["encoder_attn"](x, encoder_hidden_states, **how)  # type: ignore[index]
        return x


class Bart(nn.Module):
    """Of two texts that are embedded already."""

    def __init__(self) -> None:
        super().__init__()
        self.config = BART
        self.encoder, self.decoder = BartEncoder(), BartDecoder()

    def forward(
        self,
        x: Tensor,
        own: Tensor,
        attention_mask: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
    ) -> Tensor:
        encoded = self.encoder(x, attention_mask)
        made: Tensor = self.decoder(own, encoded, decoder_attention_mask, attention_mask)
        return made


def seen(mask: Tensor | None) -> Tensor | None:
    """Which keys are no padding, for all heads and queries."""
    return None if mask is None else mask[:, None, None].bool()
