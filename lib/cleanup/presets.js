// @ts-check
'use strict';

const native = require('../native.js');

/** @typedef {readonly (readonly [name: string, holds: boolean])[]} Presets whether each holds where nothing is said */

/** @type {{ inPrepare?: Presets, inView?: Presets }} */
const asked = {};

/**
 * The presets in the order in which they are applied. Asked for before every request, so the core tells once.
 * @param {'inPrepare' | 'inView'} where
 * @returns {Presets}
 */
function presetsOf(where) {
  asked[where] ??= Object.freeze(
    native.presetDefaults().map((preset) => /** @type {const} */ ([preset.name, preset[where]])),
  );
  return asked[where];
}

module.exports = { presetsOf };
