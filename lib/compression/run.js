// @ts-check
'use strict';

const { codeNameOf } = require('../errors.js');
const { copyOfList, indexInList } = require('../lists.js');
const { replaceFrom } = require('../slots.js');
const { ownFieldsOf } = require('../messages/message-fields.js');
const { totalOf } = require('../messages/form.js');
const { Edits } = require('./edits.js');
const { invalidFieldsIn, recordsIn } = require('./record.js');
const { archiveOriginals } = require('./record-originals.js');
const { askForSummary } = require('./summary-call.js');
const { columnsOf, pairingsOf } = require('./message-columns.js');
const { fingerprintOf } = require('../messages/likeness.js');

/**
 * @typedef {import('../../binding.js').SessionStep} SessionStep
 * @typedef {{ now: number, forced: boolean, summary?: string, instructions?: string, signal?: AbortSignal }} RunOptions
 * @typedef {{
 *   compressor: InstanceType<typeof import('../native.js').Compressor>,
 *   window: InstanceType<typeof import('./window.js').Window>,
 *   reporter: InstanceType<typeof import('./reporter.js').Reporter>,
 *   client: import('./summary-call.js').Client, pin: ((message: any) => unknown) | null,
 *   dialect: import('../messages/choice.js').Forced, archive: any, sessionId: string,
 *   conversationIds: WeakMap<object, number>,
 * }} Context common to all runs of a manager. `conversationIds`: the core's number for each array's conversation
 */

/** One compression of one conversation: executes the steps that the core requests, until it reports `done`. */
class Run {
  #messages;
  #call;
  #context;
  #edits;
  /** @type {import('./window.js').Columns} */ #columns;
  /** The core's number for the conversation. @type {number | undefined} */ #conversationId;
  /** The range that is being summarised. @type {InstanceType<typeof Snapshot> | undefined} */ #snapshot;
  /** The messages when the core read them. @type {any[]} */ #history = [];
  /** Messages that a cut shortens, by index. @type {Map<number, any>} */ #shortened = new Map();

  /** @param {any[]} messages @param {RunOptions} call @param {Context} context */
  constructor(messages, call, context) {
    const { window, dialect, conversationIds } = context;
    this.#messages = messages;
    this.#call = call;
    this.#context = context;
    this.#edits = new Edits(window, dialect);
    this.#columns = window.columns(messages);
    this.#conversationId = conversationIds.get(messages);
  }

  async toEnd() {
    try {
      let step = this.#begin();
      while (step.wants !== 'done') {
        const next = this.#next(step);
        // Await only the model and the archive: during any other wait the application could change what was just read.
        step = this.#reported(next instanceof Promise ? await next : next);
      }
      return step.outcome;
    } catch (error) {
      if (this.#conversationId !== undefined) this.#context.compressor.abandon(this.#conversationId);
      throw error;
    }
  }

  #begin() {
    const { compressor, conversationIds } = this.#context;
    const { signal, ...call } = this.#call;
    const { rows, reports, fixedTokens, forms } = this.#columns;
    const step = compressor.begin(this.#conversationId, rows, reports, fixedTokens, {
      ...call,
      aborted: signal?.aborted === true,
      unrecognised: totalOf(forms),
      forms: Object.keys(forms).join(', '),
      oddFields: invalidFieldsIn(this.#messages),
    });
    this.#conversationId = step.conversation;
    conversationIds.set(this.#messages, step.conversation);
    return this.#reported(step);
  }

  /** @param {SessionStep} step */
  #next(step) {
    if (step.wants === 'read') return this.#read();
    if (step.wants === 'summarise') return this.#summarise(step);
    if (step.wants === 'shorten') return this.#shorten(step.shorten ?? []);
    if (step.wants === 'apply') return this.#apply(/** @type {import('./edits.js').HistoryEdit} */ (step.edit));
    return this.#proceed(this.#call.signal?.aborted ? 'aborted' : 'unchanged', this.#messages);
  }

  #read() {
    const { compressor, pin, dialect } = this.#context;
    const { tokens } = this.#columns;
    this.#history = copyOfList(this.#messages);
    const { texts, numbers } = columnsOf(this.#history, (index) => tokens[index] ?? 0, pin, dialect);
    return compressor.read(this.#id, texts, numbers, recordsIn(this.#history));
  }

  /** @param {SessionStep} step */
  async #summarise({ start, end }) {
    const { compressor, reporter, client, dialect } = this.#context;
    const { signal } = this.#call;
    this.#snapshot = new Snapshot(this.#history, start, end, dialect);
    this.#history = [];
    const controller = new AbortController();
    const abort = () => {
      compressor.cancel(this.#id);
      controller.abort(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await compressor.summarise(this.#id, async (call) => {
        reporter.add(call.events);
        reporter.deliver();
        return askForSummary(client, call, controller.signal);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      // Aborts a client that still works on a call that timed out.
      controller.abort(new DOMException('The summary is no longer waited for', 'TimeoutError'));
    }
  }

  /** @param {NonNullable<SessionStep['shorten']>} wanted */
  #shorten(wanted) {
    const { compressor, window } = this.#context;
    this.#shortened.clear();
    for (const { index, maxTokens } of wanted)
      this.#shortened.set(index, this.#edits.shorten(this.#history[index], maxTokens));
    const tokens = Float64Array.from(this.#shortened.values(), (message) => window.tokensOf(message));
    return compressor.shortened(this.#id, tokens);
  }

  /** @param {import('./edits.js').HistoryEdit} edit */
  #apply(edit) {
    const { now, signal } = this.#call;
    if (edit.isCut) return this.#replaceMessages(this.#edits.applyCut(this.#history, this.#shortened, edit, now));
    const snapshot = /** @type {InstanceType<typeof Snapshot>} */ (this.#snapshot);
    const start = snapshot.find(this.#messages);
    if (start === -1 || signal?.aborted)
      return this.#proceed(start === -1 ? 'range_changed' : 'aborted', this.#messages);
    return this.#replaceMessages(this.#edits.applySummary(this.#messages, start, snapshot.range, edit, now));
  }

  /** @param {import('./edits.js').Edited} edited */
  #replaceMessages({ next, made }) {
    const step = this.#proceed('applied', next);
    if (made !== undefined) Object.assign(ownFieldsOf(made).compression, step.figures);
    replaceFrom(this.#messages, 0, next);
    return made === undefined || this.#context.archive === null ? step : this.#archive(this.#reported(step), made);
  }

  /** @param {SessionStep} step @param {any} made a summary or notice that is in the array @returns {Promise<SessionStep>} */
  async #archive(step, made) {
    const { archive, sessionId, compressor, reporter } = this.#context;
    try {
      await archiveOriginals(this.#messages, made, archive, sessionId, this.#call.signal);
    } catch (error) {
      // If archiving fails, the originals stay in the array.
      reporter.add(compressor.archiveFailed(codeNameOf(error)));
    }
    // The application may have changed the array during archiving, so the messages are weighed again.
    return { ...step, wants: step.wants === 'done' ? 'done' : 'weigh', events: [] };
  }

  /** @param {string} result the result of the core's last request @param {readonly any[]} messages the current messages */
  #proceed(result, messages) {
    const { compressor, window } = this.#context;
    this.#columns = window.columns(messages);
    const { rows, reports, fixedTokens } = this.#columns;
    return compressor.proceed(this.#id, result, rows, reports, fixedTokens);
  }

  /** The conversation's number; only once `#begin` has set it. */
  get #id() {
    return /** @type {number} */ (this.#conversationId);
  }

  /** The step, its events passed to the reporter. @param {SessionStep} step */
  #reported(step) {
    this.#context.reporter.add(step.events);
    return step;
  }
}

/** The messages that are being summarised, as they were read. While the model writes, the application may append, edit, or rewind the session (R7.9). */
class Snapshot {
  /** @param {readonly any[]} messages @param {number} start @param {number} end @param {import('../messages/choice.js').Forced} dialect */
  constructor(messages, start, end, dialect) {
    this.dialect = dialect;
    this.range = copyOfList(messages, start, end);
    this.fingerprints = this.range.map(fingerprintOf);
    /** Number of messages from `start` on, when the snapshot was made. */ this.messageCount = messages.length - start;
  }

  /** The range's current index; -1 if it was changed. @param {readonly any[]} messages */
  find(messages) {
    const start = indexInList(messages, this.range[0]);
    if (start === -1 || messages.length - start < this.range.length) return -1;
    const isSame = this.range.every(
      (message, index) => messages[start + index] === message && fingerprintOf(message) === this.fingerprints[index],
    );
    return isSame && !this.#isAnsweredLate(copyOfList(messages, start)) ? start : -1;
  }

  /** True if a newer message answers a call in the range: then both must stay. @param {any[]} messages from the range's start on */
  #isAnsweredLate(messages) {
    if (messages.length <= this.messageCount) return false;
    const pairings = pairingsOf(messages, this.dialect);
    const declaredInRange = new Set(pairings.slice(0, this.range.length).flatMap(({ declares }) => declares));
    const declaredLater = new Set(pairings.slice(this.range.length).flatMap(({ declares }) => declares));
    const lateAnswers = pairings.slice(this.messageCount).flatMap(({ answers }) => answers);
    return lateAnswers.some((id) => declaredInRange.has(id) && !declaredLater.has(id));
  }
}

module.exports = { Run };
