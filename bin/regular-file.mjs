// @ts-check
/** Reads regular files only: a pipe or a device may block, or never end. */
import { readFileSync, statSync } from 'node:fs';

export class NotRegularError extends Error {
  /** @param {string} kind what the path is instead, such as `a pipe` */
  constructor(kind) {
    super(`expected a regular file; this is ${kind}`);
    this.found = `this is ${kind}`;
  }
}

/** @param {import('node:fs').Stats} stats */
function kindOf(stats) {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** @param {string} path @returns {import('node:fs').Stats | undefined} undefined for standard input (`-`) and on failure */
export function statsOf(path) {
  try {
    return path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link loop or no permission: reading the file reports it.
    return undefined;
  }
}

/** Call this before opening: opening a pipe blocks until it has a writer. @param {string} path @throws {NotRegularError} */
export function checkRegular(path) {
  const stats = statSync(path);
  if (!stats.isFile()) throw new NotRegularError(kindOf(stats));
}

/** @param {string} path @returns {Buffer} @throws {NotRegularError} */
export function readRegularFile(path) {
  checkRegular(path);
  return readFileSync(path);
}
