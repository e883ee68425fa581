// @ts-check
'use strict';

const { path, url } = require('./node-modules.js');

/** Frames between this file and one that has a place: code that a bundler evaluates from strings has none. */
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

/** Where Bun's executables show the code that was compiled into them: nothing can be loaded from there, or lie beside it. */
const BUN_FOLDER = /^(?:\/\$bunfs|[A-Za-z]:[\\/]~BUN)[\\/]/;

/** @param {string | null | undefined} file @returns {string | undefined} its path, if it lies in the file system */
function pathOf(file) {
  const place = file?.startsWith('file:') ? url.fileURLToPath(file) : file;
  return place && path.isAbsolute(place) && !BUN_FOLDER.test(place) ? place : undefined;
}

/**
 * Where this code lies when it runs: in the package, or in the bundle that it became part of. Asked of the stack, since
 * bundlers replace `__filename` and `import.meta.url` by paths of the machine that they ran on, or leave them out.
 * A single executable has no file but itself.
 *
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
