// Which of its arrangements suits a figure's room: its matrices in more columns, or in fewer.

import { smallestCell } from "./layout.js";

// The figure with as many columns of matrices as leave cells that are large enough. `readable` gives
// the smallest cell whose numbers can be read.
export function arranged(figure, room, readable = () => 0) {
  const { meta } = figure.layout;
  if (!meta?.others?.length) return figure;
  const least = smallestCell(meta.cell, readable);
  const all = [meta, ...meta.others]; // from the one with most columns to the one with fewest
  const fits = ({ width: [fixed, cells] }) => (room - fixed) / cells >= least;
  return withPlaces(figure, all.find(fits) ?? all.at(-1));
}

function withPlaces({ data, layout }, { places, width, height, bars }) {
  if (!places) return { data, layout }; // the traces are in the places of the first
  const moved = data.map((trace, i) => ({ ...trace, meta: { ...trace.meta, ...places[i] } }));
  return { data: moved, layout: { ...layout, meta: { ...layout.meta, width, height, bars } } };
}
