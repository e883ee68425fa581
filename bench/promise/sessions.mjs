// @ts-check
/** Sessions to play: recorded ones, and random ones of kinds that the recordings lack. */
import { loadCorpus } from '../../__test__/support/corpus.mjs';
import { loadRecordings } from '../cache-recordings.mjs';
import { between, oneOf, randomFor } from './random.mjs';

/**
 * @typedef {{ name: string, messages: any[] }} Session
 * @typedef {'mixed' | 'many-small' | 'minimum' | 'pictures'} Kind
 */

const START_MS = 1_780_000_000_000;
const TOOLS = ['Bash', 'Read', 'Grep', 'Edit', 'terminal-execute', 'read_file'];
const PAUSES_S = [240, 310, 620, 1_900, 3_700, 30_000];
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAA12IJaAAAA';

/** A recording without its provider's reports: they describe another cache. @param {Session} session */
function withoutReports({ name, messages }) {
  return { name, messages: messages.map(({ usage: _, ...message }) => message) };
}

/** @returns {Session[]} */
export function recordedSessions() {
  return [...loadCorpus().sessions, ...loadRecordings()].map(withoutReports);
}

/** Minimum cacheable prompt lengths of providers, tokens. */
const MINIMA = [1_024, 2_048];
const MAX_LARGE_RESULTS = 2;
/** Share of results after which the user speaks again. */
const ASK_SHARE = 0.12;

/**
 * By kind: ranges of words in the system prompt, a result and an assistant message, and of the number of requests. A
 * `minimum` session starts with a prompt of nearly the minimum cacheable length and some large results, then grows in
 * small steps: after the results are removed, the rest is hardly cached.
 * @type {Record<Kind, Record<'system' | 'result' | 'answer' | 'requests', [number, number]>>}
 */
const SIZES = {
  mixed: { system: [200, 3_000], result: [5, 6_000], answer: [0, 60], requests: [20, 90] },
  'many-small': { system: [300, 1_500], result: [3, 120], answer: [0, 60], requests: [80, 160] },
  minimum: { system: [-130, 10], result: [1, 12], answer: [0, 4], requests: [10, 50] },
  pictures: { system: [200, 2_000], result: [5, 1_500], answer: [0, 60], requests: [20, 50] },
};

/** Writes a random session. */
class Writer {
  /** @type {any[]} */ messages = [];
  #nowMs = START_MS;
  #calls = 0;

  /** @param {Kind} kind @param {boolean} isTimed @param {import('./random.mjs').Random} random */
  constructor(kind, isTimed, random) {
    this.kind = kind;
    this.isTimed = isTimed;
    this.random = random;
    this.sizes = SIZES[kind];
    this.largeResults = kind === 'minimum' ? between(random, 1, MAX_LARGE_RESULTS) : 0;
    this.chatShare = kind === 'minimum' ? 0.8 : 0;
  }

  /** @param {number} requests */
  write(requests) {
    const { random, sizes } = this;
    const base = this.kind === 'minimum' ? oneOf(random, MINIMA) : 0;
    this.#add({ role: 'system', content: words(random, base + between(random, ...sizes.system)) });
    this.#add({ role: 'user', content: 'Begin.' });
    for (let request = 0; request < requests; request++) this.#turn();
    this.#add({ role: 'assistant', content: 'Done.' });
    return this.messages;
  }

  #turn() {
    const { random } = this;
    if (this.#calls > this.largeResults && random() < this.chatShare) return this.#ask();
    const calls = Array.from({ length: random() < 0.15 ? between(random, 2, 4) : 1 }, () => this.#call());
    this.#pass(between(random, 1, 20));
    this.#add({ role: 'assistant', content: words(random, between(random, ...this.sizes.answer)), tool_calls: calls });
    this.#pass(between(random, 1, 30));
    for (const { id } of calls) this.#add({ role: 'tool', tool_call_id: id, content: this.#result(id) });
    if (random() < ASK_SHARE) this.#ask();
  }

  #ask() {
    const { random } = this;
    this.#add({ role: 'assistant', content: words(random, 1 + between(random, ...this.sizes.answer)) });
    this.#pass(random() < 0.4 ? oneOf(random, PAUSES_S) : between(random, 5, 120));
    this.#add({ role: 'user', content: `And now? ${words(random, between(random, ...this.sizes.answer))}` });
  }

  #call() {
    const { random } = this;
    const id = `call_${this.#calls++}`;
    const tools = this.kind === 'pictures' ? ['Read'] : this.kind === 'minimum' ? ['Read', 'Bash'] : TOOLS;
    const name = oneOf(random, tools);
    const path =
      this.kind === 'pictures' ? 'screen.png' : `src/${between(random, 0, this.kind === 'minimum' ? 0 : 3)}.ts`;
    const given = name === 'Bash' || name === 'terminal-execute' ? { command: `make ${id}` } : { file_path: path };
    return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } };
  }

  /** Most results are short, a few are long. @param {string} id */
  #result(id) {
    const { random, sizes } = this;
    const [least, most] = sizes.result;
    const isLarge = this.kind === 'minimum' && this.#calls <= this.largeResults;
    const length = isLarge ? between(random, 300, 3_000) : Math.round(least + (most - least) * random() ** 3);
    const text = `${id} ${words(random, length)}`;
    if (this.kind !== 'pictures' || random() < 0.3) return text;
    const url = `data:image/png;base64,${PIXEL}${Buffer.from(`${id} ${text.slice(0, 300)}`).toString('base64')}`;
    return [
      { type: 'text', text: id },
      { type: 'image_url', image_url: { url } },
    ];
  }

  /** @param {number} seconds */
  #pass(seconds) {
    this.#nowMs += seconds * 1_000;
  }

  /** @param {any} message */
  #add(message) {
    this.messages.push(this.isTimed ? { ...message, timestamp: this.#nowMs } : message);
  }
}

const WORDS = 'the error in line of file src test passed const value = await return 200 ok warning build module'.split(
  ' ',
);

/** @param {import('./random.mjs').Random} random @param {number} count */
export function words(random, count) {
  return Array.from({ length: count }, () => oneOf(random, WORDS)).join(' ');
}

/** @param {Kind} kind @param {string | number} seed @param {boolean} [isTimed] @param {number} [requests] @returns {Session} */
export function randomSession(kind, seed, isTimed = true, requests) {
  const name = `random ${kind} ${seed}${isTimed ? '' : ', untimed'}`;
  const random = randomFor(name);
  const length = between(random, ...SIZES[kind].requests);
  return { name, messages: new Writer(kind, isTimed, random).write(requests ?? length) };
}

/** @param {readonly Kind[]} kinds @param {number} each @returns {Session[]} */
function randomSessions(kinds, each) {
  return kinds.flatMap((kind) => Array.from({ length: each }, (_, seed) => randomSession(kind, seed, seed % 3 !== 2)));
}

/** Maximum number of messages of small and of medium sessions. */
const SMALL_MESSAGES = 130;
const MEDIUM_MESSAGES = 260;

/**
 * The sessions of each group that a scenario can name.
 * @param {boolean} isSmall only the small ones
 * @returns {Record<NonNullable<import('./play.mjs').Scenario['sessions']>, Session[]>}
 */
export function sessionGroups(isSmall) {
  const upTo = (/** @type {Session[]} */ sessions, /** @type {number} */ most) =>
    sessions.filter(({ messages }) => messages.length <= most);
  const all = [...recordedSessions(), ...randomSessions(['mixed', 'many-small', 'minimum'], 3)];
  const usual = isSmall ? upTo(all, SMALL_MESSAGES) : all;
  return {
    usual,
    small: upTo(usual, SMALL_MESSAGES),
    medium: upTo(usual, MEDIUM_MESSAGES),
    long: isSmall ? usual : usual.filter(({ messages }) => messages.length > MEDIUM_MESSAGES),
    minimum: randomSessions(['minimum'], isSmall ? 8 : 30),
    pictures: randomSessions(['pictures'], isSmall ? 3 : 8),
  };
}
