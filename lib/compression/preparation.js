// @ts-check
'use strict';

const { nothingDone } = require('./outcome.js');
const { readProcessOptions } = require('./options.js');
const { isMade, recordIdsIn } = require('./record.js');
const { ApiMessages } = require('./api-messages.js');
const { AutoCompressionManager } = require('./manager.js');
const { copyOfList } = require('../lists.js');
const { forcedFrom } = require('../messages/choice.js');
const { countMatching, fingerprintOf, sharedBy } = require('../messages/likeness.js');
const { Stamp } = require('../messages/stamp.js');
const { replaceFrom } = require('../slots.js');
const { leadingSystem } = require('../messages/breakpoints.js');
const { withOriginals, withoutOriginals } = require('./compressed-head.js');

/** Conversations with different system prompts count as one if they share at least this many messages. */
const SHARED_UNDER_OTHER_SYSTEM = 2;

/** @typedef {import('./outcome.js').CompressionOutcome} CompressionOutcome */
/** @typedef {import('../view/facts.js').SummaryFact} SummaryFact */
/**
 * `readAhead`: reads a long history in slices before it is projected.
 * @typedef {{ readAhead: (working: any[]) => Promise<void> | undefined, project: (working: any[]) => { messages: any[], report: any } }} View
 */

/**
 * A compressed conversation, and the application's messages that it replaces.
 * @typedef {object} Compressed
 * @property {any[]} source the application's messages
 * @property {any[]} working the messages that are sent instead
 * @property {number} recent number of messages that both share at the end
 * @property {number} summaries number of summaries known at that time
 */

/**
 * Turns stored messages into a request: compression, projection, and removal of what a provider would reject. The stored array is never written to:
 * summaries are facts of the view.
 */
class Preparation {
  #manager;
  /** What is sent to the provider. */ #apiMessages;
  #whenCold;
  #facts;
  /** The conversation passed to the manager: always the same array, because the manager identifies it by the array. @type {any[]} */
  #conversation = [];
  /** @type {Promise<unknown>} */ #last = Promise.resolve();
  /** The summary that was applied last. @type {Compressed | null} */ #compressed = null;
  /** Content stamps of its source messages, because applications edit messages in place. @type {WeakMap<object, InstanceType<typeof Stamp>>} */
  #stamps = new WeakMap();

  /** @param {{ compression: Record<string, any> | null, whenCold: number | null, dialect: unknown, facts: InstanceType<typeof import('../view/facts.js').Facts> }} options */
  constructor({ compression, whenCold, dialect, facts }) {
    this.#apiMessages = new ApiMessages(forcedFrom({ dialect }));
    this.#whenCold = whenCold;
    this.#facts = facts;
    if (compression === null) return;
    const { config, llmClient, logger, ...options } = compression;
    this.#manager = new AutoCompressionManager(config, llmClient, logger, { dialect, ...options });
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} options
   * @param {View & { isSide: boolean, isCold: () => boolean, share: (fact: SummaryFact) => Promise<void> | void }} view
   */
  async prepare(messages, options, view) {
    const call = readProcessOptions(options);
    const { signal } = call;
    signal?.throwIfAborted();
    const copied = copyOfList(messages);
    // Without compression a short request is projected synchronously, so that `ContextViews` does not assign this view to another conversation in the
    // meantime.
    const manager = this.#manager;
    if (view.isSide) return this.#sent(this.#workingFor(copied), view, nothingDone('side_request'));
    if (manager === undefined) return this.#sent(this.#workingFor(copied), view, nothingDone('not_configured'));
    const turn = this.#last.then(async () => {
      signal?.throwIfAborted();
      const { history, compression } = await this.#compress(manager, copied, call, view);
      signal?.throwIfAborted();
      return this.#sent(history, view, compression);
    });
    // Requests of one conversation run one after another, so that only one of them compresses it.
    this.#last = turn.catch(() => {});
    return turn;
  }

  /**
   * @param {any[]} history
   * @param {View} view
   * @param {CompressionOutcome} compression
   */
  async #sent(history, { readAhead, project }, compression) {
    const reading = readAhead(history);
    if (reading !== undefined) await reading;
    const { messages, report } = project(history);
    return { messages: this.#apiMessages.strip(messages), report, history, compression };
  }

  /**
   * @param {InstanceType<typeof AutoCompressionManager>} manager
   * @param {any[]} messages
   * @param {import('./options.js').Call} call
   * @param {{ isCold: () => boolean, share: (fact: SummaryFact) => Promise<void> | void }} view
   */
  async #compress(manager, messages, call, { isCold, share }) {
    const before = this.#workingFor(messages);
    replaceFrom(this.#conversation, 0, before);
    const mostThreshold = this.#whenCold !== null && isCold() ? this.#whenCold : undefined;
    await manager.process(this.#conversation, { ...call, mostThreshold });
    const compression = /** @type {CompressionOutcome} */ (manager.outcomeOf(this.#conversation));
    const working = copyOfList(this.#conversation);
    const isSame = working.length === before.length && working.every((message, index) => message === before[index]);
    if (isSame) return { history: working, compression };
    // A message repeated after a summary is a copy of an earlier one, so it is not counted as recent.
    const ids = recordIdsIn(working);
    const last = working.findLastIndex((message) => isMade(message, ids));
    const recent = sharedAtEnd(working.slice(last + 1), messages);
    await share(summaryFact(messages, working, recent, this.#facts.summaries.length));
    // Another process may have summarised these messages first; its summary is sent then.
    return { history: this.#workingFor(messages), compression };
  }

  /** Learns the context window's size from an error of the model. @param {unknown} error @param {unknown} [options] */
  noteOverflow(error, options) {
    return this.#manager?.noteOverflow(error, options) ?? null;
  }

  /** The messages to send instead of `messages`: with the summary that replaces most of them, if there is one. @param {any[]} messages */
  #workingFor(messages) {
    const current = this.#compressed?.summaries === this.#facts.summaries.length ? this.#compressed : null;
    if (current !== null) {
      // After a rewind, the conversation may have grown back to a state that the summary of more messages covers.
      for (const fact of this.#facts.summaries) {
        if (fact.messages.length <= current.source.length - current.recent) break;
        const working = this.#workingBy(fact, messages);
        if (working !== undefined) return working;
      }
      const working = this.#workingAfter(current, messages);
      if (working !== undefined) return working;
      // Without its stamps, a message edited in place would count as unchanged at the next request.
      this.#compressed = null;
    }
    for (const fact of this.#facts.summaries) {
      const working = this.#workingBy(fact, messages);
      if (working !== undefined) return working;
    }
    return messages;
  }

  /** @param {Compressed} known @param {any[]} messages @returns {any[] | undefined} undefined if a compressed message differs */
  #workingAfter({ source, working, recent }, messages) {
    // Applications write the time into the system prompt: it is not compressed, and the current one is sent.
    const system = leadingSystem(messages);
    const isInPlace = system === leadingSystem(source) && system <= leadingSystem(working);
    const shared = this.#sharedBy(messages, source, isInPlace ? system : 0);
    if (shared < source.length - recent) return undefined;
    const [start, further] = [isInPlace ? system : 0, source.length - working.length];
    // Use the application's current objects, not those of an abandoned branch, which it may edit.
    const before = working.slice(start, shared - further).map((message, at) => {
      const index = start + at + further;
      return index >= 0 && message === source[index] ? messages[index] : message;
    });
    return [...messages.slice(0, start), ...before, ...messages.slice(shared)];
  }

  /** @param {SummaryFact} fact @param {any[]} messages @returns {any[] | undefined} undefined if it replaces other messages */
  #workingBy({ system, messages: fingerprints, head }, messages) {
    if (leadingSystem(messages) !== system || countMatching(messages, fingerprints, system) < fingerprints.length)
      return undefined;
    const recent = messages.slice(fingerprints.length);
    try {
      const before = withOriginals(head, messages).slice(system);
      const working = [...messages.slice(0, system), ...before, ...recent];
      const summaries = this.#facts.summaries.length;
      this.#apply({ source: messages, working: copyOfList(working), recent: recent.length, summaries });
      return working;
    } catch {
      // The fact was not written by this package: the conversation is compressed again.
      return undefined;
    }
  }

  /** @param {Compressed} compressed */
  #apply(compressed) {
    this.#compressed = compressed;
    for (const message of compressed.source) {
      if (message === null || typeof message !== 'object' || this.#stamps.has(message)) continue;
      this.#stamps.set(message, new Stamp(message));
    }
  }

  /**
   * The number of messages at the start that are unchanged since they were compressed.
   * @param {any[]} messages
   * @param {any[]} source
   * @param {number} from the first `from` messages count as the same without comparison
   */
  #sharedBy(messages, source, from) {
    const alike = sharedBy(messages, source, from);
    let shared = Math.min(from, alike);
    while (shared < alike && this.#stamps.get(source[shared])?.mayBeUnchanged(source[shared]) !== false) shared++;
    // The following messages count as they are now.
    for (let at = shared; at < source.length; at++) this.#stamps.delete(source[at]);
    return shared;
  }

  /**
   * The number of messages that `messages` share with the conversation at the start, and the conversation's length.
   * @param {readonly any[]} messages
   * @param {readonly any[]} newest the messages of the newest request
   */
  likenessTo(messages, newest) {
    const current = this.#compressed?.source ?? newest;
    const { length } = current;
    const shared = sharedBy(messages, current);
    const system = leadingSystem(messages);
    if (shared >= system || leadingSystem(current) !== system) return { shared, length };
    // Applications write the time into the system prompt. A request for a title shares the first message under another system prompt.
    const sharedAfterSystem = sharedBy(messages, current, system);
    return { shared: sharedAfterSystem >= system + SHARED_UNDER_OTHER_SYSTEM ? sharedAfterSystem : shared, length };
  }
}

/**
 * The number of identical objects at the end; a message that was cut is a different object.
 * @param {readonly any[]} one @param {readonly any[]} other
 */
function sharedAtEnd(one, other) {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < most && one.at(-1 - shared) === other.at(-1 - shared)) shared++;
  return shared;
}

/** @param {readonly any[]} source @param {readonly any[]} working @param {number} recent @param {number} after @returns {SummaryFact} */
function summaryFact(source, working, recent, after) {
  const count = source.length - recent;
  const system = Math.min(leadingSystem(source), leadingSystem(working), count);
  const head = withoutOriginals(working.slice(0, working.length - recent), source);
  return { type: 'summary', system, after, messages: source.slice(0, count).map(fingerprintOf), head };
}

module.exports = { Preparation };
