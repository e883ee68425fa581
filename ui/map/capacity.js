// @ts-check
/**
 * The scale of a thread's map: its largest request fills it. The model's context window is shown too, unless that makes
 * cells too thin.
 *
 * @import { ThreadPicture } from '../picture.js'
 * @import { Shows, Sizes } from '../picture/window.js'
 */

/** If the context window is more than this multiple of the largest request, it isn't drawn, only named. */
const MAX_DRAWN_MULTIPLE = 3;

/**
 * How many tokens fill the map.
 * @param {ThreadPicture} thread
 * @param {{ sizes: Sizes, shows: Shows }} options
 * @param {number | null} contextWindow tokens
 * @returns {{ capacity: number, limit: number | null }} in tokens; `limit`: the model's window, null if it isn't drawn
 */
export function capacityOf({ cells, fixedTokens, requests }, { sizes, shows }, contextWindow) {
  const storedTokens = (/** @type {ThreadPicture['requests'][number]['prompt']} */ prompt) =>
    prompt.reduce((sum, [from, to]) => sum + sumOf(cells, from, to), fixedTokens);
  // What the agent cleared is stored, and not in `tokens`.
  const hasCleared = sizes === 'stored' && cells.some(({ clearedFrom = null }) => clearedFrom !== null);
  const largest = requests.reduce((most, { tokens, tokensView, prompt }) => {
    if (sizes === 'sent') return Math.max(most, shows === 'view' ? tokensView : tokens);
    return Math.max(most, hasCleared ? storedTokens(prompt) : tokens);
  }, 0);
  if (contextWindow === null || contextWindow > largest * MAX_DRAWN_MULTIPLE) return { capacity: largest, limit: null };
  // Leave space for the line that marks the window.
  return { capacity: Math.max(largest, contextWindow * 1.02), limit: contextWindow };
}

/** Tokens of a range of cells. @param {ThreadPicture['cells']} cells @param {number} from @param {number} to */
function sumOf(cells, from, to) {
  let sum = 0;
  for (let index = from; index < to; index++) sum += cells[index]?.tokens ?? 0;
  return sum;
}
