// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { cleanUp, implementations, lastTimestamp, product } from './contenders.mjs';
import { generateHistory, generateTurns } from './generate.mjs';
import { faster, measure, rowOf } from './runner.mjs';

export const title = 'Message cleanup: orphans, terminal results, file reads';

const NEVER_MUCH_SLOWER = faster('product', 1 / 1.5, 'best JS');
const COLD_GOALS = { 500: [faster('product', 5)], 5000: [faster('product', 5)] };
const WARM_GOALS = { 50: [faster('product', 10), NEVER_MUCH_SLOWER] };

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  const rounds = (count) => (quick ? 1 : Math.max(3, count));
  for (const length of [50, 500, 5000]) {
    progress(`first call, ${length} messages`);
    yield firstCall(`first call, ${length} messages`, generateHistory(length), rounds(length > 1000 ? 15 : 60), {
      goals: COLD_GOALS[length],
    });
  }
  for (const length of [50, 500, 5000]) {
    progress(`same again, ${length} messages`);
    yield sameAgain(length, rounds(length > 1000 ? 15 : 60));
  }
  progress('one turn, nothing new');
  yield oneTurn(rounds(100));
  progress('one new turn, clones');
  yield oneNewTurn(300, rounds(60));
  const turns = quick ? 50 : 500;
  progress(`${turns}-turn session`);
  yield wholeSession(turns, rounds(5));
  for (const { name, messages } of loadCorpus().sessions) {
    progress(name);
    yield firstCall(`first call, ${name}`, messages, rounds(20), { options: OWN_TOOLS });
  }
  progress('first call of a process');
  yield* firstCallOfProcess(rounds(9));
}

/** Tool names of the recordings, so that the rules apply to them. */
const OWN_TOOLS = {
  terminal: { terminalTools: ['bash', 'exec', 'terminal-execute'] },
  fileReads: { readTools: ['Read', 'read', 'read_file'], pathKeys: ['file_path', 'path'] },
};

/**
 * First call on a restored history. It is parsed again before each round, outside the measured time, so its objects are
 * always new.
 * @param {string} work
 * @param {readonly any[]} messages
 * @param {number} rounds
 * @param {{ options?: { terminal?: object, fileReads?: object }, goals?: import('./runner.mjs').Goal[] }} [settings]
 */
function firstCall(work, messages, rounds, { options = undefined, goals = [] } = {}) {
  const file = JSON.stringify(messages);
  const now = lastTimestamp(messages) + 1000;
  const contenders = eachImplementation((implementation) => ({
    prepare: () => JSON.parse(file),
    run: (stored) => cleanUp(implementation, stored, now, options),
  }));
  contenders.prepareMessages = {
    prepare: () => JSON.parse(file),
    run: (stored) => product.prepareMessages(stored, { ...options, now }),
  };
  return measure(work, contenders, { rounds, goals });
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
  return measure(`same again, ${length} messages`, contenders, { rounds, iterations, goals: WARM_GOALS[length] });
}

/** Cost of one request in a long session, after the code has run and been compiled. */
function oneTurn(rounds) {
  const stored = generateTurns(500).flat();
  const start = lastTimestamp(stored) + 1000;
  const view = new product.ContextView();
  const sessionClock = clockFrom(start);
  const prepareClock = clockFrom(start);
  const contenders = {
    ...eachImplementation((implementation) => {
      const clock = clockFrom(start);
      return { run: () => cleanUp(implementation, stored, clock()) };
    }),
    prepareMessages: { run: () => product.prepareMessages(stored, { now: prepareClock() }) },
    ContextView: { run: () => view.project(stored, { now: sessionClock() }) },
  };
  const goals = [faster('product', 300), faster('ContextView', 300)];
  const work = `one turn at ${stored.length} messages, nothing new`;
  return measure(work, contenders, { rounds, warmUp: 40, iterations: 5, goals });
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

/** All requests of a session; the array grows by one turn each time. @param {number} turns @param {number} rounds */
function wholeSession(turns, rounds) {
  const file = JSON.stringify(generateTurns(turns));
  const play = (send) => (parsed) => {
    const stored = [];
    for (const turn of parsed) {
      stored.push(...turn);
      send(stored, stored[stored.length - 1].timestamp + 1000);
    }
  };
  const prepare = () => JSON.parse(file);
  const contenders = {
    ...eachImplementation((implementation) => ({
      prepare,
      run: play((stored, now) => cleanUp(implementation, stored, now)),
    })),
    prepareMessages: { prepare, run: play((stored, now) => product.prepareMessages(stored, { now })) },
    ContextView: {
      prepare: () => ({ parsed: prepare(), view: new product.ContextView() }),
      run: ({ parsed, view }) => play((stored, now) => view.project(stored, { now }))(parsed),
    },
  };
  const goals = [faster('product', 50), faster('ContextView', 150)];
  return measure(`${turns}-turn session, total`, contenders, { rounds, warmUp: 1, goals });
}

/** Loading and the first call before any code is compiled: what a user waits for when a session is restored. */
function* firstCallOfProcess(rounds) {
  const script = fileURLToPath(new URL('./first-call.mjs', import.meta.url));
  const folder = fileURLToPath(new URL('../build/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const length of [50, 500]) {
    const file = `${folder}history-${length}.json`;
    writeFileSync(file, JSON.stringify(generateHistory(length)));
    const names = Object.keys(implementations);
    /** @type {Record<string, number[]>} */
    const calls = Object.fromEntries(names.map((name) => [name, []]));
    /** @type {Record<string, number[]>} */
    const loads = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const name of names) {
        const taken = JSON.parse(execFileSync(process.execPath, [script, name, file], { encoding: 'utf8' }));
        calls[name].push(taken.callMs);
        loads[name].push(taken.loadMs);
      }
    }
    yield rowOf(`first call of a process, ${length} messages`, calls);
    if (length === 500) yield rowOf('loading the module', loads);
  }
}

/** @param {(implementation: any) => import('./runner.mjs').Contender} contender */
function eachImplementation(contender) {
  return Object.fromEntries(Object.entries(implementations).map(([name, made]) => [name, contender(made)]));
}
