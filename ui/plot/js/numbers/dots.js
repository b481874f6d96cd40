// A picture with more cells than pixels is drawn in dots. A dot stands for a block of cells.

// The value of each dot: the mean of its visible cells. A hidden cell is NaN, and so is a dot whose
// cells are all hidden.
export function meansOfVisible(z, dotRows, dotColumns) {
  if (dotRows * dotColumns === 1) return z;
  const [rowCount, columnCount] = [z.length, z[0].length];
  return Array.from({ length: Math.ceil(rowCount / dotRows) }, (_, i) => {
    const rows = z.slice(i * dotRows, (i + 1) * dotRows);
    return Float64Array.from({ length: Math.ceil(columnCount / dotColumns) }, (_, j) =>
      meanOfVisible(rows, j * dotColumns, Math.min((j + 1) * dotColumns, columnCount)));
  });
}

function meanOfVisible(rows, start, end) {
  let sum = 0;
  let count = 0;
  for (const row of rows) {
    for (let column = start; column < end; column++) {
      const value = row[column];
      if (value !== value) continue; // NaN, the only value that is not equal to itself
      sum += value;
      count += 1;
    }
  }
  return sum / count;
}

// Where each run of NaN starts and ends: [start, end), ...
export function runsOfNaN(values) {
  const runs = [];
  /** @type {number | null} */
  let start = null;
  for (let i = 0; i <= values.length; i++) {
    const isHidden = i < values.length && Number.isNaN(values[i]);
    if (isHidden) start ??= i;
    else if (start !== null) {
      runs.push([start, i]);
      start = null;
    }
  }
  return runs;
}
