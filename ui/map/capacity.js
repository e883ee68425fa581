// @ts-check
/**
 * How many tokens a map has room for: those of the thread's largest request, so that all its requests are drawn to one
 * scale, and the model's window where that is not so large that the cells in it would be slivers.
 *
 * @import { ThreadPicture } from '../picture.js'
 * @import { Sizes } from '../picture/window.js'
 */

/** A window that is more than so many times as large as the largest request is only named. */
const MOST_ROOM = 3;

/**
 * @param {ThreadPicture} thread
 * @param {Sizes} sizes
 * @param {number | null} contextWindow
 * @returns {{ capacity: number, limit: number | null }} `limit`: where the model's window ends, if that is on the map
 */
export function capacityOf({ requests }, sizes, contextWindow) {
  const largest = requests.reduce(
    (most, { tokens, tokensView }) => Math.max(most, sizes === 'sent' ? tokensView : tokens),
    0,
  );
  if (contextWindow === null || contextWindow > largest * MOST_ROOM) return { capacity: largest, limit: null };
  // A little beyond the end, so that its line has a place.
  return { capacity: Math.max(largest, contextWindow * 1.02), limit: contextWindow };
}
