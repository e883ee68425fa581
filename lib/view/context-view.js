// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom } = require('../arguments.js');
const { engineFor } = require('../cleanup/engine.js');
const { outOfRange } = require('../errors.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');
const { blocksIn, firstOpen, leadingSystem } = require('./marks.js');
const { sharedBy } = require('./likeness.js');
const { compressionFrom, plainOptions, viewSpec } = require('./options.js');
const { Preparation } = require('./preparation.js');
const { Projection } = require('./projection.js');
const { exported, readState } = require('./state.js');
const { cachedFigures, reportSince } = require('./usage.js');

/** @typedef {import('../entry/types/view.js').ContextViewState} State */

/**
 * Compares `messages` with those that a view was given last. `shared` counts the messages at the start that both have, where
 * the first `system` count as the same; `length` is how many the view was given; `isSystemSame` says whether the first
 * `system` are the same indeed.
 * @type {(view: ContextView, messages: readonly any[], system: number) => { shared: number, length: number, isSystemSame: boolean }}
 */
let sharedWith;

/**
 * The projection of a view, for the package's other parts; undefined where `value` is no view.
 * @type {(value: unknown) => InstanceType<typeof Projection> | undefined}
 */
let projectionOf;

/**
 * What the session of a view has cost, and what it would have left alone.
 * @type {(view: ContextView) => { requests: number, cost: number, costLeftAlone: number }}
 */
let costsOf;

/**
 * One conversation as it is sent, request after request: what is outdated is left out when that costs nothing or pays, and
 * stays out.
 */
class ContextView {
  #plain;
  #begin;
  #projection;
  #preparation;
  #isBusy = false;
  /** Whether the last request's report was taken: hosts that call `observe` often keep the same report on the answer. */
  #isObserved = true;
  /**
   * What was imported, until the messages come.
   * @type {{ state: State, schedule: InstanceType<typeof native.CacheSchedule> } | null}
   */
  #resumed = null;

  /** @param {unknown} [options] */
  constructor(options) {
    const plain = plainOptions(options);
    const spec = viewSpec(plain);
    const engine = engineFor(spec);
    this.#plain = plain;
    this.#begin = () => new Projection(engine, plain, plain.unknownAge === undefined);
    this.#projection = this.#begin();
    this.#preparation = new Preparation({
      ...compressionFrom(checkOptions(options, OPTIONS.view)),
      dialect: plain.dialect,
    });
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} [options]
   * @returns {{ messages: any[], report: import('../entry/index.js').CleanupReport }}
   */
  project(messages, options) {
    checkMessages(messages);
    const now = nowFrom(checkOptions(options, OPTIONS.now));
    // A getter of a message or the host's logger may call this view again, while its state is incomplete: a new
    // projection answers that call.
    if (this.#isBusy) return this.#begin().project(messages, now);
    this.#isBusy = true;
    try {
      this.#resume(messages);
      this.#observeOwn(messages);
      const projected = this.#projection.project(messages, now);
      this.#isObserved = false;
      return projected;
    } catch (error) {
      // The error may have left the state incomplete.
      this.#projection = this.#begin();
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} [options]
   */
  async prepare(messages, options) {
    checkMessages(messages);
    const now = nowFrom(checkOptions(options, OPTIONS.call));
    return this.#preparation.prepare(messages, options, {
      isCold: () => this.#projection.schedule.plan(now).cachedTokens === 0,
      project: (/** @type {any[]} */ working) => this.project(working, { now }),
    });
  }

  /** @param {unknown} [options] */
  plan(options) {
    const now = nowFrom(checkOptions(options, OPTIONS.now));
    const { schedule, applied, conversation, weighed } = this.#projection;
    const { positions, isTaken: _, ...decided } = schedule.plan(now);
    const { layout } = conversation;
    const messages = [...new Set([...applied.pending.keys()].map((row) => layout.ownerOf(row)))].sort((a, b) => a - b);
    const pending = messages.map((index) => {
      const { replaced, pending: saved } = applied.savings(layout, index);
      const before = /** @type {number} */ (weighed.tokens[index]) - replaced;
      return { index, tokens: Math.round(before), tokensSaved: Math.round(saved) };
    });
    return {
      ...decided,
      isDue: positions.length + decided.restored.length > 0,
      indices: positions,
      firstChange: positions[0] ?? null,
      pending,
    };
  }

  ledger() {
    return { ...costsOf(this), ...JSON.parse(this.#schedule.ledger()) };
  }

  get #schedule() {
    return this.#resumed?.schedule ?? this.#projection.schedule.state;
  }

  /** @returns {number[]} */
  breakpoints() {
    const projection = this.#projection;
    const { sent } = projection;
    const blocks = Float64Array.from(sent, blocksIn);
    return native.cacheBreakpoints(blocks, leadingSystem(sent), firstOpen(projection), projection.lastEnd);
  }

  /** @param {unknown} usage */
  observe(usage) {
    const figures = cachedFigures(usage);
    if (figures === undefined || this.#isObserved) return;
    this.#isObserved = true;
    this.#projection.schedule.state.observe(figures);
  }

  /** @param {readonly any[]} messages */
  #observeOwn(messages) {
    if (this.#isObserved) return;
    const report = reportSince(messages, this.#projection.seen.length);
    if (report !== undefined) this.observe(report);
  }

  /** @returns {State} */
  export() {
    if (this.#resumed !== null) return structuredClone(this.#resumed.state);
    return exported(this.#projection, this.#plain, this.#preparation.export());
  }

  /**
   * @param {unknown} state
   * @param {unknown} [options]
   */
  static import(state, options) {
    const read = readState(state);
    const given = checkOptions(options, OPTIONS.view) ?? {};
    const view = new ContextView({ ...read.options, ...given });
    // The state is checked now, so that `import` throws; it is used when the first messages come.
    const schedule = new native.CacheSchedule(view.#plain);
    if (!schedule.restore(JSON.stringify(read.schedule)))
      throw outOfRange('state', 'what export() gave', 'something else');
    view.#resumed = { state: read, schedule };
    view.#preparation.import(read.compression ?? null);
    return view;
  }

  static {
    sharedWith = (view, messages, system) => {
      const given = view.#preparation.given ?? view.#projection.seen.messages;
      const isSystemSame = sharedBy(messages.slice(0, system), given) === system;
      return { shared: sharedBy(messages, given, system), length: given.length, isSystemSame };
    };
    costsOf = (view) => {
      const [cost, costLeftAlone, requests] = /** @type {[number, number, number]} */ (view.#schedule.costs());
      return { requests, cost, costLeftAlone };
    };
    projectionOf = (value) =>
      typeof value === 'object' && value !== null && #projection in value ? value.#projection : undefined;
  }

  /** @param {readonly any[]} messages */
  #resume(messages) {
    if (this.#resumed === null) return;
    this.#projection.resume(messages, this.#resumed.state);
    this.#resumed = null;
    this.#isObserved = false;
  }
}

module.exports = {
  ContextView,
  costsOf: (/** @type {ContextView} */ view) => costsOf(view),
  projectionOf: (/** @type {unknown} */ value) => projectionOf(value),
  sharedWith: (/** @type {ContextView} */ view, /** @type {readonly any[]} */ messages, /** @type {number} */ system) =>
    sharedWith(view, messages, system),
};
