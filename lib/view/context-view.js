// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom, optional, readFlag, readObject } = require('../arguments.js');
const { engineFor } = require('../cleanup/engine.js');
const { badState } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { figuresOf } = require('../tokens/usage.js');
const { Conversations, sharedAs } = require('./conversations.js');
const { ledgerOf, NOTHING } = require('./costs.js');
const { viewLookupTool } = require('./lookup.js');
const { compressionFrom, plainOptions, viewSpec } = require('./options.js');
const { Preparation } = require('./preparation.js');
const { Projection } = require('./projection.js');
const { Protection } = require('./protection.js');
const { Told } = require('./delta.js');
const { reportOf, talliesOf } = require('./reacquired.js');
const { partsIn, partsOf, readState, stateOf, takeInEdits } = require('./state.js');
const { reportSince } = require('./usage.js');

/**
 * @typedef {import('../entry/types/view.js').ContextViewState} State
 * @typedef {import('./costs.js').Costs} Costs
 * @typedef {{ number: number, places: number[] }} Sent the request's number on the bill, and where to mark it
 */

/**
 * What stands ahead of all messages: its tokens, and how many marks the host has set there; `sentMs`: when an adapter sent a request that
 * the view has not decided.
 * @typedef {{ tokens: number, marks: number, sentMs?: number | undefined }} Ahead
 */

/** What the package's other parts may do to a view. @type {{
 *   sharedWith: (view: ContextView, messages: readonly any[], system: number) => { shared: number, length: number, isSystemSame: boolean },
 *   projectionOf: (value: unknown) => InstanceType<typeof Projection> | undefined,
 *   costsOf: (view: ContextView) => Costs,
 *   requestsOf: (view: ContextView) => number,
 *   optionsOf: (view: ContextView) => Record<string, unknown>,
 *   talliesOf: (view: ContextView) => import('./reacquired.js').Tallies,
 *   observe: (view: ContextView, number: number, usage: unknown) => boolean,
 *   setAhead: (view: ContextView, ahead: Ahead) => void,
 *   standBeside: (view: ContextView) => void,
 *   touch: (view: ContextView, now: number) => void,
 *   setGate: (view: ContextView, mayAsk: () => Promise<boolean>) => void,
 * }} */
let inner;

/** By what `prepare` gave. @type {WeakMap<object, Sent>} */
const sentAs = new WeakMap();

/**
 * One conversation as it is sent, request after request: what is outdated is left out when that costs nothing or pays, and
 * stays out.
 */
class ContextView {
  #plain;
  #conversations;
  #preparation;
  #isBusy = false;
  /** The newest request of all, and the newest that was none beside the conversation, until a report of it has come. */
  #newest = { number: -1, isObserved: true };
  #main = this.#newest;
  /** Where the newest request is to be marked, where it was one beside the conversation. @type {number[] | null} */
  #places = null;
  /** What was imported, until the messages come. @type {State | null} */
  #resumed = null;
  /** What `exportDelta` gave last, and of which conversation. @type {{ told: InstanceType<typeof Told>, of: InstanceType<typeof Projection> } | null} */
  #told = null;

  /** @param {unknown} [options] */
  constructor(options) {
    const plain = plainOptions(options);
    const spec = viewSpec(plain);
    const engine = engineFor(spec);
    this.#plain = plain;
    const given = checkOptions(options, OPTIONS.view);
    const protection = new Protection(given ?? {});
    this.#conversations = new Conversations(
      () => new Projection(engine, plain, protection),
      plain.memory === 'messages',
    );
    const compression = compressionFrom(given, protection.pin);
    this.#preparation = new Preparation({ ...compression, dialect: plain.dialect });
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} [options]
   * @returns {{ messages: any[], report: import('../../index.js').CleanupReport }}
   */
  project(messages, options) {
    checkMessages(messages);
    const given = checkOptions(options, OPTIONS.request);
    const { messages: sent, report } = this.#project(messages, nowFrom(given), isSideFrom(given));
    return { messages: sent, report };
  }

  /**
   * @param {readonly any[]} messages
   * @param {number} now
   * @param {boolean} isSide
   * @returns {{ messages: any[], report: import('../../index.js').CleanupReport, number: number, places?: number[] }}
   */
  #project(messages, now, isSide) {
    // A getter of a message or the host's logger may call this view again, while its state is incomplete: a new
    // projection answers that call.
    if (this.#isBusy) return { ...this.#conversations.begin().project(messages, now), number: -1 };
    this.#isBusy = true;
    try {
      const resumed = this.#resume(messages, now, isSide);
      if (resumed === undefined) this.#observeOwn(messages);
      const sent = resumed ?? this.#conversations.request(messages, now, isSide);
      const { number, places } = sent;
      this.#newest = { number, isObserved: false };
      this.#places = places ?? null;
      if (places === undefined) this.#main = this.#newest;
      return sent;
    } catch (error) {
      // The error may have left the state incomplete.
      this.#conversations.current = this.#conversations.begin();
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
    const given = checkOptions(options, OPTIONS.preparing);
    const [now, isSide] = [nowFrom(given), isSideFrom(given)];
    /** @type {Sent | undefined} */
    let sent;
    const prepared = await this.#preparation.prepare(messages, options, {
      isSide,
      isCold: () => this.#projection.schedule.plan(momentOf(now)).cachedTokens === 0,
      project: (/** @type {any[]} */ working) => {
        const projected = this.#project(working, now, isSide);
        sent = { number: projected.number, places: projected.places ?? [] };
        return projected;
      },
    });
    if (sent !== undefined) sentAs.set(prepared, sent);
    for (const { inputTokens, cachedTokens } of prepared.compression.summaryUsage ?? []) {
      this.#projection.schedule.state.addSummary(inputTokens, cachedTokens);
    }
    return prepared;
  }

  /**
   * Takes in an error of the model's: where it says how large the window is, that counts from then on.
   * @param {unknown} error
   * @param {unknown} [options]
   */
  noteOverflow(error, options) {
    return this.#preparation.noteOverflow(error, options);
  }

  /** @param {unknown} [options] */
  plan(options) {
    const now = nowFrom(checkOptions(options, OPTIONS.now));
    const { schedule, applied, conversation, weighed } = this.#projection;
    const { positions, isTaken: _, changes: __, number: ___, ...decided } = schedule.plan(momentOf(now));
    const { layout } = conversation;
    const outdated = [...applied.pending.keys()].filter((row) => !applied.riding.has(row));
    const messages = [...new Set(outdated.map((row) => layout.ownerOf(row)))].sort((a, b) => a - b);
    const pending = messages.map((index) => {
      const { replaced, pending: saved } = applied.savings(layout, index);
      const before = /** @type {number} */ (weighed.tokens[index]) - replaced;
      return { index, tokens: Math.round(before), tokensSaved: Math.round(saved) };
    });
    return {
      ...decided,
      isDue: positions.length > 0,
      indices: positions,
      firstChange: positions[0] ?? null,
      pending,
    };
  }

  ledger() {
    return { ...ledgerOf(inner.costsOf(this)), ...JSON.parse(this.#projection.schedule.state.ledger()) };
  }

  report() {
    return reportOf(talliesOf(this.#projection), this.#plain);
  }

  /** @returns {number[]} */
  breakpoints() {
    const projection = this.#projection;
    if (this.#places !== null) return this.#places;
    if (!projection.hasMarks) {
      projection.hasMarks = true;
      projection.schedule.state.setMarks();
    }
    const { schedule, sent } = projection;
    const places = schedule.state.marks().map((count) => sent.placeOf(count) - 1);
    return [...new Set(places)].filter((place) => place >= 0 && place < sent.messages.length);
  }

  /** @param {unknown} [options] */
  lookupTool(options) {
    return viewLookupTool(() => this.#projection, options);
  }

  /** @param {unknown} usage */
  observe(usage) {
    this.#observe(this.#newest, usage, null);
  }

  /**
   * @param {{ number: number, isObserved: boolean }} request
   * @param {unknown} usage
   * @param {number | null} [number] null where nobody says which request the report is of
   * @returns {boolean} whether the request's usage is known now
   */
  #observe(request, usage, number = request.number) {
    readObject('usage', usage, "a provider's usage object");
    request.isObserved ||= this.#projection.schedule.observe(number, figuresOf(usage));
    return request.isObserved;
  }

  /** Hosts that call `observe` often keep the same report on the answer. @param {readonly any[]} messages */
  #observeOwn(messages) {
    if (this.#main.isObserved) return;
    const report = reportSince(messages, this.#projection.seen.length);
    if (report !== undefined) this.#observe(this.#main, report);
  }

  /** @returns {State} */
  export() {
    const { main, past } = this.#conversations.told();
    if (this.#resumed === null) takeInEdits(main);
    return stateOf(this.#parts(main, past), main.schedule.state.export());
  }

  /**
   * What is new since this was asked before: all of it the first time, and where another conversation goes on.
   * @param {unknown} [options]
   * @returns {{ state: string } | { delta: string }}
   */
  exportDelta(options) {
    const isWhole = optional(readFlag, 'options.whole', checkOptions(options, OPTIONS.exportDelta)?.whole) ?? false;
    const { main, past } = this.#conversations.told();
    const told = this.#told;
    if (isWhole || told === null || told.of !== main) {
      const parts = this.#parts(main, past);
      main.tell();
      this.#told = { told: new Told(parts), of: main };
      return { state: JSON.stringify(stateOf(parts, main.schedule.state.exportWhole())) };
    }
    // What was imported is as it was told, until messages come.
    const known = this.#resumed?.messages.length;
    const parts = this.#parts(main, past, known ?? main.asTold);
    const news = known === undefined ? main.tell() : { from: known, rows: [] };
    const schedule = JSON.parse(main.schedule.state.exportDelta());
    return { delta: JSON.stringify({ ...told.told.next(parts, news), schedule }) };
  }

  /** @param {InstanceType<typeof Projection>} main @param {Costs} past @param {number} [from] the first message whose mark is asked for */
  #parts(main, past, from) {
    const resumed = this.#resumed;
    if (resumed !== null) return partsIn({ ...resumed, past, options: this.#plain }, from);
    return partsOf(main, this.#plain, { past, compression: this.#preparation.export() }, from);
  }

  /**
   * @param {unknown} state
   * @param {unknown} [options]
   * @param {unknown} [deltas]
   */
  static import(state, options, deltas) {
    const read = readState(state, deltas);
    const view = viewWith(read.options, checkOptions(options, OPTIONS.view) ?? {});
    const { schedule } = view.#projection;
    // The state is checked now, so that `import` throws; it is used when the first messages come.
    if (!schedule.restore(JSON.stringify(read.schedule), deltas !== undefined)) {
      throw badState('what export() gave', 'something else');
    }
    schedule.fixed = read.schedule.fixedTokens;
    view.#projection.hasMarks ||= read.schedule.hasMarks === true;
    view.#resumed = read;
    // What is kept request by request has all requests; an export may be behind what the other object has sent since.
    view.#conversations.isImported = deltas === undefined;
    view.#conversations.past = { ...NOTHING, ...read.past };
    view.#preparation.import(read.compression ?? null);
    if (deltas !== undefined) view.#told = { told: new Told(partsIn(read)), of: view.#projection };
    return view;
  }

  static {
    inner = {
      sharedWith: (view, messages, system) =>
        sharedAs(view.#preparation.given ?? view.#projection.seen.messages, messages, system),
      costsOf: (view) => view.#conversations.costs(),
      requestsOf: (view) => view.#conversations.requests(),
      optionsOf: (view) => view.#plain,
      talliesOf: (view) => talliesOf(view.#projection),
      projectionOf: (value) =>
        typeof value === 'object' && value !== null && #conversations in value ? value.#projection : undefined,
      observe: (view, number, usage) => view.#observe({ number, isObserved: false }, usage),
      setAhead: (view, ahead) => view.#projection.setAhead(ahead),
      standBeside: (view) => view.#projection.beside.begin(),
      touch: (view, now) => view.#projection.schedule.state.touch(now),
      setGate: (view, mayAsk) => {
        view.#preparation.mayAsk = mayAsk;
      },
    };
  }

  get #projection() {
    return this.#conversations.current;
  }

  /**
   * Takes up what was imported, as soon as messages come that go on with it.
   * @param {readonly any[]} messages
   * @param {number} now
   * @param {boolean} isSide
   * @returns {ReturnType<InstanceType<typeof Conversations>['request']> | undefined} the answer to a request beside the conversation, which stays to be taken up
   */
  #resume(messages, now, isSide) {
    const state = this.#resumed;
    if (state === null) return undefined;
    const answer = this.#conversations.resume(state, messages, now, isSide);
    if (answer === undefined) this.#resumed = null;
    return answer;
  }
}

/**
 * A view with the options of a state, and others in their place.
 * @param {Record<string, unknown>} options of a state: whatever is wrong with them is the state's fault
 * @param {Record<string, unknown>} given
 */
function viewWith(options, given) {
  try {
    new ContextView(options);
  } catch (error) {
    throw badState('what export() gave', 'options that no view has', error);
  }
  // An option that is undefined or null is not given, and a language that was settled on stays the one of the placeholders.
  const changes = Object.entries(given).filter(
    ([name, value]) =>
      value !== undefined &&
      value !== null &&
      !(name === 'placeholderLanguage' && value === 'auto' && typeof options[name] === 'string'),
  );
  return new ContextView({ ...options, ...Object.fromEntries(changes) });
}

/** A request that may be sent now. @param {number} now */
function momentOf(now) {
  return { now, spoken: Number.NaN, answered: Number.NaN, sent: now };
}

/** Whether the request stands beside the conversation. @param {Record<string, unknown> | undefined} options */
function isSideFrom(options) {
  return optional(readFlag, 'options.side', options?.side) ?? false;
}

module.exports = {
  ContextView,
  /** What the request was sent as that `prepared` is. @param {object} prepared @returns {Sent} */
  sentOf: (prepared) => sentAs.get(prepared) ?? { number: -1, places: [] },
  inner: /** @type {NonNullable<typeof inner>} */ (inner),
  projectionOf: (/** @type {unknown} */ value) => inner.projectionOf(value),
};
