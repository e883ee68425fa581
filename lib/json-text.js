// @ts-check
'use strict';

/** Upper limit of values, far above any message or request. An object counts once for each path to it. */
const MAX_VALUES = 2_000_000;

/**
 * `JSON.stringify` with a limit, because JSON writes a shared object once for each path to it: thirty objects, each holding the next one twice,
 * would yield a billion.
 * @param {unknown} value @returns {string | undefined} undefined for what JSON leaves out
 * @throws RangeError beyond {@link MAX_VALUES}, and whatever a cycle, a bigint or a getter throws
 */
function jsonText(value) {
  let valueCount = 0;
  return JSON.stringify(value, (_, each) => {
    valueCount += 1;
    if (valueCount > MAX_VALUES) throw new RangeError(`expected at most ${MAX_VALUES} values, got more`);
    return each;
  });
}

module.exports = { jsonText };
