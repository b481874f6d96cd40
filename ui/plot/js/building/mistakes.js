// What may be wrong, where a known wrong way gives what is seen: what mha_core/puzzles/mistakes.py says, by the
// names that its words have there.

// `rows` are the numbers that a want is about.
export function mistakeIn(rows, want, tokens, tie) {
  if (want.step === "weights") return inLooking(Array.from(rows[want.query]), want, tokens, tie);
  if (want.step === "probabilities") return inPredicting(Array.from(rows[want.query]), want, tokens, tie);
  return "";
}

function inLooking(weights, { query, keys, least }, tokens, tie) {
  const first = greatest(weights, tie);
  const words = new Set(first.map((place) => tokens[place]));
  const isWanted = (place) => keys.includes(place);
  if (first.length > keys.length && keys.every((key) => first.includes(key))) return words.size === 1 ? "SAME_WORD" : "TIED";
  if (first.every(isWanted)) {
    const all = keys.reduce((sum, key) => sum + weights[key], 0);
    if (all < least * keys.length) return "TOO_WEAK";
    return first.length === 1 ? "SAME_PLACE" : "UNEVEN";
  }
  const beside = first.length === 1 && besideOf(first[0], query, keys);
  if (beside) return beside;
  return words.size === 1 && words.has(tokens[query]) ? "OWN_WORD" : "";
}

// It looks at one token, which is a wrong one.
function besideOf(lookedAt, query, keys) {
  if (lookedAt === query) return "LOOKS_AT_ITSELF";
  if (keys.every((key) => lookedAt - query === query - key)) return "OTHER_SIDE";
  return keys.some((key) => Math.abs(lookedAt - key) === 1) ? "OFF_BY_ONE" : "";
}

function inPredicting(likely, { query, column, word, words }, tokens, tie) {
  const first = greatest(likely, tie);
  if (first.length > 1) return first.length === 2 ? "TWO_WORDS" : "MANY_WORDS";
  if (first[0] === column) return "TOO_UNSURE";
  if (words[first[0]] === tokens[query]) return "ITSELF";
  return areNeighbours(words[first[0]], word) ? "NEXT_NUMBER" : "";
}

// The places of the greatest number, and of those that look equal to it.
function greatest(numbers, tie) {
  const most = Math.max(...numbers);
  return numbers.flatMap((number, place) => (number >= most - tie ? [place] : []));
}

function areNeighbours(one, other) {
  return [one, other].every((word) => /^\d+$/.test(word)) && Math.abs(Number(one) - Number(other)) === 1;
}
