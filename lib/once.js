// @ts-check
'use strict';

/** @template T @param {() => T} make called at the first use @returns {() => T} */
function once(make) {
  /** @type {{ value: T } | undefined} */ let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

module.exports = { once };
