// @ts-check
/** Plays the cases of one campaign. Reports synchronously on descriptor 3, so that a case that never returns is already reported. */
import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { HOSTILE } from './hostile-values.mjs';
import { Random } from './random.mjs';

const [, , name, first, until] = process.argv;
const COUNTS_EVERY = 20;

/** @param {object} line */
const send = (line) => writeSync(3, `${JSON.stringify(line)}\n`);

/** Errors that the fuzzer itself throws from a caller's getter or promise. @param {unknown} error */
const isOwn = (error) => error === HOSTILE;

/** @param {unknown} error */
function sendFinding(error) {
  if (isOwn(error)) return;
  const isError = error instanceof Error;
  const message = (isError ? error.message : inspect(error)).split('\n')[0] ?? '';
  const detail = isError ? `${error.stack ?? ''}`.split('\n').slice(0, 12).join('\n') : '';
  send({ finding: message.slice(0, 500), detail: detail.slice(0, 4_000) });
}

/** @type {Record<string, number>} */
let counts = {};

/** Counts events in a case, because cases in which nothing happens prove nothing. @param {string} what */
const count = (what, by = 1) => {
  counts[what] = (counts[what] ?? 0) + by;
};

process.on('unhandledRejection', (reason) => {
  if (!isOwn(reason)) sendFinding(new Error(`unhandled rejection: ${inspect(reason)}`));
});
process.on('uncaughtException', (error) => sendFinding(new Error(`uncaught exception: ${inspect(error)}`)));

// The parent handles Ctrl-C and ends this process.
process.on('SIGINT', () => {});

const { play } = await import(`./campaigns/${name}.mjs`);
const isSingle = Number(until) === 0;
for (let seed = Number(first); isSingle || Date.now() < Number(until); seed++) {
  send({ seed });
  try {
    await play(new Random(seed), count);
  } catch (error) {
    sendFinding(error);
  }
  if (seed % COUNTS_EVERY === 0 || isSingle) {
    send({ counts });
    counts = {};
  }
  // Wait, so that rejections are attributed to the case that caused them.
  await new Promise((resolve) => setImmediate(resolve));
  if (isSingle) break;
}
send({ counts });
// Don't wait for what a case left running, such as a model that never replies.
process.exit(0);
