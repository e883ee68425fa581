// @ts-check
/**
 * `npm run soak`: ten million calls in this thread and in 64 short-lived workers, in one process; exit code 1 if memory
 * grows.
 *
 *   npm run soak -- --calls 100000 --workers 8     a short one
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { ContextView, prepareMessages, sanitizeToolResult, TokenCounter, truncateOutput } from 'palimpsest';
import { fiveNewer, NOW, oldTerminalResult } from '../__test__/support/old-results.mjs';
import { programArguments } from '../scripts/run-program.mjs';

/** Number of concurrent workers. Each has its own heap, which counts as the process's memory while the worker runs. */
const WORKERS_AT_ONCE = 8;
const CALLS_OF_WORKER = 1_000;
const MEGABYTE = 2 ** 20;
/** Allowed growth after the first tenth of the calls, when everything is loaded and compiled. A leak of 100 bytes per call would be a gigabyte. */
const MAX_MORE_BYTES = 64 * MEGABYTE;
const TENTHS = 10;

const counter = new TokenCounter();
const text = 'One line of an output, and a number: 12345.\n'.repeat(20);
const result = { content: [{ type: 'text', text }] };
const stored = [...oldTerminalResult('a'), ...fiveNewer()];
let view = new ContextView();

/** @type {((nth: number) => unknown)[]} */
const CALLS = [
  (nth) => counter.count(`${nth} ${text}`),
  (nth) => truncateOutput(text, { limit: 100 + (nth % 500) }),
  () => sanitizeToolResult(result),
  (nth) => prepareMessages(stored, { now: NOW + nth }),
  (nth) => {
    // Use a new conversation from time to time, since applications have many.
    if (nth % 1_000 < CALLS.length) view = new ContextView();
    return view.project(stored, { now: NOW + nth });
  },
];

/** @param {number} from @param {number} count */
function callAll(from, count) {
  for (let nth = from; nth < from + count; nth++) CALLS[nth % CALLS.length]?.(nth);
}

/** Resident memory after garbage collection. */
function residentBytes() {
  /** @type {any} */ (globalThis).gc();
  return process.memoryUsage.rss();
}

/** @param {number} count */
async function runWorkers(count) {
  const started = Array.from({ length: count }, () => new Worker(new URL(import.meta.url), { workerData: 'soak' }));
  const codes = await Promise.all(started.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
  if (codes.some((code) => code !== 0)) throw new Error(`a worker ended with ${codes}`);
}

/** @param {string} when @param {number} bytes */
function printMemory(when, bytes) {
  process.stdout.write(`| ${when} | ${(bytes / MEGABYTE).toFixed(1)} |\n`);
}

/** @param {number} calls @param {number} workers @returns {Promise<number>} exit code */
async function soak(calls, workers) {
  process.stdout.write('| after | resident, MB |\n|---|--:|\n');
  printMemory('loading', residentBytes());
  let first = 0;
  let last = 0;
  let ended = 0;
  for (let tenth = 1; tenth <= TENTHS; tenth++) {
    const done = Math.round((calls * (tenth - 1)) / TENTHS);
    const end = Math.round((calls * tenth) / TENTHS);
    callAll(done, end - done);
    for (const due = Math.round((workers * tenth) / TENTHS); ended < due; ) {
      const count = Math.min(WORKERS_AT_ONCE, due - ended);
      await runWorkers(count);
      ended += count;
    }
    last = residentBytes();
    if (tenth === 1) first = last;
    printMemory(`${end} calls, ${ended} workers`, last);
  }
  if (last - first <= MAX_MORE_BYTES) return 0;
  process.stderr.write(`npm run soak: ${((last - first) / MEGABYTE).toFixed(1)} MB more than after the first tenth\n`);
  return 1;
}

if (!isMainThread && workerData === 'soak') callAll(0, CALLS_OF_WORKER);
else {
  const string = /** @type {const} */ ('string');
  const options = { calls: { type: string, default: '10000000' }, workers: { type: string, default: '64' } };
  const { calls, workers } = programArguments({ options }).values;
  process.exitCode = await soak(Number(calls), Number(workers));
}
