// @ts-check
/** A pipe or a device keeps its reader waiting, and may have no end: only regular files are read. */
import { readFileSync, statSync } from 'node:fs';
export class NotRegularError extends Error {
  /** @param {string} kind */
  constructor(kind) {
    super(`expected a regular file; this is ${kind}`);
    this.found = `this is ${kind}`;
  }
}

/** @param {import('node:fs').Stats} stats */
function nameOf(stats) {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Opening a pipe waits for its writer, so this is asked before. @param {string} path @throws {NotRegularError} */
export function checkRegular(path) {
  const stats = statSync(path);
  if (!stats.isFile()) throw new NotRegularError(nameOf(stats));
}

/** @param {string} path @returns {Buffer} @throws {NotRegularError} */
export function readRegularFile(path) {
  checkRegular(path);
  return readFileSync(path);
}
