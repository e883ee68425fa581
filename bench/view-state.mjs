// @ts-check
/**
 * What it costs to carry a view's state on: `node bench/view-state.mjs [--quick]`. With each request of a session, the processor time that
 * `exportDelta()` takes and how much text it gives; and the same of `export()`, which is the whole state.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { ContextView } = createRequire(import.meta.url)('palimpsest');

export const title = "A view's state: what a request adds to it, and all of it";

const LENGTHS = [100, 1_000, 5_000];
/** So many requests at the end of a session are measured. */
const REQUESTS = 400;
const FEW_REQUESTS = 40;
const REQUESTS_BEFORE = 40;
const START_MS = 1_780_000_000_000;
const STEP_MS = 20_000;
const MESSAGES_PER_STEP = 2;

/** @typedef {{ messages: number, delta: { ms: number[], bytes: number[] }, whole: { ms: number, bytes: number } }} Row */

/** @param {number} step */
function turn(step) {
  const call = { name: step % 3 ? 'bash' : 'read', arguments: JSON.stringify({ command: `make ${step}` }) };
  return [
    { role: 'assistant', content: 'Next.', tool_calls: [{ id: `c${step}`, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: `c${step}`, content: `result ${step} ${'line '.repeat(200)}` },
  ];
}

/** @param {NodeJS.CpuUsage} started */
function msSince(started) {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/** @param {number} length @param {number} requests @returns {Row} */
function rowOf(length, requests) {
  const view = new ContextView({ price: 'anthropic' });
  const steps = Math.floor(length / MESSAGES_PER_STEP);
  const measured = Math.min(requests, Math.floor(steps / 2));
  const stored = /** @type {any[]} */ ([{ role: 'system', content: 'Be careful. '.repeat(500) }]);
  const delta = { ms: /** @type {number[]} */ ([]), bytes: /** @type {number[]} */ ([]) };
  for (let step = 0; step < steps; step++) {
    stored.push(...turn(step));
    if (step < steps - measured && step % Math.ceil(steps / REQUESTS_BEFORE) !== 0) continue;
    view.project(stored, { now: START_MS + step * STEP_MS });
    const started = process.cpuUsage();
    const told = view.exportDelta();
    const ms = msSince(started);
    if (step < steps - measured) continue;
    delta.ms.push(ms);
    delta.bytes.push(Buffer.byteLength(told.delta));
  }
  const started = process.cpuUsage();
  const state = view.export();
  const ms = msSince(started);
  return { messages: stored.length - 1, delta, whole: { ms, bytes: Buffer.byteLength(JSON.stringify(state)) } };
}

/** @param {{ quick: boolean, progress: (work: string) => void }} run @returns {Generator<Row>} */
export function* rows({ quick, progress }) {
  for (const length of quick ? LENGTHS.slice(0, 2) : LENGTHS) {
    progress(`${length} messages`);
    yield rowOf(length, quick ? FEW_REQUESTS : REQUESTS);
  }
}

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
}

/** @param {readonly Row[]} rows */
export function markdown(rows) {
  const cells = rows.map(({ messages, delta, whole }) => {
    const figures = [0.5, 0.95].flatMap((share) => [
      quantile(delta.ms, share).toFixed(2),
      quantile(delta.bytes, share),
    ]);
    return `| ${messages} | ${figures.join(' | ')} | ${whole.ms.toFixed(1)} | ${whole.bytes} |`;
  });
  return [
    '| messages | `exportDelta()` ms, p50 | bytes, p50 | ms, p95 | bytes, p95 | `export()` ms | bytes |',
    '| --: | --: | --: | --: | --: | --: | --: |',
    ...cells,
  ].join('\n');
}

export { markdown as table };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const progress = (/** @type {string} */ work) => process.stderr.write(`${work} …\n`);
  process.stdout.write(`${markdown([...rows({ quick: values.quick, progress })])}\n`);
}
