// @ts-check
/** Plays the cases of one campaign. Tells on descriptor 3, synchronously: a case that never returns has been told of. */
import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { HOSTILE } from './hostile-values.mjs';
import { Random } from './random.mjs';

const [, , name, first, until] = process.argv;
const COUNTS_EVERY = 20;

/** @param {object} line */
const tell = (line) => writeSync(3, `${JSON.stringify(line)}\n`);

/** What the fuzzer itself throws, in the place of a caller's own getter or promise. @param {unknown} error */
const isOwn = (error) => error === HOSTILE;

/** @param {unknown} error */
function tellFinding(error) {
  if (isOwn(error)) return;
  const isError = error instanceof Error;
  const message = (isError ? error.message : inspect(error)).split('\n')[0] ?? '';
  const detail = isError ? `${error.stack ?? ''}`.split('\n').slice(0, 12).join('\n') : '';
  tell({ finding: message.slice(0, 500), detail: detail.slice(0, 4_000) });
}

/** @type {Record<string, number>} */
let counts = {};

/** Counts what a case had in it: cases in which nothing happens prove nothing. @param {string} what */
const count = (what, by = 1) => {
  counts[what] = (counts[what] ?? 0) + by;
};

process.on('unhandledRejection', (reason) => {
  if (!isOwn(reason)) tellFinding(new Error(`unhandled rejection: ${inspect(reason)}`));
});
process.on('uncaughtException', (error) => tellFinding(new Error(`uncaught exception: ${inspect(error)}`)));

// Ctrl-C is for who started it: that one ends this process, and knows why.
process.on('SIGINT', () => {});

const { play } = await import(`./campaigns/${name}.mjs`);
const isSingle = Number(until) === 0;
for (let seed = Number(first); isSingle || Date.now() < Number(until); seed++) {
  tell({ seed });
  try {
    await play(new Random(seed), count);
  } catch (error) {
    tellFinding(error);
  }
  if (seed % COUNTS_EVERY === 0 || isSingle) {
    tell({ counts });
    counts = {};
  }
  // Lets rejections be noticed in the case that they belong to.
  await new Promise((resolve) => setImmediate(resolve));
  if (isSingle) break;
}
tell({ counts });
// What a case has left running, such as a model that never answers, is not waited for.
process.exit(0);
