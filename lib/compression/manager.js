// @ts-check
'use strict';

const { checkMessages, checkWritable } = require('../arguments.js');
const { codeNameOf, wrongType } = require('../errors.js');
const native = require('../native.js');
const { replaceFrom } = require('../slots.js');
const { Compaction } = require('./compaction.js');
const { Configuration } = require('./configuration.js');
const conversation = require('./conversation.js');
const { SERVED, orAborted } = require('./joining.js');
const { Journal } = require('./journal.js');
const { mark, recordIn } = require('./made.js');
const { total } = require('../messages/unrecognised.js');
const { oddFieldsIn } = require('./odd-record.js');
const { archiveOriginals } = require('./originals.js');
const { readCall, readManagerOptions, readWish } = require('./options.js');
const { callableOf } = require('./summariser.js');
const { readTranscript } = require('./transcript.js');
const { Truncating } = require('./truncation.js');
const { Window } = require('./window.js');

/**
 * Work under way, by array: two calls for one array become one, whichever manager they come to (SPEC R7.9).
 * @type {WeakMap<object, Promise<unknown>>}
 */
const underway = new WeakMap();

/**
 * @typedef {import('./compaction.js').Wish} Wish
 * @typedef {{ compressed: boolean, reason: string | null, beforeCount: number, afterCount: number,
 *   tokensBefore: number, tokensAfter: number }} CompressionResult
 */

/** Keeps a conversation inside the context window: summarises in time, and cuts when that was not enough. */
class AutoCompressionManager {
  #compressor;
  #configuration;
  #journal;
  #options;
  #client;
  #window;
  /**
   * The last try, by array: what was there when it had ended, less what was cut out since.
   * @type {WeakMap<object, { gained: boolean, messages: number, tokens: number }>}
   */
  #lastTry = new WeakMap();
  /** The forms that the log was told of. */
  #saidForms = '';
  /** The fields of odd records that the log was told of. @type {Set<string>} */
  #saidFields = new Set();

  /**
   * @param {unknown} configService
   * @param {unknown} llmClient
   * @param {unknown} [logger]
   * @param {unknown} [options]
   */
  constructor(configService, llmClient, logger, options) {
    if (logger !== undefined && logger !== null && typeof logger !== 'object' && typeof logger !== 'function') {
      throw wrongType('logger', 'an object with log methods, or null', logger);
    }
    this.#configuration = new Configuration(configService);
    this.#client = callableOf(llmClient);
    const { native: forNative, model, tools, logFields, logStyle, onEvent, ...rest } = readManagerOptions(options);
    this.#options = rest;
    this.#compressor = new native.Compressor(forNative);
    this.#window = new Window(model, tools, rest.dialect);
    this.#journal = new Journal(this.#compressor, logger ?? null, logFields, logStyle);
    if (onEvent !== undefined) this.#journal.add(onEvent);
  }

  /**
   * @param {any[]} messages
   * @param {unknown} [options]
   * @returns {Promise<void>}
   */
  async process(messages, options) {
    try {
      checkMessages(messages);
      checkWritable(messages, 'remove');
      const { signal, now } = readCall(options);
      const work = async () => {
        await this.#process(messages, now, signal);
        return signal?.aborted ? undefined : SERVED;
      };
      // What another call does counts for this one too, unless it was given up or did only what was wished by hand.
      while (!signal?.aborted) {
        const other = underway.get(messages);
        const ended = await (other === undefined ? this.#alone(messages, work) : orAborted(other, signal));
        if (ended === SERVED) return;
      }
    } catch (error) {
      this.#noteProblem('failed', error);
    }
  }

  /**
   * @param {any[]} messages
   * @param {unknown} [options]
   * @returns {Promise<CompressionResult>}
   */
  async compress(messages, options) {
    checkMessages(messages);
    checkWritable(messages, 'remove');
    const { signal, now } = readCall(options);
    const { summary, instructions } = readWish(options);
    // What is under way may do what is wished for, but doesn't know the wish.
    while (underway.has(messages)) await underway.get(messages);
    const wish = { now, forced: true, summary, instructions, signal };
    return this.#alone(messages, () => this.#compressByHand(messages, wish));
  }

  stats() {
    return Object.fromEntries(this.#compressor.stats().map(({ name, value }) => [camelCase(name), value]));
  }

  /** @param {unknown} listener */
  onEvent(listener) {
    return this.#journal.add(listener);
  }

  /**
   * @template T
   * @param {any[]} messages
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #alone(messages, work) {
    this.#journal.prepare();
    const done = work();
    underway.set(
      messages,
      done.catch(() => SERVED),
    );
    try {
      return await done;
    } finally {
      underway.delete(messages);
      this.#journal.deliver();
    }
  }

  /** @param {any[]} messages @param {number} now @param {AbortSignal} [signal] */
  async #process(messages, now, signal) {
    const settings = this.#compressor.configure(...this.#configuration.read());
    if (!settings.enabled) return;
    this.#window.limitTo(settings.maxContextTokens);
    const columns = this.#window.columns(messages);
    this.#sayForms(columns.forms, messages.length);
    this.#sayOddFields(messages);
    const use = this.#use(columns);
    const isOver = use.isOverThreshold || use.isOverLimit;
    this.#compressor.noteUse(use.tokens, use.source, messages.length, isOver);
    if (!isOver) return;
    if (settings.summaryModel !== undefined) {
      await this.#summarise(messages, columns, use.tokens, { now, forced: false, signal });
    } else {
      this.#compressor.noteNoModel();
    }
    if (!signal?.aborted) await this.#enforceLimit(messages, settings, now);
  }

  /** @param {any[]} messages @param {Wish} wish @returns {Promise<CompressionResult>} */
  async #compressByHand(messages, wish) {
    const settings = this.#compressor.configure(...this.#configuration.read());
    this.#window.limitTo(settings.maxContextTokens);
    const columns = this.#window.columns(messages);
    const { tokens } = this.#use(columns);
    const before = { beforeCount: messages.length, tokensBefore: Math.round(tokens) };
    const unchanged = (/** @type {string} */ reason) => ({
      compressed: false,
      reason,
      ...before,
      afterCount: messages.length,
      tokensAfter: before.tokensBefore,
    });
    if (wish.signal?.aborted) return unchanged('aborted');
    if (wish.summary === undefined && settings.summaryModel === undefined) return unchanged('no_summary_model');
    const reason = await this.#summarise(messages, columns, tokens, wish);
    if (reason !== null) return unchanged(reason);
    const tokensAfter = Math.round(this.#use(this.#window.columns(messages)).tokens);
    return { compressed: true, reason: null, ...before, afterCount: messages.length, tokensAfter };
  }

  /**
   * @param {any[]} messages
   * @param {import('./window.js').Columns} columns
   * @param {number} tokensBefore
   * @param {Wish} wish
   * @returns {Promise<string | null>} why nothing was compressed
   */
  async #summarise(messages, { tokens, rows, reports, fixedTokens }, tokensBefore, wish) {
    const { texts, numbers } = readTranscript(
      messages,
      (index) => tokens[index] ?? 0,
      this.#options.pin,
      this.#options.dialect,
    );
    const last = this.#lastTry.get(messages);
    const lastTry =
      last === undefined ? [] : [Number(last.gained), messages.length - last.messages, tokensBefore - last.tokens];
    const { now, forced } = wish;
    const plan = this.#compressor.planSummary(texts, numbers, rows, reports, fixedTokens, now, lastTry, forced);
    if (plan.skipped !== undefined) return plan.skipped;
    const compaction = new Compaction(messages, plan, tokens, this.#context());
    const outcome = await compaction.summarise(wish);
    if (outcome.content === undefined) {
      if (outcome.reason === 'not_smaller') {
        this.#lastTry.set(messages, { gained: false, messages: messages.length, tokens: tokensBefore });
      }
      return outcome.reason ?? 'failed';
    }
    const start = compaction.snapshot.find(messages);
    if (start === -1 || wish.signal?.aborted) {
      this.#compressor.noteProblem('discarded', start === -1 ? 'range_changed' : 'aborted');
      return 'discarded';
    }
    const { dialect } = this.#options;
    const facts = { now, model: compaction.model, beforeCount: messages.length, tokensBefore, dialect };
    const summary = conversation.summaryMessage(compaction, outcome, facts);
    this.#commit(messages, conversation.withSummary(messages, start, compaction, summary), recordIn(summary));
    await this.#archive(messages, summary);
    return null;
  }

  /**
   * @param {any[]} messages
   * @param {any[]} next
   * @param {import('./record.js').CompressionRecord} record of the new summary, still to be completed
   */
  #commit(messages, next, record) {
    record.afterCount = next.length;
    record.tokensAfter = Math.round(this.#use(this.#window.columns(next)).tokens);
    replaceFrom(messages, 0, next);
    const gained = this.#compressor.noteCompressed({
      ...record,
      model: record.model ?? undefined,
      changedCount: record.messageCount,
      shortenedCount: 0,
    });
    this.#lastTry.set(messages, { gained, messages: next.length, tokens: record.tokensAfter });
  }

  /** @param {any[]} messages @param {import('../../binding.js').EffectiveSettings} settings @param {number} now */
  async #enforceLimit(messages, { hardLimitTokens }, now) {
    const columns = this.#window.columns(messages);
    const use = this.#use(columns);
    if (!use.isOverLimit) return;
    const context = { ...this.#context(), now, usageFields: conversation.usageStatisticsFields() };
    const truncation = new Truncating(messages, columns, use.tokens, context).under(hardLimitTokens);
    if (truncation === undefined) return;
    const facts = { now, beforeCount: messages.length, tokensBefore: use.tokens };
    const { notice, messages: next } = truncation;
    if (notice !== undefined) mark(notice, conversation.noticeRecord(truncation, facts));
    const tokensAfter = Math.round(this.#use(this.#window.columns(next)).tokens);
    if (notice !== undefined) Object.assign(recordIn(notice), { afterCount: next.length, tokensAfter });
    replaceFrom(messages, 0, next);
    const last = this.#lastTry.get(messages);
    if (last !== undefined) {
      last.messages -= facts.beforeCount - next.length;
      last.tokens -= use.tokens - tokensAfter;
    }
    this.#compressor.noteTruncated({
      ...facts,
      level: truncation.level,
      afterCount: next.length,
      tokensAfter,
      changedCount: facts.beforeCount - next.length + Number(notice !== undefined),
      shortenedCount: truncation.shortenedCount,
      durationMs: 0,
    });
    if (notice !== undefined) await this.#archive(messages, notice);
  }

  /** @param {any[]} messages @param {any} made a summary or notice that is in the array */
  async #archive(messages, made) {
    const { archive, sessionId } = this.#options;
    if (archive === null) return;
    try {
      await archiveOriginals(messages, made, archive, sessionId);
    } catch (error) {
      // The originals stay in the array then.
      this.#noteProblem('archive', error);
    }
  }

  /** @param {import('./window.js').Columns} columns */
  #use({ rows, reports, fixedTokens }) {
    return this.#compressor.windowUse(rows, reports, fixedTokens);
  }

  /**
   * Says once that messages could not be read: at every call it would be noise.
   * @param {import('./window.js').Columns['forms']} forms
   * @param {number} messages
   */
  #sayForms(forms, messages) {
    const names = Object.keys(forms).join(', ');
    if (names === '' || names === this.#saidForms) return;
    this.#saidForms = names;
    this.#compressor.noteUnrecognised(total(forms), messages, names);
  }

  /** Says once of each field that a record holds there what none has. @param {readonly any[]} messages */
  #sayOddFields(messages) {
    const odd = oddFieldsIn(messages).filter((field) => !this.#saidFields.has(field));
    if (odd.length === 0) return;
    for (const field of odd) this.#saidFields.add(field);
    this.#compressor.noteOddRecord(odd.join(', '));
  }

  #context() {
    const { pin, dialect } = this.#options;
    return {
      compressor: this.#compressor,
      window: this.#window,
      journal: this.#journal,
      client: this.#client,
      pin,
      dialect,
    };
  }

  /** @param {'failed' | 'archive'} kind @param {unknown} error */
  #noteProblem(kind, error) {
    this.#journal.prepare();
    this.#compressor.noteProblem(kind, codeNameOf(error));
    this.#journal.deliver();
  }
}

/** @param {string} name such as `llm_calls` or `refused.not_smaller` */
function camelCase(name) {
  const [figure, ...reason] = name.split('.');
  const camel = /** @type {string} */ (figure).replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return [camel, ...reason].join('.');
}

module.exports = { AutoCompressionManager };
