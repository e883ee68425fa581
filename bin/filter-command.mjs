// @ts-check
/** Makes a command that reads one text, of up to 2 GB, and prints another: `truncate`, `sanitize`. */
import { createReadStream } from 'node:fs';
import { exitCodes, runCommand } from './command-line.mjs';
import { loadLibrary } from './library.mjs';
import { UsageError } from './option-values.mjs';
import { printFiltered } from './print.mjs';
import { checkRegular } from './regular-file.mjs';

/**
 * @typedef {object} Filter
 * @property {string} name
 * @property {string} help
 * @property {import('./command-line.mjs').Options} options in addition to `--help`
 * @property {(values: import('./command-line.mjs').Values) => Convert} prepare parses the options
 *
 * @callback Convert
 * @param {string[]} parts the text in parts, since the whole may be longer than a string can be
 * @param {import('./library.mjs').Library} library @returns {string} what is printed
 */

/** Maximum input size: all of it is held in memory, and Node.js's heap is no larger on most machines. */
const maxBytes = 2 ** 31;

/** @param {Filter} filter @returns {(words: string[]) => Promise<number>} runs it; returns the exit code */
export function filterCommand(filter) {
  const options = { ...filter.options, help: /** @type {const} */ ({ type: 'boolean', short: 'h' }) };
  return (words) =>
    runCommand(words, { ...filter, options }, async (values, files) => {
      if (files.length > 1) throw new UsageError(`expected one file or none, got ${files.length}`);
      const convert = filter.prepare(values);
      const library = loadLibrary();
      printFiltered(convert(await readParts(files[0]), library));
      return exitCodes.success;
    });
}

/** @param {string | undefined} file `-` or undefined: standard input */
function streamOf(file) {
  if (file === undefined || file === '-') return process.stdin;
  checkRegular(file);
  return createReadStream(file, { highWaterMark: 2 ** 20 });
}

/** @param {string | undefined} file @returns {Promise<string[]>} */
async function readParts(file) {
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
