// @ts-check
'use strict';

const { originalOf } = require('./level.js');
const { walk } = require('./walk.js');

/**
 * @typedef {{ messages: number, points: number, tokensSaved: number }} Totals `messages`: number of distinct originals, including archived ones
 */

/** Counts messages, compressions and saved tokens of a whole history. @param {readonly any[]} messages @param {Parameters<typeof walk>[2]} [fetched] @returns {Totals} */
function totalsOf(messages, fetched) {
  const totals = { messages: 0, points: 0, tokensSaved: 0 };
  for (const step of walk(messages, true, fetched)) {
    if (step.kind === 'message')
      totals.messages += originalOf(step.level.messages[step.index], step.ids).isRepeated ? 0 : 1;
    else if (step.kind === 'archive') totals.messages += step.point?.originalCount ?? 0;
    else if (step.kind === 'point') {
      totals.points += 1;
      totals.tokensSaved += Math.max(0, step.point?.tokensSaved ?? 0);
    }
  }
  return totals;
}

module.exports = { totalsOf };
