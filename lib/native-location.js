// @ts-check
'use strict';

const { path, url } = require('./node-modules.js');

/** Code that a bundler evaluates from strings has frames without a place. */
const FRAMES = 16;

/** @returns {(string | null | undefined)[]} the files of the running code, innermost first */
function runningFiles() {
  // Under --frozen-intrinsics the stack can't be asked; the package itself still knows its place.
  if (Object.isFrozen(Error)) return typeof __filename === 'string' ? [__filename] : [];
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = FRAMES;
    Error.prepareStackTrace = (_, frames) => frames.map((frame) => frame.getFileName());
    return /** @type {any} */ (new Error().stack);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Bun's executables show compiled-in code here: nothing can be loaded from there, or lie beside it. */
const BUN_FOLDER = /^(?:\/\$bunfs|[A-Za-z]:[\\/]~BUN)[\\/]/;

/** Undefined outside of the file system. @param {string | null | undefined} file @returns {string | undefined} */
function pathOf(file) {
  const place = file?.startsWith('file:') ? url.fileURLToPath(file) : file;
  return place && path.isAbsolute(place) && !BUN_FOLDER.test(place) ? place : undefined;
}

/**
 * The package's file, or that of the bundle around it. The stack tells it, since bundlers replace `__filename` and `import.meta.url`
 * by paths of the machine that they ran on. A single executable has no file but itself.
 * @returns {string} absolute
 */
function ownFile() {
  for (const file of runningFiles()) {
    const found = pathOf(file);
    if (found !== undefined) return found;
  }
  return process.execPath;
}

module.exports = { ownFile };
