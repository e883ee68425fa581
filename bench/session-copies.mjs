// @ts-check
/** A folder of many sessions, made of recorded ones: each copy has identifiers of its own, so that nothing is a repetition. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Fields that name a record, a message, a call or a session; a model's name is none. */
const identifiers = /"((?!model|provider)\w*(?:id|Id|ID|uuid|Uuid|UUID))":"(?=[^"])/g;

/** @param {string} text of a session @param {string} mark @returns {string} the same session under other identifiers */
export function renamed(text, mark) {
  return text.replace(identifiers, `"$1":"${mark}-`);
}

/** @param {string} folder @returns {string[]} every file below it, with its path */
export function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Writes copies of `sources` into a new temporary folder until it holds `bytes`, and removes it when `use` is done with it.
 * @template T
 * @param {readonly string[]} sources files
 * @param {number} bytes
 * @param {(folder: string, written: number) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withCopies(sources, bytes, use) {
  const texts = sources.map((path) => ({ name: basename(path), text: readFileSync(path, 'utf8') }));
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-copies-'));
  try {
    let written = 0;
    for (let copy = 0; written < bytes && texts.length > 0; copy += 1) {
      const own = join(folder, 'projects', `p${copy}`);
      mkdirSync(own, { recursive: true });
      for (const { name, text } of texts) {
        if (written >= bytes) break;
        const path = join(own, `${copy}-${name}`);
        writeFileSync(path, renamed(text, `c${copy}`));
        written += statSync(path).size;
      }
    }
    return await use(folder, written);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
