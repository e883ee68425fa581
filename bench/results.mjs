// @ts-check
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { loadToolResultsReference } from '../__test__/reference/load-tool-results.mjs';
import * as best from './reference/best-results.mjs';
import { faster, measure } from './runner.mjs';

export const title = 'Tool results: binary data';

const product = createRequire(import.meta.url)('palimpsest');
const implementations = { reference: await loadToolResultsReference(), 'best JS': best, product };
const GOALS = [faster('product', 8), faster('product', 4, 'best JS')];

/** @param {number} units */
const base64 = (units) =>
  randomBytes(Math.ceil((units * 3) / 4))
    .toString('base64')
    .slice(0, units);

/** An image under an unknown field name, so its content must be scanned. @param {number} units */
function resultWith(units) {
  const metadata = { imagePath: '/tmp/a.png', model: 'flux', generationTimeMs: 5120, picture: base64(units) };
  return { toolCallId: 'call_1', success: true, output: 'done', metadata };
}

/** The goal: a whole batch within 10 ms. */
const BATCH_GOAL = {
  text: 'product < 10 ms',
  met: (/** @type {Record<string, number>} */ { product: ms = Infinity }) => ms < 10,
};

/** Known fields nested in known fields, as any server may send them: 14 bytes per level. @param {number} levels */
function nestedFields(levels) {
  return { output: JSON.parse(`${'{"audioData":'.repeat(levels)}1${'}'.repeat(levels)}`) };
}

/** In an earlier version each level scanned everything below it: 218 KB took 14.8 s. */
const NESTED_GOAL = {
  text: 'product < 100 ms',
  met: (/** @type {Record<string, number>} */ { product: ms = Infinity }) => ms < 100,
};

/** Text of at least a megabyte without binary data, as in most results. @param {string} line @param {number} units */
const printed = (line, units) => line.repeat(Math.ceil(units / line.length)).slice(0, units);

/** Two bytes per UTF-16 unit, including the copy out of JavaScript. @param {number} megabytes of UTF-16 */
const scanGoal = (megabytes) => ({
  text: 'product ≥ 1 GB/s',
  met: (/** @type {Record<string, number>} */ { product: ms = Infinity }) => ms <= megabytes,
});

/** @param {string} name @param {any} input */
function contenders(name, input) {
  const of = (/** @type {any} */ implementation) => ({ run: () => implementation[name](input) });
  return Object.fromEntries(Object.entries(implementations).map(([who, implementation]) => [who, of(implementation)]));
}

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  const rounds = quick ? 9 : 30;
  for (const [size, units] of Object.entries({ '0.5 MB': 500_000, '2 MB': 2_000_000 })) {
    progress(`sanitise ${size}`);
    yield measure(`sanitise ${size}`, contenders('sanitizeToolResult', resultWith(units)), { rounds, goals: GOALS });
    const json = JSON.stringify([resultWith(units)]);
    yield measure(`sanitise ${size}, JSON text`, contenders('sanitizeToolResultsJson', json), { rounds });
  }
  progress('a batch');
  const batch = Array.from({ length: 20 }, () => resultWith(1_000_000));
  const all = Object.entries(implementations).map(([who, { sanitizeToolResult }]) => [
    who,
    { run: () => batch.map((result) => sanitizeToolResult(result)) },
  ]);
  yield measure('20 results of 1 MB', Object.fromEntries(all), { rounds, goals: [BATCH_GOAL] });
  progress('fields within fields');
  for (const [size, levels] of Object.entries({ '218 KB': 15_600, '436 KB': 31_200 })) {
    const nested = nestedFields(levels);
    // Only the product: the others recurse and overflow the stack.
    const alone = { product: { run: () => product.sanitizeToolResult(nested) } };
    yield measure(`${size} of fields within fields`, alone, { rounds, goals: [NESTED_GOAL] });
  }
  progress('text without data');
  const code = 'export function prepared(messages, { now = Date.now(), rules } = {}) {\n';
  const lock = `      "integrity": "sha512-${base64(86)}==",\n      "node": ">=20.9.0"\n`;
  for (const [kind, line] of Object.entries({ code, 'a lock file': lock, Chinese: '这是一个很长的中文文本，' })) {
    const result = { output: printed(line, 5_000_000) };
    const alone = { product: { run: () => product.sanitizeToolResult(result) } };
    yield measure(`10 MB of ${kind}`, alone, { rounds, goals: [scanGoal(10)] });
  }
}
