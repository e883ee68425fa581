/** Makes a command that reads one text, of up to 2 GB, and prints another: `truncate`, `sanitize`. */
import { createReadStream } from 'node:fs';
import { exitCodes, runCommand } from './command-line.mjs';
import { loadLibrary } from './library.mjs';
import { UsageError } from './option-values.mjs';
import { printFiltered } from './print.mjs';
import { checkRegular } from './regular-file.mjs';

/**
 * `parts`: the text in parts, since the whole may be longer than a string can be.
 * @typedef {(parts: string[], library: import('./library.mjs').Library) => string} Convert
 * @typedef {import('./command-line.mjs').Options} Options
 */

/** Maximum input size: all of it is held in memory, and Node.js's heap is no larger on most machines. */
const maxBytes = 2 ** 31;

/**
 * @param {{ name: string, help: string, options: Options, prepare: (values: import('./command-line.mjs').Values) =>
 *   Convert }} filter `options`: in addition to `--help`; `prepare` parses them
 * @returns {(words: string[]) => Promise<number>} runs it; returns the exit code
 */
export function filterCommand({ name, help, options, prepare }) {
  const command = { name, help, options: { ...options, help: /** @type {const} */ ({ type: 'boolean', short: 'h' }) } };
  return (words) =>
    runCommand(words, command, async (values, files) => {
      if (files.length > 1) throw new UsageError(`expected one file or none, got ${files.length}`);
      const convert = prepare(values);
      const library = loadLibrary();
      printFiltered(convert(await readParts(files[0] ?? '-'), library));
      return exitCodes.success;
    });
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
