// @ts-check
/** An application whose history is compressed, and checks that its history, its messages and its pairs are intact. */
import assert from 'node:assert/strict';
import * as palimpsest from 'palimpsest';

const { expandHistory, TokenCounter } = /** @type {any} */ (palimpsest);

/** Keeps the original of each message in addition to the array that is compressed. Messages are identified by `uid`. */
export class Application {
  /** @type {any[]} messages that the manager changes */
  messages = [];
  /** @type {any[]} the original history */
  history = [];
  /** @type {Map<object, any>} each message as created */
  #copies = new Map();
  #uids = 0;
  #isFrozen;

  /** @param {{ isFrozen?: boolean }} [options] */
  constructor({ isFrozen = false } = {}) {
    this.#isFrozen = isFrozen;
  }

  /** @param {any[]} messages */
  append(...messages) {
    for (const message of messages) {
      const own = this.#own({ ...message, uid: ++this.#uids });
      this.messages.push(own);
      this.history.push(own);
    }
  }

  /** Replaces the text of one of the application's messages. @param {number} choice */
  edit(choice) {
    const indices = this.messages.flatMap((message, index) => (this.#isPlain(message) ? [index] : []));
    if (indices.length === 0) return;
    const index = indices[choice % indices.length];
    const old = this.messages[index];
    const edited = this.#own({ ...old, content: withText(old.content, `edited ${choice}`) });
    this.messages[index] = edited;
    this.history[this.history.indexOf(old)] = edited;
  }

  /** Rewinds to one of the messages after the newest compression. @param {number} choice */
  rewind(choice) {
    const newest = this.messages.findLastIndex((message) => !this.#isPlain(message));
    const left = this.messages.length - newest - 1;
    if (left < 2) return;
    this.messages.length = newest + 2 + (choice % (left - 1));
    this.history.length = this.history.indexOf(this.messages.at(-1)) + 1;
  }

  /** The history as created. */
  get original() {
    return this.history.map((message) => this.#copies.get(message));
  }

  /** Asserts that no message of the application was modified. */
  assertUntouched() {
    for (const [message, copy] of this.#copies) assert.deepEqual(message, copy, 'R0.1 a stored message was written to');
  }

  assertWhole() {
    assert.deepEqual(expandHistory(this.messages), this.original, 'R7.8 expandHistory returns another history');
    const reloaded = JSON.parse(JSON.stringify(this.messages));
    assert.deepEqual(expandHistory(reloaded), this.original, 'R7.8 expandHistory returns another history after JSON');
  }

  /** @param {any} message */
  #isPlain(message) {
    return this.#copies.has(message);
  }

  /** @param {any} message */
  #own(message) {
    this.#copies.set(message, structuredClone(message));
    return this.#isFrozen ? deepFreeze(message) : message;
  }
}

/** @param {any} content @param {string} text */
function withText(content, text) {
  if (!Array.isArray(content)) return text;
  return content.map((part) => (part.type === 'text' ? { ...part, text } : part));
}

/** Freezes a value and everything in it. @template T @param {T} value @returns {T} */
export function deepFreeze(value) {
  if (value === null || typeof value !== 'object') return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

/** Ids of a message's calls and results, in OpenAI's and Anthropic's form. @param {any} message */
export function pairing(message) {
  const parts = Array.isArray(message?.content) ? message.content : [];
  const ids = (/** @type {any[]} */ found) => found.filter((id) => typeof id === 'string' && id !== '');
  const calls = Array.isArray(message?.tool_calls) ? message.tool_calls.map((call) => call?.id) : [];
  return {
    declares: ids([...calls, ...parts.filter((part) => part?.type === 'tool_use').map((part) => part.id)]),
    answers: ids([
      message?.role === 'tool' ? message.tool_call_id : undefined,
      ...parts.filter((part) => part?.type === 'tool_result').map((part) => part.tool_use_id),
    ]),
  };
}

/**
 * Asserts that each pair of call and result in `history` is either complete or removed in `messages`.
 * @param {readonly any[]} messages
 * @param {readonly any[]} history
 * @param {ReadonlySet<string>} [givenUp] ids of calls that need no result
 * @param {typeof pairing} [pairingOf] for messages of other forms
 */
export function assertPairs(messages, history, givenUp = new Set(), pairingOf = pairing) {
  const isAnswered = answered(history, pairingOf);
  for (const id of givenUp) isAnswered.delete(id);
  const answersNow = answered(messages, pairingOf);
  const declared = new Set();
  messages.forEach((message, index) => {
    const { declares, answers } = pairingOf(message);
    for (const id of answers) {
      assert.ok(
        declared.has(id) || !isAnswered.has(id),
        `R7.4 message ${index} has the result of the removed call '${id}'`,
      );
    }
    for (const id of declares) {
      declared.add(id);
      assert.ok(
        answersNow.has(id) || !isAnswered.has(id),
        `R7.4 message ${index} has the call '${id}' without its result`,
      );
    }
  });
}

/** Ids of calls whose result comes after them. @param {readonly any[]} messages @param {typeof pairing} pairingOf */
function answered(messages, pairingOf) {
  const declared = new Set();
  const found = new Set();
  for (const message of messages) {
    const { declares, answers } = pairingOf(message);
    for (const id of answers) if (declared.has(id)) found.add(id);
    for (const id of declares) declared.add(id);
  }
  return found;
}

/**
 * Asserts that a result that directly followed its call still does: providers accept nothing in between.
 * @param {readonly any[]} messages
 * @param {readonly any[]} history
 * @param {ReadonlySet<string>} givenUp ids of calls that need no result
 */
export function assertAdjacent(messages, history, givenUp) {
  const { apart } = answeredCalls(messages);
  for (const id of answeredCalls(history).adjacent) {
    assert.ok(!apart.has(id) || givenUp.has(id), `R7.4 something is between the call '${id}' and its result`);
  }
}

/** Ids whose result directly follows its call or other results of the same message, and all other ids. @param {readonly any[]} messages */
function answeredCalls(messages) {
  const adjacent = new Set();
  const apart = new Set();
  let declared = new Set();
  for (const message of messages) {
    const { declares, answers } = pairing(message);
    if (answers.length === 0) declared = new Set(declares);
    for (const id of answers) (declared.has(id) ? adjacent : apart).add(id);
  }
  return { adjacent, apart };
}

const counter = new TokenCounter();

/** Tokens of a request with `messages`. @param {readonly any[]} messages @param {object} [options] */
export function countTokens(messages, options) {
  return counter.countMessages(messages, options);
}

/**
 * @param {readonly any[]} messages
 * @param {{ window: number, hardLimit?: number }} limits
 * @param {readonly any[]} events events of the call that should have ensured this
 */
export function assertFits(messages, { window, hardLimit = 0.95 }, events) {
  const weight = countTokens(messages);
  if (weight <= Math.ceil(window * hardLimit)) return;
  const types = events.map(({ type }) => type);
  assert.ok(
    types.includes('cannot_fit'),
    `R7.11 ${weight} tokens in a window of ${window}; events: ${types.join(' ')}`,
  );
}
