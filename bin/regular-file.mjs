// @ts-check
/** Reads regular files only: a pipe or a device may block, or never end. */
import { readFileSync, statSync } from 'node:fs';

export class NotRegularError extends Error {
  /** @param {string} found such as `this is a pipe` */
  constructor(found) {
    super(`expected a regular file; ${found}`);
    this.found = found;
  }
}

/** Undefined for standard input (`-`) and on failure. @param {string} path */
export function statsOf(path) {
  try {
    return path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link loop or no permission: reading the file reports it.
    return undefined;
  }
}

/** `state` differs after each change of a file. @param {readonly string[]} paths some may be missing */
export function stateOfFiles(paths) {
  const stats = paths.map(statsOf);
  const bytes = stats.reduce((sum, status) => sum + (status?.size ?? 0), 0);
  const changedMs = Math.max(0, ...stats.map((status) => status?.mtimeMs ?? 0));
  return { bytes, changedMs, state: `${paths.length}-${bytes}-${changedMs}` };
}

/** Opening a pipe blocks until it has a writer, so check first. @param {string} path @throws {NotRegularError} */
export function checkRegular(path) {
  const stats = statSync(path);
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new NotRegularError('this is a directory');
  if (stats.isFIFO()) throw new NotRegularError('this is a pipe');
  throw new NotRegularError(stats.isSocket() ? 'this is a socket' : 'this is a device');
}

/** @param {string} path @returns {Buffer} @throws {NotRegularError} */
export function readRegularFile(path) {
  checkRegular(path);
  return readFileSync(path);
}
