// The answer to a puzzle, without a server: the layers with what a person has written into the free arrays.
//
// A free array of a higher layer is named with its number, as in "2.w_q"; W_U belongs to no layer.

import { Layers } from "../numbers/layers.js";
import { SavedLayer } from "../saved/saved_layer.js";

const W_U = "w_u";

export class Answer extends SavedLayer {
  at = 0; // the layer that is shown, from 0

  // `inputs` are those of Layers, from the lowest layer on; `free` are names.
  constructor(inputs, free, nameOf) {
    super(inputs, nameOf);
    this.free = free;
  }

  get count() { return 1 + (this.inputs.above?.length ?? 0); }

  get arrays() { return Object.fromEntries(this.free.map((name) => [name, arrayOf(this.inputs, name)])); }

  compute() { return new Layers(this.inputsShown); }

  // From the layer that is shown on, with the X that those below make.
  get inputsShown() {
    const { above, ...lowest } = this.inputs;
    if (!this.at) return this.inputs;
    const { residual, w_u, has_old_x } = lowest;
    const x = new Layers(this.inputs).rows(`${this.at + 1}.x`);
    const own = above[this.at - 1];
    return { ...own, arrays: { ...own.arrays, x }, above: above.slice(this.at), residual, w_u, has_old_x, layer: this.at + 1 };
  }

  isGiven(matrix) { return this.free.includes(this.#free(matrix)); }

  withArray(matrix, rows) { return withArrays(this.inputs, { [this.#free(matrix)]: rows }); }

  write(arrays) { this.become(withArrays(this.inputs, arrays)); }

  showLayer(at) {
    this.at = at;
    this.computeAnew();
  }

  #free(matrix) { return matrix === W_U || !this.at ? matrix : `${this.at + 1}.${matrix}`; }
}

// The layer of a free array, from 0, and its name there.
function placeOf(name) {
  const [array, number = "1"] = name.split(".").reverse();
  return { layer: Number(number) - 1, array };
}

function arrayOf(inputs, name) {
  const { layer, array } = placeOf(name);
  if (array === W_U) return inputs.w_u;
  return (layer ? inputs.above[layer - 1] : inputs).arrays[array];
}

// The same inputs with other arrays, by the names of free ones.
export function withArrays(inputs, arrays) {
  let changed = { ...inputs, has_old_x: true };
  for (const [name, rows] of Object.entries(arrays)) changed = withArray(changed, name, rows);
  return changed;
}

function withArray(inputs, name, rows) {
  const { layer, array } = placeOf(name);
  if (array === W_U) return { ...inputs, w_u: rows };
  const within = (each) => ({ ...each, arrays: { ...each.arrays, [array]: rows } });
  if (!layer) return within(inputs);
  return { ...inputs, above: inputs.above.map((each, place) => (place === layer - 1 ? within(each) : each)) };
}
