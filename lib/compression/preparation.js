// @ts-check
'use strict';

const { nothingDone, AutoCompressionManager } = require('./manager.js');
const { readProcessOptions } = require('./options.js');
const { isFromCompression, recordIdsIn } = require('./record.js');
const { ApiMessages } = require('./api-messages.js');
const { copyOfList, sameItems } = require('../lists.js');
const { forcedFrom } = require('../messages/choice.js');
const { countMatching, fingerprintOf, sharedBy } = require('../messages/likeness.js');
const { Stamp } = require('../messages/stamp.js');
const { replaceFrom } = require('../slots.js');
const { leadingSystem } = require('../messages/breakpoints.js');
const { withOriginals, withoutOriginals } = require('./compressed-head.js');

/** Conversations that share that number of messages are one, under any system prompt. */ const SHARED_UNDER_OTHER_SYSTEM = 2;

/**
 * @typedef {InstanceType<typeof AutoCompressionManager>} Manager
 * @typedef {import('./manager.js').CompressionOutcome} CompressionOutcome
 * @typedef {import('../view/facts.js').SummaryFact} SummaryFact
 * @typedef {object} View what a view does for a request. *Working* messages are sent instead of the application's
 * @property {boolean} isSide it is a side request
 * @property {() => boolean} isCold
 * @property {(fact: SummaryFact) => Promise<void> | void} share adds a new summary to the facts, also of other processes
 * @property {(working: any[]) => Promise<void> | undefined} readAhead reads a long history in slices before it is projected
 * @property {(working: any[]) => { messages: any[], report: any }} project
 * @typedef {{ source: any[], working: any[], recent: number, summaries: number }} Compressed a compressed conversation:
 *   the application's messages, those that replace them, the number that both share at the end, and of summary facts then
 */

/** Turns stored messages into a request: compression, projection, removal of what a provider would reject. Summaries are facts of the view. */
class Preparation {
  #manager;
  /** Strips the fields that a provider would reject. */ #apiMessages;
  /** The summary threshold (share of the window) while the prompt cache is cold; null: the usual one. */ #whenCold;
  #facts;
  /** The conversation passed to the manager: always the same array, because the manager identifies it by the array. @type {any[]} */
  #conversation = [];
  /** Settles after all requests so far; never rejects. @type {Promise<unknown>} */ #requests = Promise.resolve();
  /** The conversation with the summary that was applied last. @type {Compressed | null} */ #compressed = null;
  /** Content stamps of the source messages of `#compressed`, because applications edit messages in place. @type {WeakMap<object, InstanceType<typeof Stamp>>} */
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

  /** Prepares a request. @param {readonly any[]} messages @param {unknown} options @param {View} view */
  async prepare(messages, options, view) {
    const call = readProcessOptions(options);
    const { signal } = call;
    signal?.throwIfAborted();
    const copied = copyOfList(messages);
    const manager = this.#manager;
    if (view.isSide || manager === undefined) {
      // Synchronous for a short request: meanwhile, `ContextViews` could assign this view to another conversation.
      return this.#sent(this.#workingFor(copied), view, nothingDone(view.isSide ? 'side_request' : 'not_configured'));
    }
    const turn = this.#requests.then(async () => {
      signal?.throwIfAborted();
      const { history, compression } = await this.#compress(manager, copied, call, view);
      signal?.throwIfAborted();
      return this.#sent(history, view, compression);
    });
    // Requests of one conversation run one after another, so that only one of them compresses it.
    this.#requests = turn.catch(() => {});
    return turn;
  }

  /** The request as it is sent. @param {any[]} history @param {View} view @param {CompressionOutcome} compression */
  async #sent(history, { readAhead, project }, compression) {
    const reading = readAhead(history);
    if (reading !== undefined) await reading;
    const { messages, report } = project(history);
    return { messages: this.#apiMessages.strip(messages), report, history, compression };
  }

  /** Shares a new summary with other processes. @param {Manager} manager @param {any[]} messages @param {import('./options.js').Call} call @param {View} view */
  async #compress(manager, messages, call, { isCold, share }) {
    const uncompressed = this.#workingFor(messages);
    replaceFrom(this.#conversation, 0, uncompressed);
    const mostThreshold = this.#whenCold !== null && isCold() ? this.#whenCold : undefined;
    await manager.process(this.#conversation, { ...call, mostThreshold });
    const compression = /** @type {CompressionOutcome} */ (manager.outcomeOf(this.#conversation));
    const working = copyOfList(this.#conversation);
    if (sameItems(working, uncompressed)) return { history: working, compression };
    // A message repeated after a summary is a copy of an earlier one, so it is not counted as recent.
    const ids = recordIdsIn(working);
    const lastFromCompression = working.findLastIndex((message) => isFromCompression(message, ids));
    const maxRecent = Math.min(working.length - 1 - lastFromCompression, messages.length);
    let recent = 0;
    // A message that was cut is a different object.
    while (recent < maxRecent && working.at(-1 - recent) === messages.at(-1 - recent)) recent++;
    await share(summaryFact(messages, working, recent, this.#facts.summaries.length));
    // Another process may have summarised these messages first. Then its summary is sent.
    return { history: this.#workingFor(messages), compression };
  }

  /** Learns the context window's size from an error of the model. @param {unknown} error @param {unknown} [options] */
  noteOverflow(error, options) {
    return this.#manager?.noteOverflow(error, options) ?? null;
  }

  /** The working messages: with the summary that replaces most messages, if there is one. Summary facts are sorted by that. @param {any[]} messages */
  #workingFor(messages) {
    let current = this.#compressed?.summaries === this.#facts.summaries.length ? this.#compressed : null;
    for (const fact of this.#facts.summaries) {
      // Facts of more messages come first: after a rewind, the conversation may have grown to what one covers.
      if (current !== null && fact.messages.length <= current.source.length - current.recent) {
        const working = this.#workingByCompressed(current, messages);
        if (working !== undefined) return working;
        // The stamps are deleted: without them, a message edited in place would count as unchanged at the next request.
        this.#compressed = current = null;
      }
      const working = this.#workingByFact(fact, messages);
      if (working !== undefined) return working;
    }
    return messages;
  }

  /** Undefined if a compressed message differs. @param {Compressed} known @param {any[]} messages */
  #workingByCompressed({ source, working, recent }, messages) {
    // Applications write the time into the system prompt: it is not compressed, and the current one is sent.
    const systemCount = leadingSystem(messages);
    const isInPlace = systemCount === leadingSystem(source) && systemCount <= leadingSystem(working);
    const start = isInPlace ? systemCount : 0;
    const shared = this.#unchangedCount(messages, source, start);
    if (shared < source.length - recent) return undefined;
    const shift = source.length - working.length;
    // Use the application's current objects, not those of an abandoned branch, which it may edit.
    const replacing = working.slice(start, shared - shift).map((message, offset) => {
      const index = start + offset + shift;
      return index >= 0 && message === source[index] ? messages[index] : message;
    });
    return [...messages.slice(0, start), ...replacing, ...messages.slice(shared)];
  }

  /** With the summary of a fact, which then is the one applied last; undefined if it replaces other messages. @param {SummaryFact} fact @param {any[]} messages */
  #workingByFact({ system, messages: fingerprints, head }, messages) {
    if (leadingSystem(messages) !== system || countMatching(messages, fingerprints, system) < fingerprints.length)
      return undefined;
    const recent = messages.slice(fingerprints.length);
    try {
      const replacing = withOriginals(head, messages).slice(system);
      const working = [...messages.slice(0, system), ...replacing, ...recent];
      const summaries = this.#facts.summaries.length;
      this.#compressed = { source: messages, working: copyOfList(working), recent: recent.length, summaries };
      for (const message of messages) {
        if (message === null || typeof message !== 'object' || this.#stamps.has(message)) continue;
        this.#stamps.set(message, new Stamp(message));
      }
      return working;
    } catch {
      // The fact was not written by this package: the conversation is compressed again.
      return undefined;
    }
  }

  /** The number of messages unchanged since they were compressed; the first `from` count as such. @param {any[]} messages @param {any[]} source @param {number} from */
  #unchangedCount(messages, source, from) {
    const alike = sharedBy(messages, source, from);
    let shared = Math.min(from, alike);
    while (shared < alike && this.#stamps.get(source[shared])?.mayBeUnchanged(source[shared]) !== false) shared++;
    // The following messages count as they are now.
    for (let index = shared; index < source.length; index++) this.#stamps.delete(source[index]);
    return shared;
  }

  /** The number of shared messages at the start, and the conversation's length. @param {readonly any[]} messages @param {readonly any[]} newest of the newest request */
  likenessTo(messages, newest) {
    const current = this.#compressed?.source ?? newest;
    const { length } = current;
    const shared = sharedBy(messages, current);
    const systemCount = leadingSystem(messages);
    if (shared >= systemCount || leadingSystem(current) !== systemCount) return { shared, length };
    // Applications write the time into the system prompt. A request for a title shares the first message under another system prompt.
    const sharedAfterSystem = sharedBy(messages, current, systemCount);
    const isSameConversation = sharedAfterSystem >= systemCount + SHARED_UNDER_OTHER_SYSTEM;
    return { shared: isSameConversation ? sharedAfterSystem : shared, length };
  }
}

/** @param {readonly any[]} source @param {readonly any[]} working @param {number} recent @param {number} after count of earlier facts @returns {SummaryFact} */
function summaryFact(source, working, recent, after) {
  const count = source.length - recent;
  const system = Math.min(leadingSystem(source), leadingSystem(working), count);
  const head = withoutOriginals(working.slice(0, working.length - recent), source);
  return { type: 'summary', system, after, messages: source.slice(0, count).map(fingerprintOf), head };
}

module.exports = { Preparation };
