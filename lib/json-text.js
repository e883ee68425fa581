// @ts-check
'use strict';

/** Far above what any message or request has; an object that is reached on many ways counts on each. */
const MOST_VALUES = 2_000_000;

/**
 * JSON writes shared objects once for each way to them: thirty that hold the next one twice would be a billion.
 * @param {unknown} value @returns {string | undefined} undefined for what JSON leaves out
 * @throws RangeError beyond {@link MOST_VALUES}, and whatever a cycle, a bigint or a getter throws
 */
function jsonText(value) {
  let values = 0;
  return JSON.stringify(value, (_, inner) => {
    values += 1;
    if (values > MOST_VALUES) throw new RangeError(`expected at most ${MOST_VALUES} values, got more`);
    return inner;
  });
}

module.exports = { jsonText };
