// @ts-check
/**
 * How many tokens a map has room for: those of the thread's largest request, so that all its requests are drawn to one
 * scale, and the model's window where that is not so large that the cells in it would be slivers.
 *
 * @import { ThreadPicture } from '../picture.js'
 * @import { Shows, Sizes } from '../picture/window.js'
 */

/** A window that is more than so many times as large as the largest request is only named. */
const MOST_ROOM = 3;

/**
 * @param {ThreadPicture} thread
 * @param {{ sizes: Sizes, shows: Shows }} as
 * @param {number | null} contextWindow
 * @returns {{ capacity: number, limit: number | null }} `limit`: where the model's window ends, if that is on the map
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
  // A little beyond the end, so that its line has a place.
  return { capacity: Math.max(largest, contextWindow * 1.02), limit: contextWindow };
}

/** @param {ThreadPicture['cells']} cells @param {number} from @param {number} to */
function sumOf(cells, from, to) {
  let sum = 0;
  for (let place = from; place < to; place++) sum += cells[place]?.tokens ?? 0;
  return sum;
}
