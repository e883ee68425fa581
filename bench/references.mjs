// @ts-check
/**
 * CPU time of references to earlier lines: `node bench/references.mjs`. Measures the first request of a conversation
 * and a later one, with and without `repeated`; minimum of seven rounds.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ContextView } from 'palimpsest';
import { cpuMs, markdownTable } from './runner.mjs';

const CORPUS = fileURLToPath(new URL('../../shared/corpus/', import.meta.url));
const SESSIONS = ['p06_medium_rereads', 'p08_large_pi', 'p09_xlarge_ansi'];
const ROUNDS = 7;
/** Number of messages at the end that are added request by request. */
const ADDED = 120;

/** @param {readonly any[]} messages @param {boolean} repeated @returns {{ first: number, further: number }} milliseconds */
function timesOf(messages, repeated) {
  const view = new ContextView({ price: 'anthropic', repeated });
  const start = messages.length - ADDED;
  const startMs = cpuMs();
  view.project(messages.slice(0, start));
  const firstEndMs = cpuMs();
  let requests = 0;
  for (let length = start; length < messages.length; length++) {
    if (messages[length].role !== 'assistant') continue;
    view.project(messages.slice(0, length));
    requests += 1;
  }
  return { first: firstEndMs - startMs, further: (cpuMs() - firstEndMs) / requests };
}

/** @param {string} name */
function line(name) {
  const read = JSON.parse(readFileSync(`${CORPUS}${name}.json`, 'utf8'));
  const messages = Array.isArray(read) ? read : read.messages;
  const least = (/** @type {boolean} */ repeated) => {
    const rounds = Array.from({ length: ROUNDS }, () => timesOf(messages, repeated));
    const minimum = (/** @type {'first' | 'further'} */ what) => Math.min(...rounds.map((round) => round[what]));
    return { first: minimum('first'), further: minimum('further') };
  };
  const [without, withReferences] = [least(false), least(true)];
  const pair = (/** @type {'first' | 'further'} */ what) =>
    [without[what], withReferences[what], withReferences[what] / without[what]].map((figure) => figure.toFixed(2));
  return [name, messages.length, ...pair('first'), ...pair('further')];
}

if (!existsSync(CORPUS)) {
  console.log('skipped: the recorded sessions are next to a clone, in ../shared/corpus');
} else {
  const pair = (/** @type {string} */ what) => [`${what}, ms, without`, 'with', '×'];
  const head = ['session', 'messages', ...pair('first sight'), ...pair('a further request')];
  console.log(markdownTable(head, SESSIONS.map(line)));
}
