// Keys of the page as a whole.

const WHERE_LETTERS_GO = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable=true]";
const WHERE_KEYS_MEAN_MORE = `${WHERE_LETTERS_GO}, [role=grid], [role=dialog], [role=menu], [data-testid=stDataFrame]`;

// Whether a key was pressed for the page: not into a field, and not where all keys mean something else.
export function isForPage({ target, ctrlKey, metaKey, altKey, defaultPrevented }) {
  return !(defaultPrevented || ctrlKey || metaKey || altKey || target.closest?.(WHERE_KEYS_MEAN_MORE));
}
