// @ts-check
/** Random sessions without a dialect; converted to any dialect, they are valid at its endpoint. */
import fc from 'fast-check';
import { MINUTE, START } from './histories.mjs';
import { prose } from './random-sessions.mjs';
import { weighted } from './weighted.mjs';

/**
 * @typedef {{ mediaType: string, data: string }} Image base64
 * @typedef {{ texts: string[], image: Image | null, isFailed: boolean }} Outcome at least one text; a failure has no image
 * @typedef {{ key: string, id: string, name: string, input: Record<string, string>, outcome: Outcome | null }} Call
 *   `key` identifies the call in every dialect; `outcome` null: still running
 * @typedef {{ kind: 'user', texts: string[] }} Request
 * @typedef {{ kind: 'assistant', place: number, reasoning: string | null, texts: string[], calls: Call[], time: number }} Step
 *   `place`: index among the steps; `time`: time of the results, ms
 * @typedef {{ system: string, steps: (Request | Step)[], isPending: boolean, end: number }} NeutralSession
 *   starts with a request; only calls of the last step can lack an outcome, and `isPending` is true if some do
 */

const { boolean, constantFrom, integer, record } = fc;

/** A PNG of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const texts = fc.array(integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3, size: 'small' });

const call = record({
  tool: weighted(
    [3, constantFrom('terminal-execute')],
    [3, constantFrom('filesystem-read')],
    [1, constantFrom('ace-text_search')],
  ),
  file: integer({ min: 0, max: 3 }),
  words: texts,
  isFailed: weighted([5, constantFrom(false)], [1, constantFrom(true)]),
  hasImage: weighted([7, constantFrom(false)], [1, constantFrom(true)]),
});

const step = record({
  thinks: boolean(),
  says: weighted([2, fc.constant([])], [3, texts]),
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  minutes: integer({ min: 0, max: 6 }),
});

const turn = record({
  ask: texts,
  steps: fc.array(step, { maxLength: 5 }),
  // Without a final text the turn was interrupted after its results.
  answer: weighted([4, texts], [1, fc.constant(null)]),
  thinks: boolean(),
});

/** Writes a session from its plan. */
class Author {
  #count = 0;
  #now = START;
  /** @type {(Request | Step)[]} */ steps = [];

  /** @param {number[]} sizes */
  #texts(sizes) {
    return sizes.map((words) => `${++this.#count}: ${prose(words, this.#count)}`);
  }

  /** @param {any} plan */
  #step({ thinks, says, calls, minutes }) {
    const place = this.steps.length;
    this.#now += minutes * MINUTE;
    this.steps.push({
      kind: 'assistant',
      place,
      reasoning: thinks ? `Because of ${++this.#count}.` : null,
      texts: this.#texts(says),
      calls: calls.map((/** @type {any} */ each, /** @type {number} */ index) => this.#call(each, `${place}.${index}`)),
      time: this.#now,
    });
  }

  /** @param {any} plan @param {string} key @returns {Call} */
  #call({ tool, file, words, isFailed, hasImage }, key) {
    const isTerminal = tool === 'terminal-execute';
    return {
      key,
      id: `call_${key.replace('.', '_')}`,
      name: tool,
      input: isTerminal ? { command: `make ${key}` } : { filePath: `src/${file}.ts` },
      outcome: {
        texts: isTerminal
          ? [JSON.stringify({ stdout: this.#texts(words).join('\n'), stderr: '', exitCode: 0 })]
          : this.#texts(words),
        image: hasImage && !isFailed && !isTerminal ? { mediaType: 'image/png', data: PIXEL } : null,
        isFailed,
      },
    };
  }

  /** @param {any} plan */
  turn({ ask, steps, answer, thinks }) {
    this.steps.push({ kind: 'user', texts: this.#texts(ask) });
    for (const each of steps) this.#step(each);
    if (answer !== null) this.#step({ thinks, says: answer, calls: [], minutes: 0 });
    // Some dialects can't represent two requests in a row as two turns.
    else if (steps.length === 0) this.#step({ thinks, says: [1], calls: [], minutes: 0 });
  }

  /** Removes outcomes of the last step. @param {number} kept number of calls that keep theirs @returns {boolean} true if any was removed */
  interrupt(kept) {
    const last = this.steps.at(-1);
    if (last?.kind !== 'assistant') return false;
    const running = last.calls.slice(kept);
    for (const each of running) each.outcome = null;
    return running.length > 0;
  }

  get end() {
    return this.#now;
  }
}

/**
 * Creates a session from its plan.
 * @param {{ turns: any[], last: any }} plan
 * @returns {NeutralSession}
 */
function sessionOf({ turns, last }) {
  const author = new Author();
  for (const plan of turns) author.turn(plan);
  if (last !== null) author.turn({ ask: [3], steps: [last.step], answer: null, thinks: false });
  const isPending = last !== null && author.interrupt(last.kept);
  return { system: 'You are an agent.', steps: author.steps, isPending, end: author.end };
}

/**
 * Sessions of up to `turns` requests.
 * @param {number} [turns]
 * @returns {fc.Arbitrary<NeutralSession>}
 */
export const neutralSession = (turns = 5) =>
  record({
    turns: fc.array(turn, { minLength: 1, maxLength: turns }),
    last: weighted([2, fc.constant(null)], [1, record({ step, kept: integer({ min: 0, max: 2 }) })]),
  }).map(sessionOf);

/**
 * A fixed session: `turns` requests with three steps each, of a terminal command and a repeated read of a file.
 * @param {number} turns
 * @returns {NeutralSession}
 */
export function longSession(turns) {
  const step = (/** @type {number} */ number) => ({
    thinks: number % 2 === 0,
    says: [8],
    minutes: 3,
    calls: [
      { tool: 'terminal-execute', file: 0, words: [120], isFailed: false, hasImage: false },
      { tool: 'filesystem-read', file: number % 3, words: [60, 60], isFailed: number % 5 === 4, hasImage: false },
    ],
  });
  const plan = { ask: [12], steps: [0, 1, 2].map(step), answer: [20], thinks: false };
  const plans = Array.from({ length: turns }, (_, turn) => ({
    ...plan,
    steps: [3 * turn, 3 * turn + 1, 3 * turn + 2].map(step),
  }));
  return sessionOf({ turns: plans, last: null });
}

/**
 * A copy in which a step in the middle was interrupted: one of its calls never got a result, and the session continued.
 * @param {NeutralSession} session
 * @returns {NeutralSession}
 */
export function interrupted(session) {
  const copy = structuredClone(session);
  const steps = copy.steps.filter((each) => each.kind === 'assistant' && each.calls.length > 1);
  const step = /** @type {Step} */ (steps[steps.length >> 1]);
  const [first] = step.calls;
  if (first !== undefined) first.outcome = null;
  return copy;
}
