// @ts-check
'use strict';

const { nothingDone } = require('../compression/outcome.js');
const { readProcessOptions } = require('../compression/options.js');
const { isMade, recordIdsIn } = require('../compression/record.js');
const { stripForApi } = require('../compression/api-messages.js');
const { AutoCompressionManager } = require('../compression/manager.js');
const { copyOfList } = require('../lists.js');
const { fingerprintOf, sharedBy } = require('../messages/likeness.js');
const { Stamp } = require('../messages/stamp.js');
const { replaceFrom } = require('../slots.js');
const { leadingSystem } = require('./marks.js');
const { withOriginals, withoutOriginals } = require('./compressed-head.js');
const { knownAgain } = require('./known-again.js');

/** @typedef {import('../compression/outcome.js').CompressionOutcome} CompressionOutcome */

/**
 * A compressed conversation, and the host's messages that it stands for.
 * @typedef {object} Compressed
 * @property {any[]} source the host's messages
 * @property {any[]} working the messages that are sent in their place
 * @property {number} recent how many messages at the end both have
 */

/**
 * The same as an export holds it, without the host's messages: the length of the system prompt, the fingerprints of those that are
 * compressed, and what is sent in their place.
 * @typedef {{ system: number, messages: (number | null)[], head: import('./compressed-head.js').Kept[] }} Exported
 */

/**
 * Everything between a host's stored messages and a request: compression, projection, and what a provider would reject.
 * The host's array is never written to: what was compressed is kept here.
 */
class Preparation {
  #manager;
  #dialect;
  #whenCold;
  /** The conversation as the manager knows it: always the same array, by which it remembers what it has tried. @type {any[]} */
  #conversation = [];
  /** @type {Promise<unknown>} */ #before = Promise.resolve();
  /** @type {Compressed | null} */ #compressed = null;
  /** What the messages of its source held: hosts edit them where they stand. @type {WeakMap<object, InstanceType<typeof Stamp>>} */
  #stamps = new WeakMap();
  /** @type {Exported | null} */ #imported = null;
  /** What was exported last, and of what. @type {{ exported: Exported, of: any[], count: number } | null} */ #exported =
    null;

  /** Asked before a model is asked for a summary. @type {(() => Promise<boolean>) | undefined} */ mayAsk;

  /** @param {{ compression: Record<string, any> | null, whenCold: number | null, dialect: unknown }} options */
  constructor({ compression, whenCold, dialect }) {
    this.#dialect = dialect;
    this.#whenCold = whenCold;
    if (compression === null) return;
    const { config, llmClient, logger, ...options } = compression;
    this.#manager = new AutoCompressionManager(config, llmClient, logger, { dialect, ...options });
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} options
   * @param {{ isSide: boolean, isCold: () => boolean, project: (working: any[]) => { messages: any[], report: any } }} view
   */
  async prepare(messages, options, view) {
    const call = readProcessOptions(options);
    const { signal } = call;
    signal?.throwIfAborted();
    const taken = copyOfList(messages);
    // The messages are remembered at once: `ContextViews` must not give this view to another conversation meanwhile.
    const manager = this.#manager;
    if (view.isSide) return this.#sent(this.#beside(taken), view, nothingDone('side_request'));
    if (manager === undefined) return this.#sent(this.#workingFor(taken), view, nothingDone('not_configured'));
    const turn = this.#before.then(async () => {
      signal?.throwIfAborted();
      const { history, compression } = await this.#compress(manager, taken, call, view.isCold);
      signal?.throwIfAborted();
      return this.#sent(history, view, compression);
    });
    // Requests of one conversation wait for each other, so that only one of them compresses it.
    this.#before = turn.catch(() => {});
    return turn;
  }

  /**
   * @param {any[]} history
   * @param {{ project: (working: any[]) => { messages: any[], report: any } }} view
   * @param {CompressionOutcome} compression
   */
  #sent(history, { project }, compression) {
    const { messages, report } = project(history);
    return { messages: stripForApi(messages, { dialect: this.#dialect }), report, history, compression };
  }

  /**
   * @param {InstanceType<typeof AutoCompressionManager>} manager
   * @param {any[]} messages
   * @param {import('../compression/options.js').Call} call
   * @param {() => boolean} isCold
   */
  async #compress(manager, messages, call, isCold) {
    const before = this.#workingFor(messages);
    replaceFrom(this.#conversation, 0, before);
    const mostThreshold = this.#whenCold !== null && isCold() ? this.#whenCold : undefined;
    await manager.process(this.#conversation, { ...call, mostThreshold, mayAsk: this.mayAsk });
    const compression = /** @type {CompressionOutcome} */ (manager.outcomeOf(this.#conversation));
    const working = copyOfList(this.#conversation);
    const isSame = working.length === before.length && working.every((message, index) => message === before[index]);
    if (this.#compressed !== null || !isSame) {
      // A message that is repeated behind a summary stands there for one further back, so it doesn't count as recent.
      const ids = recordIdsIn(working);
      const last = working.findLastIndex((message) => isMade(message, ids));
      const recent = Math.min(working.length - last - 1, messages.length);
      this.#goOn({ source: messages, working: copyOfList(working), recent });
    }
    return { history: working, compression };
  }

  /**
   * Takes in an error of the model's: where it says how large the window is, that counts from then on.
   * @param {unknown} error
   * @param {unknown} [options]
   */
  noteOverflow(error, options) {
    return this.#manager?.noteOverflow(error, options) ?? null;
  }

  /** The messages that are sent in place of `messages`: their compressed form, and those that have come since. @param {any[]} messages */
  #workingFor(messages) {
    this.#takeUpImported(messages);
    const known = this.#compressed;
    if (known === null) return copyOfList(messages);
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
    return copyOfList(messages);
  }

  /** The messages of a request beside the conversation, which must not forget what was compressed. @param {any[]} messages */
  #beside(messages) {
    const [known, imported] = [this.#compressed, this.#imported];
    const working = this.#workingFor(messages);
    [this.#compressed, this.#imported] = [known, imported];
    return working;
  }

  /** @param {Compressed} compressed */
  #goOn(compressed) {
    this.#compressed = compressed;
    for (const message of compressed.source) {
      if (message === null || typeof message !== 'object' || this.#stamps.has(message)) continue;
      this.#stamps.set(message, new Stamp(message));
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
    while (shared < alike && this.#stamps.get(source[shared])?.agrees(source[shared]) !== false) shared++;
    // From here on they are what they are now.
    for (let at = shared; at < source.length; at++) this.#stamps.delete(source[at]);
    return shared;
  }

  /** The host's messages, where a compressed form is sent in their place. */
  get given() {
    return this.#compressed?.source;
  }

  /** @returns {Exported | null} the same object as long as it is the same */
  export() {
    if (this.#compressed === null) return this.#imported;
    const { source, working, recent } = this.#compressed;
    const count = source.length - recent;
    const system = Math.min(leadingSystem(source), leadingSystem(working), count);
    const head = working.slice(0, working.length - recent);
    const of = head.slice(system);
    const last = this.#exported;
    if (last?.count === count && last.of.length === of.length && of.every((message, at) => message === last.of[at])) {
      return last.exported;
    }
    const messages = source.slice(0, count).map(fingerprintOf);
    const exported = { system, messages, head: withoutOriginals(head, source) };
    this.#exported = { exported, of, count };
    return exported;
  }

  /** @param {Exported | null} state */
  import(state) {
    this.#imported = state;
  }

  /** @param {any[]} messages */
  #takeUpImported(messages) {
    const imported = this.#imported;
    this.#imported = null;
    if (imported === null) return;
    const { system, messages: marks, head } = imported;
    if (leadingSystem(messages) !== system || knownAgain(messages, marks, system) < marks.length) return;
    const recent = messages.slice(marks.length);
    try {
      const before = withOriginals(head, messages).slice(system);
      const working = [...messages.slice(0, system), ...before, ...recent];
      this.#goOn({ source: messages, working, recent: recent.length });
      this.#exported = { exported: imported, of: before, count: marks.length };
    } catch {
      // Somebody else has written it: the conversation is compressed anew.
    }
  }
}

module.exports = { Preparation };
