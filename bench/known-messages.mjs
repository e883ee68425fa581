// @ts-check
/**
 * Cost of messages that were already read: replays the recorded sessions while only the clock changes. `node
 * bench/known-messages.mjs [root]` prints ns per message; `root` is another checkout to compare with. For a
 * `ContextView` on a generated session of about 1,000 messages it prints µs per request, with nothing new and with one
 * new turn, and the minimum CPU time of a view that reads a whole conversation for the first time.
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { lastTimestamp } from './contenders.mjs';
import { generateTurns } from './generate.mjs';

const ROUNDS = 400;
const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
/** @type {typeof import('palimpsest')} */
const product = createRequire(`${root}/package.json`)('palimpsest');
const counter = new product.TokenCounter();
const sessions = loadCorpus().sessions.map(({ messages }) => ({ messages, last: lastTimestamp(messages) }));
const total = sessions.reduce((sum, { messages }) => sum + messages.length, 0);

/** @type {Record<string, (messages: any[], now: number) => unknown>} */
const works = {
  prepareMessages: (messages, now) => product.prepareMessages(messages, { now }),
  'the three drop-in functions': (messages, now) => {
    const api = [...messages];
    product.cleanOrphanedToolCalls(api);
    product.simplifyOutdatedTerminalResults(api, { now });
    product.simplifyHistoricalFileReads(api, { now });
  },
  countMessages: (messages) => counter.countMessages(messages),
};
for (const [name, work] of Object.entries(works)) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.hrtime.bigint();
    for (const { messages, last } of sessions) work(messages, last + 1e7 + round);
    times.push(Number(process.hrtime.bigint() - started) / total);
  }
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor(ROUNDS * share)]?.toFixed(1);
  process.stdout.write(`${name}: ${at(0.05)} ns a message (5 %), ${at(0.5)} (median), ${total} messages\n`);
}

/** @param {string} name @param {number[]} times µs */
function print(name, times) {
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor(times.length * share)]?.toFixed(1);
  process.stdout.write(`${name}: ${at(0.05)} µs a request (5 %), ${at(0.5)} (median)\n`);
}

/** @type {{ still: number[], grown: number[] }} */
const taken = { still: [], grown: [] };
for (let seed = 1; seed <= 20; seed++) {
  const turns = generateTurns(520, seed);
  const view = new product.ContextView();
  const stored = turns.slice(0, 420).flat();
  let now = lastTimestamp(stored);
  view.project(stored, { now });
  for (const turn of turns.slice(420)) {
    stored.push(...turn);
    now = lastTimestamp(turn) + 1000;
    for (const times of [taken.grown, taken.still]) {
      const started = process.hrtime.bigint();
      view.project(stored, { now });
      times.push(Number(process.hrtime.bigint() - started) / 1000);
    }
  }
}
print('ContextView, nothing new', taken.still);
print('ContextView, one new turn', taken.grown);

for (const length of [1000, 5000]) {
  const stored = generateTurns(length, 1).flat().slice(0, length);
  const now = lastTimestamp(stored) + 1000;
  for (const price of /** @type {const} */ (['anthropic', 'deepseek', 'none'])) {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 20; round++) {
      const view = new product.ContextView({ price });
      const taken = structuredClone(stored);
      const started = process.cpuUsage();
      view.project(taken, { now });
      const { user, system } = process.cpuUsage(started);
      least = Math.min(least, (user + system) / 1000);
    }
    process.stdout.write(`ContextView, first sight of ${length} messages, ${price}: ${least.toFixed(1)} ms of CPU\n`);
  }
}
