// @ts-check
/** Reads a text of up to 2 GB from a file or standard input. */
import { createReadStream } from 'node:fs';
import { checkRegular } from './regular-file.mjs';

/** Maximum input size: all of it is held in memory, and Node.js's heap is no larger on most machines. */
const maxBytes = 2 ** 31;

/** @param {string | undefined} file `-` or undefined: standard input */
function streamOf(file) {
  if (file === undefined || file === '-') return process.stdin;
  checkRegular(file);
  return createReadStream(file, { highWaterMark: 2 ** 20 });
}

/** @param {string | undefined} file @returns {Promise<string[]>} parts, since the whole may be longer than a string can be */
export async function readParts(file) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts = [];
  let bytes = 0;
  for await (const chunk of streamOf(file)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('expected at most 2 GB; this is more: cut it with head -c or tail -c');
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return [...parts, decoder.decode()];
}

/** @param {readonly string[]} parts @returns {string} */
export function joined(parts) {
  try {
    return parts.join('');
  } catch {
    throw new Error('expected a text that fits a JavaScript string (512 MB); this one is larger');
  }
}
