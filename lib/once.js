// @ts-check
'use strict';

/** A function that calls `make` at its first call, and returns that value at each call. @template T @param {() => T} make @returns {() => T} */
function once(make) {
  /** @type {{ value: T } | undefined} */ let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

module.exports = { once };
