// @ts-check
import { cleanUp, implementations, lastTimestamp, product } from './contenders.mjs';
import { generateHistory } from './generate.mjs';
import { faster, measure } from './runner.mjs';

export const title = 'Message cleanup: orphans, terminal results, file reads';

const COLD_GOALS = [faster('product', 5)];

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  const rounds = (count) => (quick ? 1 : Math.max(3, count));
  for (const length of [500, 5000]) {
    progress(`first call, ${length} messages`);
    yield firstCall(length, rounds(length > 1000 ? 15 : 60));
  }
  for (const length of [500, 5000]) {
    progress(`same again, ${length} messages`);
    yield sameAgain(length, rounds(length > 1000 ? 15 : 60));
  }
  progress('one new turn, clones');
  yield oneNewTurn(300, rounds(60));
}

/**
 * First call on a restored history. It is parsed again before each round, outside the measured time, so its objects are
 * always new.
 * @param {number} length @param {number} rounds
 */
function firstCall(length, rounds) {
  const messages = generateHistory(length);
  const file = JSON.stringify(messages);
  const now = lastTimestamp(messages) + 1000;
  const prepare = () => JSON.parse(file);
  const contenders = eachImplementation((implementation) => ({
    prepare,
    run: (stored) => cleanUp(implementation, stored, now),
  }));
  contenders.prepareMessages = { prepare, run: (stored) => product.prepareMessages(stored, { now }) };
  return measure(`first call, ${length} messages`, contenders, { rounds, goals: COLD_GOALS });
}

/** A clock that advances with each call, while nothing else changes. @param {number} start */
function clockFrom(start) {
  let now = start;
  return () => {
    now += 10;
    return now;
  };
}

function sameAgain(length, rounds) {
  const stored = generateHistory(length);
  const start = lastTimestamp(stored) + 1000;
  const contenders = eachImplementation((implementation) => {
    const clock = clockFrom(start);
    return { run: () => cleanUp(implementation, stored, clock()) };
  });
  const clock = clockFrom(start);
  contenders.prepareMessages = { run: () => product.prepareMessages(stored, { now: clock() }) };
  const iterations = Math.ceil(5000 / length);
  return measure(`same again, ${length} messages`, contenders, { rounds, iterations });
}

/**
 * An application that clones its messages for each request, as pi does, compared with one that passes the same objects.
 * @param {number} length @param {number} rounds
 */
function oneNewTurn(length, rounds) {
  const stored = generateHistory(length + 2);
  const now = lastTimestamp(stored) + 1000;
  const contender = (/** @type {(messages: any[]) => any[]} */ passed) => ({
    prepare: () => {
      const view = new product.ContextView();
      view.project(passed(stored.slice(0, -2)), { now });
      return { view, messages: passed(stored) };
    },
    run: (/** @type {any} */ { view, messages }) => view.project(messages, { now: now + 1000 }),
  });
  const contenders = { ContextView: contender((messages) => messages.slice()), clones: contender(structuredClone) };
  const goals = [{ text: 'clones ≤ 1 ms', met: (/** @type {Record<string, number>} */ { clones = 1 }) => clones <= 1 }];
  return measure(`one new turn at ${length} messages`, contenders, { rounds, warmUp: 20, goals });
}

/** @param {(implementation: any) => import('./runner.mjs').Contender} contender */
function eachImplementation(contender) {
  return Object.fromEntries(Object.entries(implementations).map(([name, made]) => [name, contender(made)]));
}
