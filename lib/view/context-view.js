// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom, optional, readFlag, readObject } = require('../arguments.js');
const { engineFor } = require('../cleanup/engine.js');
const { Protection } = require('../cleanup/protection.js');
const { Preparation } = require('../compression/preparation.js');
const { OPTIONS } = require('../option-names.js');
const { figuresOf, reportSince } = require('../tokens/usage.js');
const { Facts, readFacts } = require('./facts.js');
const { viewLookupTool } = require('./lookup.js');
const { compressionFrom, plainOptions, viewSpec } = require('./options.js');
const { Projection } = require('./projection.js');
const { Slices } = require('./request-boundaries.js');
const { ledgerFrom, pendingMessages, reportFrom } = require('./view-figures.js');

/**
 * @typedef {import('./projection.js').FixedPrefix} FixedPrefix
 * @typedef {import('./projection.js').Request} Request
 * @typedef {import('../../index.js').CleanupReport} CleanupReport
 *
 * A request as it is sent. `messages`: with the application's own fields, which a provider would reject; `sentNumber`: in the view's count;
 * `breakpoints`: indexes of the messages that get a cache breakpoint, null if the view sets none.
 * @typedef {{ messages: any[], sentNumber: number, breakpoints: number[] | null }} Sent
 * @typedef {{ prepared: any, sent: Sent }} Prepared `prepared`: what `prepare()` returns
 *
 * Internal options of a request. `share`: adds a new summary to the facts, also of other processes.
 * @typedef {{ fixedPrefix?: FixedPrefix | undefined, share?: (summary: import('./facts.js').SummaryFact) => Promise<void> | void }} InternalOptions
 */

/** Access to a view's private parts. */ let viewInternals;

/** Prepares the requests of one conversation: removes outdated results when that costs nothing or pays off. */
class ContextView {
  #context;
  #facts = new Facts();
  #preparation;
  #projection;
  #slices = new Slices({
    readCount: () => this.#projection.previous.length,
    read: (end, allMessages, fixedPrefix) => {
      const request = { now: 0, isSide: false, fixedPrefix, allMessages };
      if (!this.#isBusy) this.#exclusively(() => this.#projection.project(allMessages.slice(0, end), request));
    },
  });
  /** True while `#projection` is changing. */ #isBusy = false;
  #requestCount = 0;
  /** The newest main request; null once its usage is reported. @type {number | null} */ #unreportedRequest = null;

  /** @param {unknown} [options] */
  constructor(options) {
    const plain = plainOptions(options);
    const given = checkOptions(options, OPTIONS.view);
    const protection = new Protection(given ?? {});
    optional(readFlag, 'options.binary', given?.binary);
    optional(readFlag, 'options.repeated', plain.repeated);
    const times = given?.arrivalTimes;
    // `ContextViews` passes `'store'`: the store records when requests were sent.
    const arrivalTimes = times === 'store' ? times : (optional(readFlag, 'options.arrivalTimes', times) ?? true);
    const facts = this.#facts;
    this.#context = { engine: engineFor(viewSpec(plain)), options: plain, protection, facts, arrivalTimes };
    this.#projection = new Projection(this.#context);
    const compression = compressionFrom(given, protection.pin);
    this.#preparation = new Preparation({ ...compression, dialect: plain.dialect, facts });
  }

  /** @param {readonly any[]} messages @param {unknown} [options] @returns {{ messages: any[], report: CleanupReport }} */
  project(messages, options) {
    checkMessages(messages);
    const given = checkOptions(options, OPTIONS.request);
    const { sent, report } = this.#project(messages, { now: nowFrom(given), isSide: isSideFrom(given) });
    return { messages: sent.messages, report };
  }

  /** @param {readonly any[]} messages @param {Request} request @returns {{ sent: Sent, report: CleanupReport }} */
  #project(messages, request) {
    // A getter of a message or the application's logger may call this view while it is busy.
    if (request.isSide || this.#isBusy || this.#projection.isTitle(messages, request.fixedPrefix)) {
      const projection = new Projection(this.#context);
      const projected = projection.project(messages, request);
      const sentNumber = this.#requestCount++;
      this.#projection.removals.recordSideRequest(sentNumber, projection.removals);
      return this.#sentBy(projection, projected, sentNumber);
    }
    return this.#exclusively(() => {
      const unreported = this.#unreportedRequest;
      // Applications keep usage on the assistant message, often the same as they pass to `observe`.
      const usage = unreported === null ? undefined : reportSince(messages, this.#projection.previous.length);
      if (usage !== undefined) this.#observe(unreported, usage);
      const { isAgain, ...projected } = this.#projection.project(messages, request);
      const sentNumber = this.#requestCount++;
      this.#projection.removals.recordRequest(sentNumber, isAgain);
      this.#unreportedRequest = sentNumber;
      return this.#sentBy(this.#projection, projected, sentNumber);
    });
  }

  /** @param {InstanceType<typeof Projection>} projection @param {{ messages: any[], report: CleanupReport }} projected @param {number} sentNumber */
  #sentBy(projection, { messages, report }, sentNumber) {
    const breakpoints = this.#context.options.marks === true ? projection.breakpoints() : null;
    return { sent: { messages, sentNumber, breakpoints }, report };
  }

  /** Calls `work`, which changes `#projection`. @template T @param {() => T} work @returns {T} */
  #exclusively(work) {
    this.#isBusy = true;
    try {
      return work();
    } catch (error) {
      // The error may have left the caches incomplete.
      this.#projection = new Projection(this.#context);
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  async prepare(messages, options) {
    return (await this.#prepare(messages, options, {})).prepared;
  }

  /** @param {readonly any[]} messages @param {unknown} options @param {InternalOptions} internal @returns {Promise<Prepared>} */
  async #prepare(messages, options, { fixedPrefix, share = (fact) => this.#facts.add(fact) }) {
    checkMessages(messages);
    const given = checkOptions(options, OPTIONS.preparing);
    const [now, isSide] = [nowFrom(given), isSideFrom(given)];
    /** @type {Sent} */ let sent = { messages: [], sentNumber: -1, breakpoints: null };
    const prepared = await this.#preparation.prepare(messages, options, {
      isSide,
      share,
      readAhead: (/** @type {any[]} */ working) =>
        isSide || this.#projection.isDatedByRequests(working) ? undefined : this.#slices.read(working, fixedPrefix),
      isCold: () => this.#plan(now).cachedTokens === 0,
      project: (/** @type {any[]} */ working) => {
        const projected = this.#project(working, { now, isSide, fixedPrefix });
        sent = projected.sent;
        return { messages: sent.messages, report: projected.report };
      },
    });
    for (const { inputTokens, cachedTokens } of prepared.compression.summaryUsage ?? []) {
      this.#projection.removals.settle().addSummary(inputTokens, cachedTokens);
    }
    return { prepared, sent };
  }

  /** Learns the context window's size from an overflow error. @param {unknown} error @param {unknown} [options] */
  noteOverflow(error, options) {
    return this.#preparation.noteOverflow(error, options);
  }

  /** What a further request at this time (ms) would remove and cost. @param {number} now */
  #plan(now) {
    const elapsedMs = now - this.#projection.newestMs;
    return this.#projection.removals.settle().plan(Number.isNaN(elapsedMs) ? null : elapsedMs);
  }

  /** @param {unknown} [options] */
  plan(options) {
    const { rows, ...planned } = this.#plan(nowFrom(checkOptions(options, OPTIONS.now)));
    const { removals, removed, conversation } = this.#projection;
    const messages = new Set(rows.map((row) => conversation.table.messageOf(row)));
    const indices = [...messages].sort((one, other) => one - other);
    const pending = pendingMessages(removals, removed);
    return { ...planned, isDue: rows.length > 0, indices, firstChange: indices[0] ?? null, pending };
  }

  /** @returns {import('../entry/types/view.js').ViewLedger} */
  ledger() {
    const fold = this.#projection.removals.settle();
    return { ...ledgerFrom(fold.costs(0)), ...JSON.parse(fold.ledger()) };
  }

  report() {
    const { conversation, removed, requests } = this.#projection;
    const rowAfter = (/** @type {number} */ request) => conversation.table.firstRowOf(requests[request]?.end ?? 0);
    /** Pairs: the row of a removed result, and the row of the first message after the request that removed it. */
    const removedRows = [...removed].flatMap(([row, { request }]) => [row, rowAfter(request)]);
    const counts = removedRows.length === 0 ? [] : conversation.reacquired(removedRows);
    return reportFrom(counts, this.#context.options.ages);
  }

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

  /** True if `usage` reports the length of the prompt. @param {number | null} sentNumber null: the newest @param {unknown} usage */
  #observe(sentNumber, usage) {
    readObject('usage', usage, "a provider's usage object");
    const isReport = this.#projection.removals.observe(sentNumber, figuresOf(usage));
    const isOfNewest = sentNumber === null || sentNumber === this.#unreportedRequest;
    if (isReport && isOfNewest) this.#unreportedRequest = null;
    return isReport;
  }

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
    viewInternals = {
      /** @param {unknown} value */
      projectionOf: (value) =>
        typeof value === 'object' && value !== null && #projection in value ? value.#projection : undefined,
      /** @param {ContextView} view @param {readonly any[]} messages */
      likenessTo: (view, messages) =>
        view.#preparation.likenessTo(messages, view.#slices.messages ?? view.#projection.given),
      /** @param {ContextView} view @param {number} firstRequest */
      costsOf: (view, firstRequest) => view.#projection.removals.settle().costs(firstRequest),
      /** @param {ContextView} view @param {number} sentNumber @param {unknown} usage */
      observe: (view, sentNumber, usage) => view.#observe(sentNumber, usage),
      /** @param {ContextView} view */
      factsOf: (view) => view.#facts,
      /** @param {ContextView} view @param {readonly any[]} messages @param {unknown} options @param {InternalOptions} internal */
      prepare: (view, messages, options, internal) => view.#prepare(messages, options, internal),
    };
  }
}

/** True for a side request: a title or a summary. @param {Record<string, unknown> | undefined} options */
const isSideFrom = (options) => optional(readFlag, 'options.side', options?.side) ?? false;

module.exports = { ContextView, viewInternals };
