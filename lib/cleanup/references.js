// @ts-check
'use strict';

const native = require('../native.js');
const { Decision } = require('./conversation.js');
const { outcomeOf, UncopiedMessage } = require('./outcome.js');
const { lazyReport, REPEATED } = require('./report.js');
const { KIND, STATUS_ERROR, TOOL } = require('./row-flags.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {import('../view/request-boundaries.js').Boundary} Boundary
 *
 * A result that refers to lines of earlier texts since the first request that sends it.
 * @typedef {{ row: number, message: number, text: string, saved: number | null }} Shortened `saved`: tokens; null until they are counted
 * @typedef {object} Query
 * @property {Conversation} conversation
 * @property {readonly Boundary[]} requests all requests
 * @property {number} first number of the first new request
 * @property {readonly { row: number, request: number }[]} outdated newly outdated results, each once, with the request that made them outdated
 * @property {(row: number) => boolean} staysWhole true for a result that may not be shortened
 */

/** Shorter texts (UTF-16 units) have no references to or from them. */ const MIN_UNITS = native.fewestRepeatedUnits();
/** Prefix of a label for lines in a call's arguments. */ const CALL_PREFIX = { en: 'your call ', zh: '你的调用 ' };

/**
 * Decides which results are sent with references, from their first request on, which depends only on the messages up to that request. Nothing refers to
 * an outdated result. A referenced result is removed only once the results that refer to it are outdated.
 */
class References {
  /** True for a tool whose results stay: the option `keepTools`. */ #keepsTool;
  /** @type {keyof typeof CALL_PREFIX} */ #language;
  /** Null before the first call or result. @type {InstanceType<typeof native.References> | null} */ #core = null;
  /** Count of messages read. */ #readMessages = 0;
  /** Keyed by source: a row, or `-1 - n` for call `n`. @type {Map<number, string>} */ #labels = new Map();

  /** @param {InstanceType<typeof import('./engine.js').Engine>} engine */
  constructor(engine) {
    /** Results sent with references, keyed by row. @type {Map<number, Shortened>} */ this.shortened = new Map();
    /** Number of the first request with a reference; infinite if there is none. */
    this.firstRequest = Number.POSITIVE_INFINITY;
    const { policy, spec } = engine;
    const { keepTools, placeholderLanguage } = spec.options ?? {};
    this.#keepsTool = keepTools === undefined ? () => false : (/** @type {string} */ tool) => policy.keeps(tool);
    this.#language = placeholderLanguage === 'zh' ? 'zh' : 'en';
  }

  /** Reads the new requests; returns the results that they shorten. @param {Query} query @returns {Shortened[]} */
  readRequests(query) {
    const { conversation, requests, first } = query;
    for (const { row, request } of query.outdated) this.#ensureCore().outdate(row, request);
    const { table, decision } = conversation;
    const droppedRows = new Set(decision.droppedRows);
    /** @type {Shortened[]} */ const shortened = [];
    for (let number = first; number < requests.length; number++) {
      const { end, isUndecided } = /** @type {Boundary} */ (requests[number]);
      this.#core?.beginRequest(number);
      const endRow = table.firstRowOf(end);
      for (let row = table.firstRowOf(this.#readMessages); row < endRow; row++) {
        if (droppedRows.has(row)) continue;
        const result = this.#readRow(query, row, isUndecided);
        if (result === undefined) continue;
        shortened.push(result);
        this.firstRequest = Math.min(this.firstRequest, number);
      }
      this.#readMessages = Math.max(this.#readMessages, end);
    }
    return shortened;
  }

  /** Sends the results in these messages without references. The results that they referred to still stay. @param {ReadonlySet<number>} messages */
  sendWhole(messages) {
    if (messages.size === 0) return;
    for (const { row, message } of this.shortened.values()) if (messages.has(message)) this.shortened.delete(row);
  }

  /** Number of the request that makes a result and all results that refer to it outdated; infinite if one is not. @param {number} row */
  removableSince(row) {
    return this.#core?.removableSince(row) ?? Number.POSITIVE_INFINITY;
  }

  #ensureCore() {
    this.#core ??= new native.References(this.#language);
    return this.#core;
  }

  /** Reads the calls or the result of a row. @param {Query} query @param {number} row @param {boolean} isUndecided @returns {Shortened | undefined} */
  #readRow(query, row, isUndecided) {
    const { conversation, staysWhole } = query;
    const { transcript, table } = conversation;
    this.#readCalls(conversation, row);
    const flags = transcript.flags[row] ?? 0;
    const text = transcript.contents[row];
    if ((flags & KIND) !== TOOL || text === undefined || text.length < MIN_UNITS) return undefined;
    const isFailedOrMedia = (flags & STATUS_ERROR) !== 0 || table.mediaUnitsOf(row) > 0;
    const tool = String(transcript.calls.names[callOf(conversation, row)] ?? '');
    if (isUndecided || isFailedOrMedia || this.#keepsTool(tool) || staysWhole(row)) {
      return void this.#ensureCore().addResult(row, text);
    }
    const shortText = this.#ensureCore().shortenResult(row, text, (source) => this.#labelOf(conversation, source));
    if (shortText === null) return undefined;
    const result = { row, message: table.messageOf(row), text: shortText, saved: null };
    this.shortened.set(row, result);
    return result;
  }

  /** @param {Conversation} conversation @param {number} row */
  #readCalls({ transcript, decision }, row) {
    const { calls } = transcript;
    for (let call = calls.before(row); call < calls.before(row + 1); call++) {
      const input = calls.arguments[call];
      if (typeof input !== 'string' || input.length < MIN_UNITS || decision.duplicateCalls.includes(call)) continue;
      this.#ensureCore().addCall(call, input);
    }
  }

  /** Label of a source, in the form that placeholders use. @param {Conversation} conversation @param {number} source as in `#labels` */
  #labelOf(conversation, source) {
    const known = this.#labels.get(source);
    if (known !== undefined) return known;
    const { calls } = conversation.transcript;
    const call = source < 0 ? -1 - source : callOf(conversation, source);
    const name = String(calls.names[call] ?? '');
    const input = calls.arguments[call];
    const subject = typeof input === 'string' ? native.subjectOfCall(name, input) : '';
    const start = source < 0 ? CALL_PREFIX[this.#language] : `${conversation.state.handleOf(source)} `;
    const label = `${start}${name}${subject === '' ? '' : ' '}${subject}`.trimEnd();
    this.#labels.set(source, label);
    return label;
  }
}

/** The call of a result; −1 if unknown. @param {Conversation} conversation @param {number} row */
function callOf({ transcript }, row) {
  const { calls, ids } = transcript;
  return calls.ids.lastIndexOf(ids[row], calls.before(row) - 1);
}

/** Number of an invented request before the real one. Results that rules replace are outdated since then, so nothing refers to them. */
const EARLIER_REQUEST = 0;

/**
 * Shortens results with references to other messages, for one call without earlier requests.
 * @param {readonly any[]} messages the messages that `conversation` decided about @param {Conversation} conversation
 * @param {number} now time of the request (ms)
 * @returns {{ messages: unknown[], report: import('../../index.js').CleanupReport } | undefined} undefined if no result refers to another
 */
function withReferences(messages, conversation, now) {
  const { decision, engine } = conversation;
  const replaced = new Set(decision.edits.slice(0, decision.editCount).map(({ row }) => row));
  const request = { time: now, lastTime: now, interruptedTime: now, isUndecided: false };
  const requests = [0, messages.length].map((end) => ({ ...request, end }));
  const shortened = new References(engine).readRequests({
    conversation,
    requests,
    first: EARLIER_REQUEST + 1,
    outdated: Array.from(replaced, (row) => ({ row, request: EARLIER_REQUEST })),
    staysWhole: (row) => replaced.has(row),
  });
  if (shortened.length === 0) return undefined;
  const { table, transcript, state } = conversation;
  const edits = decision.edits.slice(0, decision.editCount);
  for (const { row, text } of shortened) edits.push({ row, rule: REPEATED, request: 0, groups: [], text });
  const changes = { edits, editCount: edits.length, report: null };
  const extendedDecision = Object.assign(new Decision(), decision, changes);
  const extended = { engine, table, transcript, state, decision: extendedDecision, changes: null };
  try {
    return { messages: outcomeOf(messages, extended).toArray(), report: lazyReport(extended, messages) };
  } catch (error) {
    if (error instanceof UncopiedMessage) return undefined;
    throw error;
  }
}

module.exports = { References, withReferences };
