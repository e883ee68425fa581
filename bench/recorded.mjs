// @ts-check
/** Recorded sessions, called as applications do: with a growing array, before each assistant message. */
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { cleanUp, implementations, product } from './contenders.mjs';
import { faster, rowOf } from './runner.mjs';

export const title =
  'Recorded sessions, called before each message of the assistant: the sum of the least times of each request';

/** Tool names of the recordings, so that the rules apply to them. */
const OWN_TOOLS = {
  terminal: { terminalTools: ['bash', 'exec', 'terminal-execute'] },
  fileReads: { readTools: ['Read', 'read', 'read_file'], pathKeys: ['file_path', 'path'] },
};
const WITHOUT_PRICES = "view, price: 'none'";
const GOALS = [faster('ContextView', 1 / 1.4, 'prepareMessages'), faster(WITHOUT_PRICES, 1, 'prepareMessages')];

/** @typedef {(stored: any[], now: number) => unknown} Send */

/** Functions that send the requests of one session; the first request creates the view. @type {Record<string, () => Send>} */
const contenders = {
  ...Object.fromEntries(
    Object.entries(implementations).map(([name, made]) => [
      name,
      () => (/** @type {any[]} */ stored, /** @type {number} */ now) => cleanUp(made, stored, now, OWN_TOOLS),
    ]),
  ),
  prepareMessages: () => (stored, now) => product.prepareMessages(stored, { ...OWN_TOOLS, now }),
  ContextView: () => sendingView(OWN_TOOLS),
  [WITHOUT_PRICES]: () => sendingView({ ...OWN_TOOLS, price: 'none' }),
};

/** @param {object} options @returns {Send} */
function sendingView(options) {
  /** @type {InstanceType<typeof product.ContextView> | undefined} */
  let view;
  return (stored, now) => {
    view ??= new product.ContextView(options);
    return view.project(stored, { now });
  };
}

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  const { sessions } = loadCorpus();
  const chosen = quick ? sessions.filter(({ messages }) => messages.length < 100) : sessions;
  if (chosen.length === 0) return;
  /** @type {Record<string, number>} */
  const all = {};
  let requests = 0;
  for (const { name, messages } of chosen) {
    progress(name);
    const least = leastTimes(messages, quick ? 3 : messages.length < 100 ? 60 : 9);
    /** @type {Record<string, number>} */
    const sums = {};
    for (const [contender, times] of Object.entries(least)) {
      const sum = times.reduce((before, ms) => before + ms, 0);
      sums[contender] = sum;
      all[contender] = (all[contender] ?? 0) + sum;
    }
    const own = least.prepareMessages?.length ?? 0;
    requests += own;
    yield rowOf(`${name}, ${own} requests`, samplesOf(sums), quick ? [] : GOALS);
  }
  yield rowOf(`all sessions, ${requests} requests`, samplesOf(all), quick ? [] : GOALS);
}

/** @param {Record<string, number>} sums */
function samplesOf(sums) {
  return Object.fromEntries(Object.entries(sums).map(([contender, sum]) => [contender, [sum]]));
}

/**
 * Minimum over all rounds, by contender and request, because other load on the machine affects different requests in
 * each round.
 * @param {readonly any[]} messages
 * @param {number} rounds
 * @returns {Record<string, number[]>} milliseconds
 */
function leastTimes(messages, rounds) {
  // Parsed again for each round, outside the measured time, since a session starts with new objects.
  const file = JSON.stringify(messages);
  const entrants = Object.entries(contenders);
  /** @type {Record<string, number[]>} */
  const least = Object.fromEntries(entrants.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % entrants.length;
    for (const [name, begin] of [...entrants.slice(first), ...entrants.slice(0, first)]) {
      play(JSON.parse(file), begin(), /** @type {number[]} */ (least[name]));
    }
  }
  return least;
}

/**
 * @param {readonly any[]} messages
 * @param {Send} send
 * @param {number[]} least minimum by request; updated in place
 */
function play(messages, send, least) {
  /** @type {any[]} */
  const stored = [];
  let [now, request] = [0, 0];
  for (const message of messages) {
    if (message.role === 'assistant') {
      const started = process.hrtime.bigint();
      send(stored, now + 1000);
      const taken = Number(process.hrtime.bigint() - started) / 1e6;
      least[request] = Math.min(least[request] ?? Number.POSITIVE_INFINITY, taken);
      request++;
    }
    stored.push(message);
    now = Math.max(now, message.timestamp ?? 0);
  }
}
