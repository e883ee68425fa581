// @ts-check
/** Reads one text, of up to 2 GB, and prints another: the commands `truncate` and `sanitize`. */
import { createReadStream } from 'node:fs';
import { loadLibrary } from './library.mjs';
import { UsageError } from './option-values.mjs';
import { printFiltered } from './print.mjs';
import { checkRegular } from './regular-file.mjs';

/** @import { Values, Work } from './command-line.mjs' */

/** Maximum input size: all of it is held in memory, and Node.js's heap is no larger on most machines. */ const maxBytes =
  2 ** 31;

/**
 * @param {(parts: string[], values: Values, library: import('./library.mjs').Library) => string} convert gets the text
 *   in parts, since the whole may be longer than a string can be
 * @returns {Work}
 */
export function filterWork(convert) {
  return async (values, files) => {
    if (files.length > 1) throw new UsageError(`expected one file or none, got ${files.length}`);
    const library = loadLibrary();
    printFiltered(convert(await readParts(files[0] ?? '-'), values, library));
  };
}

/** @param {string} file `-`: standard input */
async function readParts(file) {
  if (file !== '-') checkRegular(file);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts = [];
  let bytes = 0;
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 2 ** 20 })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('expected at most 2 GB; this is more: cut it with head -c or tail -c');
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return [...parts, decoder.decode()];
}
