// @ts-check
/** Reads regular files only: a pipe or a device keeps its reader waiting, and may have no end. */
import { readFileSync, statSync } from 'node:fs';

/** What was named is no file that ends. */
export class NotRegularError extends Error {
  /** @param {string} kind */
  constructor(kind) {
    super(`expected a regular file; this is ${kind}`);
    /** What came, as a clause. */
    this.found = `this is ${kind}`;
  }
}

/** @param {import('node:fs').Stats} stats */
function nameOf(stats) {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/**
 * To be asked before opening, since opening a pipe waits for its writer.
 * @param {string} path
 * @throws {NotRegularError}
 */
export function checkRegular(path) {
  const stats = statSync(path);
  if (!stats.isFile()) throw new NotRegularError(nameOf(stats));
}

/** @param {string} path @returns {Buffer} @throws {NotRegularError} */
export function readRegularFile(path) {
  checkRegular(path);
  return readFileSync(path);
}
