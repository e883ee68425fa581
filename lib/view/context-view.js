// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom, optional, readFlag, readObject } = require('../arguments.js');
const { engineFor } = require('../cleanup/engine.js');
const { Protection } = require('../cleanup/protection.js');
const { Preparation } = require('../compression/preparation.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');
const { reportSince } = require('../tokens/report-since.js');
const { figuresOf } = require('../tokens/usage.js');
const { Facts, readFacts } = require('./facts.js');
const { viewLookupTool } = require('./lookup.js');
const { agesByKind, compressionFrom, KINDS, plainOptions, viewSpec } = require('./options.js');
const { Projection } = require('./projection.js');
const { Slices } = require('./slices.js');

/**
 * @typedef {import('./projection.js').FixedPrefix} FixedPrefix
 * @typedef {import('../../binding.js').ViewCosts} Costs
 * @typedef {{ number: number, places: number[] | null }} Sent `places`: messages that get a cache breakpoint; null if none are set
 * @typedef {{ prepared: any, sent: Sent & { messages: any[] } }} Prepared `messages`: those sent, including the application's own fields
 */

/** Access to a view's private parts for other modules. @type {{
 *   projectionOf: (value: unknown) => InstanceType<typeof Projection> | undefined,
 *   likenessTo: (view: ContextView, messages: readonly any[]) => { shared: number, length: number },
 *   costsOf: (view: ContextView, first: number) => Costs,
 *   observe: (view: ContextView, number: number, usage: unknown) => boolean,
 *   factsOf: (view: ContextView) => InstanceType<typeof Facts>,
 *   prepare: (view: ContextView, messages: readonly any[], options: unknown, more: More) => Promise<Prepared>,
 * }} */
let inner;

/** `share`: publishes a new summary to other processes, then adds it to the facts. @typedef {{ fixedPrefix?: FixedPrefix | undefined, share?: ((fact: import('./facts.js').SummaryFact) => Promise<void> | void) | undefined }} More */

/** Internal value of `arrivalTimes`, passed by `ContextViews`: the store records when requests were sent. */
const STORED = /** @type {const} */ ('store');

/**
 * Prepares the requests of one conversation: removes outdated results when that costs nothing or pays off. The result depends only on the
 * messages, the options and the facts.
 */
class ContextView {
  #shared;
  #facts = new Facts();
  #preparation;
  #projection;
  #slices = new Slices({
    known: () => this.#projection.previous.length,
    read: (end, messages, fixedPrefix) => this.#readSlice(end, messages, fixedPrefix),
  });
  #isBusy = false;
  /** Count of requests made. */ #requestCount = 0;
  /** Number of the newest request that is not a side request, until its usage is reported. @type {number | null} */ #unreported =
    null;

  /** @param {unknown} [options] */
  constructor(options) {
    const plain = plainOptions(options);
    const given = checkOptions(options, OPTIONS.view);
    const protection = new Protection(given ?? {});
    optional(readFlag, 'options.binary', given?.binary);
    optional(readFlag, 'options.repeated', plain.repeated);
    const isStored = given?.arrivalTimes === STORED;
    const arrivalTimes = isStored ? STORED : (optional(readFlag, 'options.arrivalTimes', given?.arrivalTimes) ?? true);
    const facts = this.#facts;
    this.#shared = { engine: engineFor(viewSpec(plain)), options: plain, protection, facts, arrivalTimes };
    this.#projection = new Projection(this.#shared);
    const compression = compressionFrom(given, protection.pin);
    this.#preparation = new Preparation({ ...compression, dialect: plain.dialect, facts });
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} [options]
   * @returns {{ messages: any[], report: import('../../index.js').CleanupReport }}
   */
  project(messages, options) {
    checkMessages(messages);
    const given = checkOptions(options, OPTIONS.request);
    const { messages: sent, report } = this.#project(messages, { now: nowFrom(given), isSide: isSideFrom(given) });
    return { messages: sent, report };
  }

  /**
   * @param {readonly any[]} messages
   * @param {import('./projection.js').Request} request
   * @returns {{ messages: any[], report: import('../../index.js').CleanupReport } & Sent}
   */
  #project(messages, request) {
    // A getter of a message or the application's logger may call this view while its caches are incomplete.
    const isSeparate = request.isSide || this.#isBusy || this.#projection.isTitle(messages, request.fixedPrefix);
    const projection = isSeparate ? new Projection(this.#shared) : this.#projection;
    const project = () => {
      if (!isSeparate) this.#observeOwn(messages);
      const { isAgain, ...sent } = projection.project(messages, request);
      const number = this.#requestCount++;
      if (isSeparate) this.#projection.removals.recordSideRequest(number, projection.removals);
      else {
        projection.removals.recordRequest(number, isAgain);
        this.#unreported = number;
      }
      return { ...sent, number, places: this.#shared.options.marks === true ? projection.breakpoints() : null };
    };
    return isSeparate ? project() : this.#exclusively(project);
  }

  /** Calls `work`, which uses the caches. @template T @param {() => T} work @returns {T} */
  #exclusively(work) {
    this.#isBusy = true;
    try {
      return work();
    } catch (error) {
      // The error may have left the caches incomplete.
      this.#projection = new Projection(this.#shared);
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Decides the requests of the first `end` messages. @param {number} end @param {readonly any[]} whole @param {FixedPrefix | undefined} fixedPrefix */
  #readSlice(end, whole, fixedPrefix) {
    const request = { now: 0, isSide: false, fixedPrefix, whole };
    if (!this.#isBusy) this.#exclusively(() => this.#projection.project(whole.slice(0, end), request));
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  async prepare(messages, options) {
    return (await this.#prepare(messages, options, {})).prepared;
  }

  /** @param {readonly any[]} messages @param {unknown} options @param {More} more @returns {Promise<Prepared>} */
  async #prepare(messages, options, { fixedPrefix, share = (fact) => this.#facts.add(fact) }) {
    checkMessages(messages);
    const given = checkOptions(options, OPTIONS.preparing);
    const [now, isSide] = [nowFrom(given), isSideFrom(given)];
    /** @type {Prepared['sent']} */ let sent = { number: -1, places: null, messages: [] };
    const prepared = await this.#preparation.prepare(messages, options, {
      isSide,
      share,
      readAhead: (/** @type {any[]} */ working) =>
        isSide || this.#projection.isDatedByRequests(working) ? undefined : this.#slices.read(working, fixedPrefix),
      isCold: () => this.#plan(now).cachedTokens === 0,
      project: (/** @type {any[]} */ working) => {
        const { number, places, ...projected } = this.#project(working, { now, isSide, fixedPrefix });
        sent = { number, places, messages: projected.messages };
        return projected;
      },
    });
    for (const { inputTokens, cachedTokens } of prepared.compression.summaryUsage ?? []) {
      this.#projection.removals.settle().addSummary(inputTokens, cachedTokens);
    }
    return { prepared, sent };
  }

  /**
   * Reads a provider's overflow error. If it states the size of the context window, that size applies from now on.
   * @param {unknown} error
   * @param {unknown} [options]
   */
  noteOverflow(error, options) {
    return this.#preparation.noteOverflow(error, options);
  }

  /** @param {number} now */
  #plan(now) {
    const elapsedMs = now - this.#projection.newestMs;
    return this.#projection.removals.settle().plan(Number.isNaN(elapsedMs) ? null : elapsedMs);
  }

  /** @param {unknown} [options] */
  plan(options) {
    const { rows, ...planned } = this.#plan(nowFrom(checkOptions(options, OPTIONS.now)));
    const { removals, removed, conversation } = this.#projection;
    const indices = [...new Set(rows.map((row) => conversation.layout.messageOf(row)))].sort((a, b) => a - b);
    const tokens = removals.outdated.size === 0 ? [] : removals.tokensOfMessages();
    /** @type {Map<number, { index: number, tokens: number, tokensSaved: number }>} */ const outdated = new Map();
    for (const { row, message, saved } of removals.outdated.values()) {
      const known = outdated.get(message) ?? { index: message, tokens: tokens[message] ?? 0, tokensSaved: 0 };
      outdated.set(message, known);
      if (removed.has(row)) known.tokens -= saved;
      else known.tokensSaved += Math.max(0, saved - removals.savedByReferencesIn(row));
    }
    const pending = [...outdated.values()].filter(({ tokensSaved }) => tokensSaved > 0);
    pending.sort((one, other) => one.index - other.index);
    return { ...planned, isDue: rows.length > 0, indices, firstChange: indices[0] ?? null, pending };
  }

  /** @returns {import('../entry/types/view.js').ViewLedger} */
  ledger() {
    const fold = this.#projection.removals.settle();
    return { ...ledgerOf(fold.costs(0)), ...JSON.parse(fold.ledger()) };
  }

  report() {
    const { conversation, removed, requests } = this.#projection;
    const { layout } = conversation;
    const removedRows = [...removed].flatMap(([row, { request }]) => [
      row,
      layout.firstRowOf(requests[request]?.end ?? 0),
    ]);
    const tallies = removedRows.length === 0 ? [] : conversation.reacquired(removedRows);
    return reportOf(tallies, this.#shared.options.ages);
  }

  /** @returns {number[]} */
  breakpoints() {
    return this.#projection.breakpoints();
  }

  /** @param {unknown} [options] */
  lookupTool(options) {
    return viewLookupTool(() => this.#projection, options);
  }

  /** @param {unknown} usage */
  observe(usage) {
    this.#observe(null, usage);
  }

  /** @param {number | null} number @param {unknown} usage @returns {boolean} true if `usage` reports the length of the prompt */
  #observe(number, usage) {
    readObject('usage', usage, "a provider's usage object");
    const isReport = this.#projection.removals.observe(number, figuresOf(usage));
    if (isReport && (number === null || number === this.#unreported)) this.#unreported = null;
    return isReport;
  }

  /** Reads the usage that applications keep on the assistant message, often the same as they pass to `observe`. @param {readonly any[]} messages */
  #observeOwn(messages) {
    if (this.#unreported === null) return;
    const report = reportSince(messages, this.#projection.previous.length);
    if (report !== undefined) this.#observe(this.#unreported, report);
  }

  /** @returns {import('./facts.js').Fact[]} */
  export() {
    return this.#facts.list.map((fact) => ({ ...fact }));
  }

  /** @param {unknown} facts @param {unknown} [options] */
  static import(facts, options) {
    const read = readFacts(facts);
    const view = new ContextView(options);
    for (const fact of read) view.#facts.add(fact);
    return view;
  }

  static {
    inner = {
      projectionOf: (value) =>
        typeof value === 'object' && value !== null && #projection in value ? value.#projection : undefined,
      likenessTo: (view, messages) =>
        view.#preparation.likenessTo(messages, view.#slices.messages ?? view.#projection.given),
      costsOf: (view, first) => view.#projection.removals.settle().costs(first),
      observe: (view, number, usage) => view.#observe(number, usage),
      factsOf: (view) => view.#facts,
      prepare: (view, messages, options, more) => view.#prepare(messages, options, more),
    };
  }
}

/** True for a side request: a title or a summary. @param {Record<string, unknown> | undefined} options */
function isSideFrom(options) {
  return optional(readFlag, 'options.side', options?.side) ?? false;
}

/** The public form of costs. @param {Costs} costs @returns {import('../entry/types/view.js').Costs} */
function ledgerOf({ requests, cost, costLeftAlone, unsure, unsureLeftAlone }) {
  return {
    requests,
    cost,
    costLeftAlone,
    range: { cost: [cost, cost + unsure], costLeftAlone: [costLeftAlone, costLeftAlone + unsureLeftAlone] },
  };
}

/**
 * @param {readonly number[]} tallies for each kind: the count of removed results, then the count of those that were fetched again
 * @param {unknown} given the view's option `ages`
 * @returns {import('../entry/types/view.js').ViewReport}
 */
function reportOf(tallies, given) {
  const ages = native.agesOf({ ages: agesByKind(given) });
  /** @param {(at: number) => number | undefined} pick @returns {any} */
  const byKind = (pick) => Object.fromEntries(KINDS.map((kind, at) => [kind, pick(at) ?? 0]));
  return {
    replaced: byKind((at) => tallies[2 * at]),
    reacquired: byKind((at) => tallies[2 * at + 1]),
    ages: byKind((at) => ages[at]),
  };
}

module.exports = {
  ContextView,
  inner,
  ledgerOf,
  /** @type {NonNullable<typeof inner>['projectionOf']} */
  projectionOf: (value) => inner.projectionOf(value),
};
