// @ts-check
'use strict';

const { readCall } = require('../compression/options.js');
const { isMade } = require('../compression/record.js');
const { stripForApi } = require('../compression/api-messages.js');
const { AutoCompressionManager } = require('../compression/manager.js');
const { copyOf } = require('../lists.js');
const { leavesOf, safeBody, sharedBy, stillHolds } = require('./likeness.js');
const { leadingSystem } = require('./marks.js');
const { fingerprintOf, knownAgain } = require('./state.js');

const THRESHOLD = 'autoCompressionThreshold';

/**
 * A compressed conversation, and the host's messages that it stands for.
 * @typedef {object} Compressed
 * @property {any[]} source the host's messages
 * @property {any[]} working the messages that are sent in their place
 * @property {number} recent how many messages at the end both have
 */

/**
 * Everything between a host's stored messages and a request: compression, projection, and what a provider would reject.
 * The host's array is never written to: what was compressed is kept here.
 */
class Preparation {
  #manager;
  #dialect;
  #whenCold;
  #isCold = false;
  /** @type {Promise<unknown>} */ #before = Promise.resolve();
  /** @type {Compressed | null} */ #compressed = null;
  /** What the messages of its source held: hosts edit them where they stand. @type {WeakMap<object, () => boolean>} */
  #unchanged = new WeakMap();
  /** @type {{ marks: (number | null)[], head: any[] } | null} */ #imported = null;

  /** @param {{ compression: Record<string, any> | null, whenCold: number | null, dialect: unknown }} options */
  constructor({ compression, whenCold, dialect }) {
    this.#dialect = dialect;
    this.#whenCold = whenCold;
    if (compression === null) return;
    const { config, llmClient, logger, ...options } = compression;
    const service = whenCold === null ? config : this.#withOwnThreshold(config);
    this.#manager = new AutoCompressionManager(service, llmClient, logger, { dialect, ...options });
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} options
   * @param {{ isSide: boolean, isCold: () => boolean, project: (working: any[]) => { messages: any[], report: any } }} view
   */
  async prepare(messages, options, view) {
    const { signal, now } = readCall(options);
    signal?.throwIfAborted();
    const taken = copyOf(messages);
    // The messages are remembered at once: `ContextViews` must not give this view to another conversation meanwhile.
    const manager = this.#manager;
    if (view.isSide) return this.#sent(this.#beside(taken), view);
    if (manager === undefined) return this.#sent(this.#workingFor(taken), view);
    const turn = this.#before.then(async () => {
      signal?.throwIfAborted();
      const history = await this.#compress(manager, taken, signal, now, view.isCold);
      signal?.throwIfAborted();
      return this.#sent(history, view);
    });
    // Requests of one conversation wait for each other, so that only one of them compresses it.
    this.#before = turn.catch(() => {});
    return turn;
  }

  /** @param {any[]} history @param {{ project: (working: any[]) => { messages: any[], report: any } }} view */
  #sent(history, { project }) {
    const { messages, report } = project(history);
    return { messages: stripForApi(messages, { dialect: this.#dialect }), report, history };
  }

  /**
   * @param {InstanceType<typeof AutoCompressionManager>} manager
   * @param {any[]} messages
   * @param {AbortSignal | undefined} signal
   * @param {number} now
   * @param {() => boolean} isCold
   */
  async #compress(manager, messages, signal, now, isCold) {
    const working = this.#workingFor(messages);
    const before = copyOf(working);
    this.#isCold = this.#whenCold !== null && isCold();
    await manager.process(working, { signal, now });
    const isSame = working.length === before.length && working.every((message, index) => message === before[index]);
    if (this.#compressed !== null || !isSame) {
      // What is repeated behind a summary is there instead of a message further back.
      const last = working.findLastIndex(isMade);
      const recent = Math.min(working.length - last - 1, messages.length);
      this.#goOn({ source: messages, working: copyOf(working), recent });
    }
    return working;
  }

  /** The messages that are sent in place of `messages`: their compressed form, and those that have come since. @param {any[]} messages */
  #workingFor(messages) {
    this.#takeUpImported(messages);
    const known = this.#compressed;
    if (known === null) return copyOf(messages);
    const { source, working, recent } = known;
    // Hosts write the time into the system prompt: it isn't compressed, and is sent as it is now.
    const system = leadingSystem(messages);
    const isInPlace = system === leadingSystem(source) && system <= leadingSystem(working);
    const shared = this.#sharedBy(messages, source, isInPlace ? system : 0);
    // No compressed message has changed: the messages behind them that are still the same are kept.
    if (shared >= source.length - recent) {
      const [start, further] = [isInPlace ? system : 0, source.length - working.length];
      // The host's own objects, not those of a conversation that this one has left behind, whose host may edit them.
      const before = working.slice(start, shared - further).map((message, at) => {
        const index = start + at + further;
        return index >= 0 && message === source[index] ? messages[index] : message;
      });
      return [...messages.slice(0, start), ...before, ...messages.slice(shared)];
    }
    // The host has stored the compressed messages, or the conversation is another one.
    this.#compressed = null;
    return copyOf(messages);
  }

  /** The messages of a request beside the conversation, which must not forget what was compressed. @param {any[]} messages */
  #beside(messages) {
    const known = this.#compressed;
    const working = this.#workingFor(messages);
    this.#compressed = known;
    return working;
  }

  /** @param {Compressed} compressed */
  #goOn(compressed) {
    this.#compressed = compressed;
    for (const message of compressed.source) {
      if (message === null || typeof message !== 'object' || this.#unchanged.has(message)) continue;
      this.#unchanged.set(message, unchangedSince(message));
    }
  }

  /**
   * How many messages at the start are what they were when they were compressed.
   * @param {any[]} messages
   * @param {any[]} source
   * @param {number} from so many are taken for the same
   */
  #sharedBy(messages, source, from) {
    const alike = sharedBy(messages, source, from);
    let shared = Math.min(from, alike);
    while (shared < alike && (this.#unchanged.get(source[shared])?.() ?? true)) shared++;
    // From here on they are what they are now.
    for (let at = shared; at < source.length; at++) this.#unchanged.delete(source[at]);
    return shared;
  }

  /** The configuration with a lower threshold, for compressing earlier while the cache is cold. @param {any} config */
  #withOwnThreshold(config) {
    const lowered = (/** @type {unknown} */ given) => {
      if (!this.#isCold) return given;
      const most = /** @type {number} */ (this.#whenCold);
      return typeof given === 'number' ? Math.min(given, most) : most;
    };
    if (typeof config === 'function') {
      return (/** @type {string} */ key) => (key === THRESHOLD ? lowered(config(key)) : config(key));
    }
    if (config === null || typeof config !== 'object') return config;
    if (typeof config.get !== 'function') {
      return new Proxy(config, {
        get: (target, key) => (key === THRESHOLD ? lowered(target[key]) : target[key]),
      });
    }
    return {
      get: (/** @type {string} */ key) => (key === THRESHOLD ? lowered(config.get(key)) : config.get(key)),
      ...(typeof config.has === 'function' && { has: (/** @type {string} */ key) => config.has(key) }),
    };
  }

  /** The host's messages, where a compressed form is sent in their place. */
  get given() {
    return this.#compressed?.source;
  }

  export() {
    if (this.#compressed === null) return null;
    const { source, working, recent } = this.#compressed;
    return {
      messages: source.slice(0, source.length - recent).map(fingerprintOf),
      head: working.slice(0, working.length - recent),
    };
  }

  /** @param {{ messages: (number | null)[], head: any[] } | null} state */
  import(state) {
    if (state !== null) this.#imported = { marks: state.messages, head: state.head };
  }

  /** @param {any[]} messages */
  #takeUpImported(messages) {
    const imported = this.#imported;
    this.#imported = null;
    if (imported === null || knownAgain(messages, imported.marks) < imported.marks.length) return;
    const source = messages;
    const recent = messages.slice(imported.marks.length);
    this.#goOn({ source, working: [...imported.head, ...recent], recent: recent.length });
  }
}

/** Tells later whether `message` still holds what it holds now. @param {any} message @returns {() => boolean} */
function unchangedSince(message) {
  try {
    const [body, leaves] = [safeBody(message), leavesOf(message)];
    return () => safeBody(message) === body && stillHolds(message, leaves);
  } catch {
    // What can't be read is compared as far as it can be.
    return () => true;
  }
}

module.exports = { Preparation };
