// @ts-check
'use strict';

/** @template T @param {() => T} make called when first asked @returns {() => T} */
function once(make) {
  /** @type {{ value: T } | undefined} */ let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

module.exports = { once };
