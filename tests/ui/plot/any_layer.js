// The inputs of a layer that hands its tokens on: one head, and all projections the identity.

const I = [[1, 0], [0, 1]];
const NOTHING = ["context", "b_q", "b_k", "b_v", "b_o", "query_sinusoids", "key_sinusoids",
  "slopes", "minus_distances", "mask.additive", "mask.drawn"];

export const INPUTS = {
  arrays: {
    ...Object.fromEntries(NOTHING.map((name) => [name, null])),
    ...{ x: [[1, 2], [3, 4]], w_q: I, w_k: I, w_v: I, w_o: I, "mask.others": [[1, 1], [1, 1]] },
  },
  ...{ n_heads: 1, n_kv_heads: 1, heads_off: [], after_mask: ["mask", "weights"], norms: {}, concat_function: "none" },
  numbers: { scale: 1, softcap: null, temperature: 1, v_scale: 1, output_scale: 1 },
};
