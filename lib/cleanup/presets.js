// @ts-check
'use strict';

const native = require('../native.js');

/** The built-in rules. @typedef {readonly (readonly [name: string, isOnByDefault: boolean])[]} Presets */

/** @type {{ inPrepare?: Presets, inView?: Presets }} */ const presets = {};

/** Presets in the order of application, read from the core once. @param {'inPrepare' | 'inView'} where @returns {Presets} */
function presetsOf(where) {
  presets[where] ??= Object.freeze(
    native.presetDefaults().map((preset) => /** @type {const} */ ([preset.name, preset[where]])),
  );
  return presets[where];
}

module.exports = { presetsOf };
