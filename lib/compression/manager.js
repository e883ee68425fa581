// @ts-check
'use strict';

const { orAborted } = require('../archive/store.js');
const { checkMessages, checkOptions, checkWritable } = require('../arguments.js');
const { codeNameOf, safeMessageOf } = require('../errors.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');
const { parseContextLengthError } = require('../results/context-length-error.js');
const { Configuration } = require('./configuration.js');
const { conversationIn, readCompressOptions, readManagerArguments } = require('./options.js');
const { readManagerOptions, readProcessOptions } = require('./options.js');
const { modelNamedIn, Window } = require('./window.js');
const { Reporter } = require('./reporter.js');
const { Run } = require('./run.js');

/** Work in progress per array: two calls for one array share it, even across managers (R7.9). @type {WeakMap<object, Promise<unknown>>} */
const inProgress = new WeakMap();

/** Circuit breakers per client, shared by all its managers. @type {WeakMap<object, InstanceType<typeof native.SummaryBreakers>>} */
const breakersByClient = new WeakMap();

/** @typedef {import('../../index.js').CompressionOutcome} CompressionOutcome */
/** @typedef {import('./options.js').Call} Call */

/** Keeps a conversation inside the context window: summarises history before the window is full, and cuts it if that is not enough. */
class AutoCompressionManager {
  #configuration;
  #isSummariser;
  #model;
  /** The model of the last call. @type {string | undefined} */ #calledModel;
  /** @type {WeakMap<object, CompressionOutcome>} */ #outcomes = new WeakMap();
  /** @type {import('./run.js').Context} */ #context;

  /** @param {unknown[]} given `(configService, llmClient, logger, options)`, or `(llmClient, logger, options)` */
  constructor(...given) {
    const { configService, isSummariser, client, identity, logger, options } = readManagerArguments(given);
    this.#configuration = new Configuration(configService);
    this.#isSummariser = isSummariser;
    const { coreOptions, model, tools, logFields, logStyle, onEvent, ...rest } = readManagerOptions(options);
    const breakers = breakersByClient.get(identity) ?? new native.SummaryBreakers();
    breakersByClient.set(identity, breakers);
    const compressor = new native.Compressor(coreOptions, breakers);
    const reporter = new Reporter(logger, logFields, logStyle);
    const window = new Window(model, tools, rest.dialect);
    this.#model = model;
    this.#context = { ...rest, compressor, reporter, client, window, conversationIds: new WeakMap() };
    if (onEvent !== undefined) reporter.listen(onEvent);
  }

  /** Compresses if the window is full. @param {unknown} conversation an array, or an object with one @param {unknown} [options] or the window in tokens */
  async process(conversation, options) {
    try {
      const messages = conversationIn(conversation);
      const outcome = await this.#processAlone(messages, options);
      if (messages !== null && typeof messages === 'object') this.#outcomes.set(messages, outcome);
    } catch (error) {
      // The conversation's `messages` can't be read, so the outcome belongs to no array.
      this.#reportFailure(error);
    }
  }

  /** The outcome of the last compression; null before the first. @param {unknown} conversation @returns {CompressionOutcome | null} */
  outcomeOf(conversation) {
    return this.#outcomes.get(conversationIn(conversation)) ?? null;
  }

  /** Processes the array, or waits for another call that does. @param {any[]} messages @param {unknown} options @returns {Promise<CompressionOutcome>} */
  async #processAlone(messages, options) {
    try {
      checkMessages(messages);
      checkWritable(messages, 'remove');
      const call = readProcessOptions(options);
      const { signal } = call;
      const work = async () => {
        const done = await this.#runIfEnabled(messages, call);
        return signal?.aborted ? undefined : done;
      };
      while (!signal?.aborted) {
        const other = inProgress.get(messages);
        /** @type {any} */
        const ended = await (other === undefined ? this.#exclusively(messages, work) : orAborted(other, signal));
        // Another call's outcome also counts for this call. Neither an aborted call nor a manual compression has one.
        if (ended?.did !== undefined) return ended;
      }
      return nothingDone('aborted');
    } catch (error) {
      return this.#reportFailure(error);
    }
  }

  /** Compresses even if the window is not full. @param {unknown} conversation @param {unknown} [options] */
  async compress(conversation, options) {
    const messages = conversationIn(conversation);
    checkMessages(messages);
    checkWritable(messages, 'remove');
    const { signal, now, summary, instructions } = readCompressOptions(options);
    // Waits for the call in progress, which doesn't know this call's summary or instructions.
    while (inProgress.has(messages)) await inProgress.get(messages);
    const run = { now, forced: true, summary, instructions, signal };
    return this.#exclusively(messages, () => this.#compressByHand(messages, run));
  }

  /** Learns the window from the conversation's own model. @param {unknown} error @param {unknown} [options] */
  noteOverflow(error, options) {
    const { model = this.#model ?? this.#calledModel } = checkOptions(options, OPTIONS.noteOverflow) ?? {};
    const maxTokens = parseContextLengthError(error)?.maxTokens;
    if (typeof maxTokens !== 'number') return null;
    const { compressor, reporter } = this.#context;
    const events = compressor.learnWindow(typeof model === 'string' ? model : '', maxTokens, reporter.isHeard);
    if (events === null) return null;
    reporter.add(events);
    reporter.deliver();
    return maxTokens;
  }

  stats() {
    return Object.fromEntries(this.#context.compressor.stats().map(({ name, value }) => [camelCase(name), value]));
  }

  /** @param {unknown} listener */
  onEvent(listener) {
    return this.#context.reporter.listen(listener);
  }

  /** Registers `work` as in progress for the array. @template T @param {any[]} messages @param {() => Promise<T>} work @returns {Promise<T>} */
  async #exclusively(messages, work) {
    const done = work();
    const ended = done.catch((error) => nothingDone('failed', { code: codeNameOf(error) }));
    inProgress.set(messages, ended);
    try {
      return await done;
    } finally {
      inProgress.delete(messages);
      this.#context.reporter.deliver();
    }
  }

  /** @param {any[]} messages @param {Call} call */
  async #runIfEnabled(messages, call) {
    const { now, signal } = call;
    if (this.#configure(messages, call).enabled) {
      return publicOutcome(await new Run(messages, { now, forced: false, signal }, this.#context).toEnd());
    }
    // A switched-off manager only measures how full the window is.
    const { rows, reports, fixedTokens } = this.#context.window.columns(messages);
    return publicOutcome(this.#context.compressor.weigh(rows, reports, fixedTokens));
  }

  /** @param {any[]} messages @param {import('./run.js').RunOptions} run */
  async #compressByHand(messages, run) {
    this.#configure(messages, {});
    const beforeCount = messages.length;
    const outcome = publicOutcome(await new Run(messages, run, this.#context).toEnd());
    this.#outcomes.set(messages, outcome);
    const { tokensBefore, tokensAfter } = outcome;
    const reason = outcome.code ?? outcome.reason;
    return { compressed: reason === null, reason, beforeCount, afterCount: messages.length, tokensBefore, tokensAfter };
  }

  /** @param {any[]} messages @param {Partial<Call>} call */
  #configure(messages, { maxContextTokens, model, mostThreshold }) {
    const { compressor, window, reporter } = this.#context;
    const [values, findings] = this.#configuration.read({ maxContextTokens });
    this.#calledModel = model ?? this.#model ?? modelNamedIn(messages);
    const ofCall = { model: this.#calledModel, isSummariser: this.#isSummariser, mostThreshold };
    const settings = compressor.configure(values, findings, ofCall, reporter.isHeard);
    reporter.add(settings.events);
    window.limitTo(settings.maxContextTokens);
    return settings;
  }

  /** @param {unknown} error @returns {CompressionOutcome} */
  #reportFailure(error) {
    const { compressor, reporter } = this.#context;
    const [code, problem] = [codeNameOf(error), safeMessageOf(error)];
    reporter.add(compressor.failed(code, problem, reporter.isHeard));
    reporter.deliver();
    return nothingDone('failed', { code, problem });
  }
}

/** @param {string | null} reason @param {{ code?: string, problem?: string }} [error] @returns {CompressionOutcome} */
const nothingDone = (reason, { code, problem } = {}) => ({
  ...{ did: 'nothing', reason, code: code ?? null, errorClass: null, status: null, problem: problem || null },
  ...{ tokensBefore: 0, tokensAfter: 0, isOverLimit: false, windowTokens: null, windowSource: null, summaryUsage: [] },
});

/** @param {import('../../binding.js').SessionOutcome | undefined} outcome the core's; undefined if the array rejected a change @returns {any} */
const publicOutcome = (outcome) =>
  outcome === undefined ? nothingDone('failed') : { ...nothingDone(null), ...outcome };
/** `llmCalls` for `llm_calls`; what follows a dot stays, as in `refused.not_smaller`. @param {string} name */
const camelCase = (name) =>
  name.replace(/^[^.]+/, (figure) => figure.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()));

module.exports = { AutoCompressionManager, nothingDone };
