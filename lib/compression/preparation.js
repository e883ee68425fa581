// @ts-check
'use strict';

const { nothingDone } = require('./outcome.js');
const { readProcessOptions } = require('./options.js');
const { isMade, recordIdsIn } = require('./record.js');
const { stripForApi } = require('./api-messages.js');
const { AutoCompressionManager } = require('./manager.js');
const { copyOfList } = require('../lists.js');
const { fingerprintOf, sharedBy } = require('../messages/likeness.js');
const { Stamp } = require('../messages/stamp.js');
const { replaceFrom } = require('../slots.js');
const { leadingSystem } = require('../messages/breakpoints.js');
const { withOriginals, withoutOriginals } = require('./compressed-head.js');
const { knownAgain } = require('../messages/known-again.js');

/** So many messages in common make one conversation of two with different system prompts. */
const SHARED_UNDER_OTHER_SYSTEM = 2;

/** @typedef {import('./outcome.js').CompressionOutcome} CompressionOutcome */
/** @typedef {import('../view/facts.js').SummaryFact} SummaryFact */

/**
 * A compressed conversation, and the application's messages that it takes the place of.
 * @typedef {object} Compressed
 * @property {any[]} source the application's messages
 * @property {any[]} working the messages that are sent in their place
 * @property {number} recent how many messages at the end both have
 * @property {number} summaries how many summaries were known then
 */

/**
 * Everything between stored messages and a request: compression, projection, and what a provider would reject. The stored array is never
 * written to: summaries are facts of the view.
 */
class Preparation {
  #manager;
  #dialect;
  #whenCold;
  #facts;
  /** The conversation as the manager knows it: always the same array, by which it remembers what it has tried. @type {any[]} */
  #conversation = [];
  /** @type {Promise<unknown>} */ #before = Promise.resolve();
  /** The summary that was applied last. @type {Compressed | null} */ #compressed = null;
  /** What the messages of its source held: applications edit them in place. @type {WeakMap<object, InstanceType<typeof Stamp>>} */
  #stamps = new WeakMap();

  /** @param {{ compression: Record<string, any> | null, whenCold: number | null, dialect: unknown, facts: InstanceType<typeof import('../view/facts.js').Facts> }} options */
  constructor({ compression, whenCold, dialect, facts }) {
    this.#dialect = dialect;
    this.#whenCold = whenCold;
    this.#facts = facts;
    if (compression === null) return;
    const { config, llmClient, logger, ...options } = compression;
    this.#manager = new AutoCompressionManager(config, llmClient, logger, { dialect, ...options });
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} options
   * @param {{ isSide: boolean, isCold: () => boolean, share: (fact: SummaryFact) => Promise<void> | void, project: (working: any[]) => { messages: any[], report: any } }} view
   */
  async prepare(messages, options, view) {
    const call = readProcessOptions(options);
    const { signal } = call;
    signal?.throwIfAborted();
    const taken = copyOfList(messages);
    // The messages are remembered at once: `ContextViews` must not give this view to another conversation meanwhile.
    const manager = this.#manager;
    if (view.isSide) return this.#sent(this.#workingFor(taken), view, nothingDone('side_request'));
    if (manager === undefined) return this.#sent(this.#workingFor(taken), view, nothingDone('not_configured'));
    const turn = this.#before.then(async () => {
      signal?.throwIfAborted();
      const { history, compression } = await this.#compress(manager, taken, call, view);
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
    // A message that is repeated after a summary is a copy of one further back, so it does not count as recent.
    const ids = recordIdsIn(working);
    const last = working.findLastIndex((message) => isMade(message, ids));
    const recent = sharedAtEnd(working.slice(last + 1), messages);
    await share(summaryFact(messages, working, recent, this.#facts.summaries.length));
    // Another process may have summarised these messages first: then its summary is sent.
    return { history: this.#workingFor(messages), compression };
  }

  /**
   * Takes in an error of the model's: where it says how large the window is, that counts from then on.
   * @param {unknown} error
   * @param {unknown} [options]
   */
  noteOverflow(error, options) {
    return this.#manager?.noteOverflow(error, options) ?? null;
  }

  /** The messages that are sent in place of `messages`: with the summary that replaces most of them. @param {any[]} messages */
  #workingFor(messages) {
    const known = this.#compressed?.summaries === this.#facts.summaries.length ? this.#compressed : null;
    if (known !== null) {
      // A conversation that was cut and has grown again as it was: the summary of more messages holds again.
      for (const fact of this.#facts.summaries) {
        if (fact.messages.length <= known.source.length - known.recent) break;
        const working = this.#workingBy(fact, messages);
        if (working !== undefined) return working;
      }
      const working = this.#workingAfter(known, messages);
      if (working !== undefined) return working;
      // Its stamps are gone: a message that was edited in place would count as unchanged with the next request.
      this.#compressed = null;
    }
    for (const fact of this.#facts.summaries) {
      const working = this.#workingBy(fact, messages);
      if (working !== undefined) return working;
    }
    return copyOfList(messages);
  }

  /** @param {Compressed} known @param {any[]} messages @returns {any[] | undefined} undefined where a compressed message is another one */
  #workingAfter({ source, working, recent }, messages) {
    // Applications write the time into the system prompt: it is not compressed, and is sent as it is now.
    const system = leadingSystem(messages);
    const isInPlace = system === leadingSystem(source) && system <= leadingSystem(working);
    const shared = this.#sharedBy(messages, source, isInPlace ? system : 0);
    if (shared < source.length - recent) return undefined;
    const [start, further] = [isInPlace ? system : 0, source.length - working.length];
    // The application's own objects, not those of a conversation that was left, which it may edit.
    const before = working.slice(start, shared - further).map((message, at) => {
      const index = start + at + further;
      return index >= 0 && message === source[index] ? messages[index] : message;
    });
    return [...messages.slice(0, start), ...before, ...messages.slice(shared)];
  }

  /** @param {SummaryFact} fact @param {any[]} messages @returns {any[] | undefined} undefined where it replaces other messages */
  #workingBy({ system, messages: marks, head }, messages) {
    if (leadingSystem(messages) !== system || knownAgain(messages, marks, system) < marks.length) return undefined;
    const recent = messages.slice(marks.length);
    try {
      const before = withOriginals(head, messages).slice(system);
      const working = [...messages.slice(0, system), ...before, ...recent];
      const summaries = this.#facts.summaries.length;
      this.#apply({ source: messages, working: copyOfList(working), recent: recent.length, summaries });
      return working;
    } catch {
      // Somebody else has written it: the conversation is compressed again.
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

  /**
   * How many messages at the start `messages` have in common with the conversation, and how many that has.
   * @param {readonly any[]} messages
   * @param {readonly any[]} newest the messages of the newest request
   */
  likenessTo(messages, newest) {
    const given = this.#compressed?.source ?? newest;
    const { length } = given;
    const shared = sharedBy(messages, given);
    const system = leadingSystem(messages);
    if (shared >= system || leadingSystem(given) !== system) return { shared, length };
    // Applications write the time into the system prompt. A title begins with the first message under another system prompt.
    const behind = sharedBy(messages, given, system);
    return { shared: behind >= system + SHARED_UNDER_OTHER_SYSTEM ? behind : shared, length };
  }
}

/** How many messages at the end are the same objects: one that was cut is another. @param {readonly any[]} one @param {readonly any[]} other */
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
