// @ts-check
'use strict';

const { readCall } = require('../compression/options.js');
const { compressionOf } = require('../compression/record.js');
const { stripForApi } = require('../compression/api-messages.js');
const { AutoCompressionManager } = require('../compression/manager.js');
const { copyOf } = require('../lists.js');
const { sharedBy } = require('./likeness.js');
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
   * @param {{ isCold: () => boolean, project: (working: any[]) => { messages: any[], report: any } }} view
   */
  async prepare(messages, options, view) {
    const { signal, now } = readCall(options);
    signal?.throwIfAborted();
    const taken = copyOf(messages);
    // The messages are remembered at once: `ContextViews` must not give this view to another conversation meanwhile.
    const manager = this.#manager;
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
      const last = working.findLastIndex((message) => compressionOf(message) !== undefined);
      const recent = Math.min(working.length - last - 1, messages.length);
      this.#compressed = { source: messages, working: copyOf(working), recent };
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
    const shared = sharedBy(messages, source, isInPlace ? system : 0);
    // No compressed message has changed: the messages behind them that are still the same are kept.
    if (shared >= source.length - recent) {
      const before = working.slice(isInPlace ? system : 0, working.length - (source.length - shared));
      return [...messages.slice(0, isInPlace ? system : 0), ...before, ...messages.slice(shared)];
    }
    // The host has stored the compressed messages, or the conversation is another one.
    this.#compressed = null;
    return copyOf(messages);
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
    this.#compressed = { source, working: [...imported.head, ...recent], recent: recent.length };
  }
}

module.exports = { Preparation };
