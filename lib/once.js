// @ts-check
'use strict';

/** Makes a value when it is first asked for, and gives the same from then on. @template T @param {() => T} make @returns {() => T} */
function once(make) {
  /** @type {{ value: T } | undefined} */
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

module.exports = { once };
