// @ts-check
import { createRequire } from 'node:module';
import { loadToolResultsReference } from '../__test__/reference/load-tool-results.mjs';
import * as best from './reference/best-results.mjs';
import { faster, measure } from './runner.mjs';

export const title = 'Output truncation';

const product = createRequire(import.meta.url)('palimpsest');
const reference = await loadToolResultsReference();
const LIMIT = 30_000;
const SIZES = { '300 KB': 300_000, '10 MB': 10_000_000 };

/** Log-like lines of 20 to 120 UTF-16 units. */
const line = (/** @type {number} */ n) =>
  `[${n}] ${'compiling a crate and saying so '.repeat(4).slice(0, 20 + ((n * 37) % 100))}`;

/** Ways to build the output string, since V8 stores and reads each kind differently. */
const kinds = {
  flat: (/** @type {number} */ size) => Buffer.from(lines(size, '')).toString('latin1'),
  'two-byte': (/** @type {number} */ size) => Buffer.from(lines(size, '中')).toString(),
  rope: (/** @type {number} */ size) => {
    let text = '';
    for (let n = 0; text.length < size; n++) text += `${line(n)}\n`;
    return text;
  },
};

/** @param {number} size @param {string} more */
function lines(size, more) {
  const all = [];
  for (let n = 0, length = 0; length < size; n++) length += all[all.push(line(n) + more) - 1].length + 1;
  return all.join('\n').slice(0, size);
}

/** @param {string} size @param {string} kind */
function goalsOf(size, kind) {
  if (kind === 'rope') return [];
  if (size === '300 KB') return [faster('product', 10)];
  return size === '10 MB' ? [faster('product', 15)] : [];
}

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  for (const [size, units] of Object.entries(SIZES)) {
    for (const [kind, make] of Object.entries(kinds)) {
      const work = `truncate ${size}, ${kind}`;
      progress(work);
      // The first read flattens a rope, so each run needs a new one.
      const shared = kind === 'rope' ? undefined : make(units);
      const prepare = () => shared ?? make(units);
      const iterations = kind === 'rope' ? 1 : Math.max(1, Math.round(300_000 / units));
      const rounds = Math.max(5, Math.round((units > 1e6 ? 15 : 60) * (quick ? 0.3 : 1)));
      const contenders = {
        reference: { prepare, run: (/** @type {string} */ text) => reference.truncateOutput(text, LIMIT) },
        'best JS': { prepare, run: (/** @type {string} */ text) => best.truncateOutput(text, LIMIT) },
        product: { prepare, run: (/** @type {string} */ text) => product.truncateOutput(text, LIMIT) },
      };
      yield measure(work, contenders, { rounds, iterations, goals: goalsOf(size, kind) });
    }
  }
}
