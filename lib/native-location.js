// @ts-check
'use strict';

const { path, url } = require('./node-modules.js');

/** Number of stack frames to read. Code that a bundler evaluates from strings has frames without a file. */
const FRAMES = 16;

/** @returns {(string | null | undefined)[]} the files of the running code, innermost first */
function runningFiles() {
  // Under --frozen-intrinsics the stack can't be read; an unbundled package still has `__filename`.
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

/** Bun's executables report compiled-in code in this folder: no file can be loaded from it or placed next to it. */
const BUN_FOLDER = /^(?:\/\$bunfs|[A-Za-z]:[\\/]~BUN)[\\/]/;

/** The absolute path; undefined if the file is not in the file system. @param {string | null | undefined} file @returns {string | undefined} */
function pathOf(file) {
  const place = file?.startsWith('file:') ? url.fileURLToPath(file) : file;
  return place && path.isAbsolute(place) && !BUN_FOLDER.test(place) ? place : undefined;
}

/**
 * The path of this package's file, or of the bundle that contains it. It is taken from the stack, because bundlers replace `__filename` and
 * `import.meta.url` with paths of the build machine. A single executable has only its own path.
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
