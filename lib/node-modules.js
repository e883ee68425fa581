// @ts-check
'use strict';

/** Node.js's own modules, loaded without `require`. */

if (process.getBuiltinModule === undefined) {
  const error = new Error(`palimpsest needs Node.js 20.16, 22.3 or newer; this is ${process.version}`);
  throw Object.assign(error, { code: 'ERR_PALIMPSEST_NATIVE' });
}

// Bundlers replace `require` with a function that throws when CommonJS code ends up in an ES module, as in the agents' bundles.
const crypto = process.getBuiltinModule('node:crypto');
const fs = process.getBuiltinModule('node:fs');
const nodeModule = process.getBuiltinModule('node:module');
const os = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');
const url = process.getBuiltinModule('node:url');
const util = process.getBuiltinModule('node:util');

module.exports = { crypto, fs, nodeModule, os, path, url, util };
