// @ts-check
'use strict';

const native = require('../native.js');
const { KIND, STATUS_ERROR, TOOL } = require('./row-flags.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {import('../view/request-boundaries.js').Boundary} Boundary
 *
 * A result that refers to lines of earlier texts since the first request that sends it.
 * @typedef {{ row: number, message: number, text: string, saved: number | null }} Shortened `saved`: tokens; null until they are counted
 *
 * @typedef {object} Query
 * @property {Conversation} conversation
 * @property {readonly Boundary[]} requests all requests
 * @property {number} first number of the first new request
 * @property {readonly { row: number, request: number }[]} outdated newly outdated results, each once, with the request that made them outdated
 * @property {(row: number) => boolean} staysWhole
 */

/** Texts shorter than this (UTF-16 units) neither refer to others nor are referred to. */
const MIN_UNITS = native.fewestRepeatedUnits();
/** Prefix of a reference's label if the lines are in the arguments of a call. */
const CALL = { en: 'your call ', zh: '你的调用 ' };

/**
 * Decides which results are sent with references, from their first request on, and which texts they refer to. Depends only on the messages
 * up to that request. Nothing refers to an outdated result. A referenced result is removed only once the results that refer to it are outdated.
 */
class References {
  #keeps;
  /** @type {keyof typeof CALL} */ #language;
  /** Null before the first call or result. @type {InstanceType<typeof native.References> | null} */ #core = null;
  /** Count of messages read. */ #read = 0;
  /** Keyed by source. @type {Map<number, string>} */ #labels = new Map();

  /** @param {InstanceType<typeof import('./engine.js').Engine>} engine */
  constructor(engine) {
    /** Keyed by row. @type {Map<number, Shortened>} */ this.shortened = new Map();
    /** Number of the first request with a reference; infinite if there is none. */
    this.firstRequest = Number.POSITIVE_INFINITY;
    const { policy, spec } = engine;
    const { keepTools, placeholderLanguage } = spec.options ?? {};
    this.#keeps = keepTools === undefined ? () => false : (/** @type {string} */ tool) => policy.keeps(tool);
    this.#language = placeholderLanguage === 'zh' ? 'zh' : 'en';
  }

  /** The results that the new requests shorten. @param {Query} query @returns {Shortened[]} */
  take(query) {
    const { conversation, requests, first } = query;
    for (const { row, request } of query.outdated) this.#ensureCore().outdate(row, request);
    const { layout, decision } = conversation;
    const dropped = new Set(decision.dropped);
    /** @type {Shortened[]} */ const found = [];
    for (let number = first; number < requests.length; number++) {
      const { end, isUndecided } = /** @type {Boundary} */ (requests[number]);
      this.#core?.beginRequest(number);
      const last = layout.firstRowOf(end);
      for (let row = layout.firstRowOf(this.#read); row < last; row++) {
        if (dropped.has(row)) continue;
        const one = this.#readRow(query, row, isUndecided);
        if (one === undefined) continue;
        found.push(one);
        this.firstRequest = Math.min(this.firstRequest, number);
      }
      this.#read = Math.max(this.#read, end);
    }
    return found;
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

  /** @param {Query} query @param {number} row @param {boolean} isUndecided @returns {Shortened | undefined} */
  #readRow(query, row, isUndecided) {
    const { conversation, staysWhole } = query;
    const { transcript, layout } = conversation;
    this.#readCalls(conversation, row);
    const flags = transcript.flags[row] ?? 0;
    const text = transcript.contents[row];
    if ((flags & KIND) !== TOOL || text === undefined || text.length < MIN_UNITS) return undefined;
    const isWhole = isUndecided || (flags & STATUS_ERROR) !== 0 || layout.mediaUnitsOf(row) > 0;
    if (isWhole || this.#keeps(toolOf(conversation, row)) || staysWhole(row)) {
      this.#ensureCore().addResult(row, text);
      return undefined;
    }
    const short = this.#ensureCore().shortenResult(row, text, (source) => this.#labelOf(conversation, source));
    if (short === null) return undefined;
    const one = { row, message: layout.messageOf(row), text: short, saved: null };
    this.shortened.set(row, one);
    return one;
  }

  /** @param {Conversation} conversation @param {number} row */
  #readCalls({ transcript, decision }, row) {
    const { calls } = transcript;
    for (let call = calls.before(row); call < calls.before(row + 1); call++) {
      const input = calls.arguments[call];
      if (typeof input !== 'string' || input.length < MIN_UNITS || decision.repeated.includes(call)) continue;
      this.#ensureCore().addCall(call, input);
    }
  }

  /** Label of a source, in the form that placeholders use. @param {Conversation} conversation @param {number} source a row, or call `-1 - n` */
  #labelOf(conversation, source) {
    const known = this.#labels.get(source);
    if (known !== undefined) return known;
    const label = this.#newLabelOf(conversation, source);
    this.#labels.set(source, label);
    return label;
  }

  /** @param {Conversation} conversation @param {number} source */
  #newLabelOf(conversation, source) {
    const { calls } = conversation.transcript;
    const call = source < 0 ? -1 - source : callOf(conversation, source);
    const name = String(calls.names[call] ?? '');
    const input = calls.arguments[call];
    const subject = typeof input === 'string' ? native.subjectOfCall(name, input) : '';
    const start = source < 0 ? CALL[this.#language] : `${conversation.state.handleOf(source)} `;
    return `${start}${name}${subject === '' ? '' : ' '}${subject}`.trimEnd();
  }
}

/** The call of a result; −1 if unknown. @param {Conversation} conversation @param {number} row */
function callOf({ transcript }, row) {
  const { calls, ids } = transcript;
  return calls.ids.lastIndexOf(ids[row], calls.before(row) - 1);
}

/** @param {Conversation} conversation @param {number} row */
function toolOf(conversation, row) {
  const call = callOf(conversation, row);
  return String(conversation.transcript.calls.names[call] ?? '');
}

module.exports = { References };
