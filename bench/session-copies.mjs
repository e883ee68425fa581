// @ts-check
/**
 * Creates a folder of many sessions from recorded ones. Each copy has its own identifiers, so that it doesn't count as a
 * repetition.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Fields with the id of a record, message, call or session, but not of a model. */
const identifiers = /"((?!model|provider)\w*(?:id|Id|ID|uuid|Uuid|UUID))":"(?=[^"])/g;

/** @param {string} text of a session @param {string} mark @returns {string} the session with other identifiers */
export function renamed(text, mark) {
  return text.replace(identifiers, `"$1":"${mark}-`);
}

/** @param {string} folder @returns {string[]} paths of all files below it */
export function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Copies `sources` into a new temporary folder until it holds `bytes`, and removes the folder after `use`.
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
      const project = join(folder, 'projects', `p${copy}`);
      mkdirSync(project, { recursive: true });
      for (const { name, text } of texts) {
        if (written >= bytes) break;
        const path = join(project, `${copy}-${name}`);
        writeFileSync(path, renamed(text, `c${copy}`));
        written += statSync(path).size;
      }
    }
    return await use(folder, written);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
