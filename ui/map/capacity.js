// @ts-check
/**
 * All requests of a thread are drawn to the scale of the largest, and the model's window is on the map unless cells would become slivers.
 *
 * @import { ThreadPicture } from '../picture.js'
 * @import { Shows, Sizes } from '../picture/window.js'
 */

/** A larger window, as a multiple of the largest request, is only named. */
const MOST_ROOM = 3;

/**
 * @param {ThreadPicture} thread
 * @param {{ sizes: Sizes, shows: Shows }} as
 * @param {number | null} contextWindow
 * @returns {{ capacity: number, limit: number | null }} `limit`: the model's window; null where it isn't on the map
 */
export function capacityOf({ cells, fixedTokens, requests }, { sizes, shows }, contextWindow) {
  const stored = (/** @type {ThreadPicture['requests'][number]['prompt']} */ prompt) =>
    prompt.reduce((sum, [from, to]) => sum + sumOf(cells, from, to), fixedTokens);
  const isCleared = sizes === 'stored' && cells.some(({ clearedFrom = null }) => clearedFrom !== null);
  const largest = requests.reduce((most, { tokens, tokensView, prompt }) => {
    if (sizes === 'sent') return Math.max(most, shows === 'view' ? tokensView : tokens);
    return Math.max(most, isCleared ? stored(prompt) : tokens);
  }, 0);
  if (contextWindow === null || contextWindow > largest * MOST_ROOM) return { capacity: largest, limit: null };
  // The window's line needs a place.
  return { capacity: Math.max(largest, contextWindow * 1.02), limit: contextWindow };
}

/** @param {ThreadPicture['cells']} cells @param {number} from @param {number} to */
function sumOf(cells, from, to) {
  let sum = 0;
  for (let place = from; place < to; place++) sum += cells[place]?.tokens ?? 0;
  return sum;
}
