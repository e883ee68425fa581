// @ts-check
'use strict';

const { checkMessages, checkWritable } = require('../arguments.js');
const { codeNameOf, wrongType } = require('../errors.js');
const native = require('../native.js');
const { Configuration } = require('./configuration.js');
const { SERVED, orAborted } = require('./joining.js');
const { readCall, readManagerOptions, readWish } = require('./options.js');
const { Reporter } = require('./reporter.js');
const { Run } = require('./run.js');
const { callableOf } = require('./summariser.js');
const { Window } = require('./window.js');

/**
 * Work under way, by array: two calls for one array become one, whichever manager they come to (R7.9).
 * @type {WeakMap<object, Promise<unknown>>}
 */
const underway = new WeakMap();

/**
 * @typedef {import('./run.js').Wish} Wish
 * @typedef {{ compressed: boolean, reason: string | null, beforeCount: number, afterCount: number,
 *   tokensBefore: number, tokensAfter: number }} CompressionResult
 */

/** Keeps a conversation inside the context window: summarises in time, and cuts when that was not enough. */
class AutoCompressionManager {
  #configuration;
  /** @type {import('./run.js').Context} */
  #context;

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
    const client = callableOf(llmClient);
    const { native: forNative, model, tools, logFields, logStyle, onEvent, ...rest } = readManagerOptions(options);
    const compressor = new native.Compressor(forNative);
    const reporter = new Reporter(logger ?? null, logFields, logStyle);
    this.#context = {
      ...rest,
      compressor,
      reporter,
      client,
      window: new Window(model, tools, rest.dialect),
      names: new WeakMap(),
    };
    if (onEvent !== undefined) reporter.listen(onEvent);
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
      // The work of another call counts for this call too, unless that call was aborted or compressed by hand.
      while (!signal?.aborted) {
        const other = underway.get(messages);
        const ended = await (other === undefined ? this.#alone(messages, work) : orAborted(other, signal));
        if (ended === SERVED) return;
      }
    } catch (error) {
      this.#noteFailed(error);
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
    const { signal, now, summary, instructions } = readWish(options);
    // A call that is under way doesn't know the summary or the instructions of this one, so this one waits for its end.
    while (underway.has(messages)) await underway.get(messages);
    const wish = { now, forced: true, summary, instructions, signal };
    return this.#alone(messages, () => this.#compressByHand(messages, wish));
  }

  stats() {
    return Object.fromEntries(this.#context.compressor.stats().map(({ name, value }) => [camelCase(name), value]));
  }

  /** @param {unknown} listener */
  onEvent(listener) {
    return this.#context.reporter.listen(listener);
  }

  /**
   * @template T
   * @param {any[]} messages
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #alone(messages, work) {
    const done = work();
    underway.set(
      messages,
      done.catch(() => SERVED),
    );
    try {
      return await done;
    } finally {
      underway.delete(messages);
      this.#context.reporter.deliver();
    }
  }

  /** @param {any[]} messages @param {number} now @param {AbortSignal} [signal] */
  async #process(messages, now, signal) {
    if (this.#configure().enabled) await new Run(messages, { now, forced: false, signal }, this.#context).toEnd();
  }

  /** @param {any[]} messages @param {Wish} wish @returns {Promise<CompressionResult>} */
  async #compressByHand(messages, wish) {
    this.#configure();
    const beforeCount = messages.length;
    const outcome = await new Run(messages, wish, this.#context).toEnd();
    const { reason = null, tokensBefore = 0, tokensAfter = 0 } = outcome ?? {};
    return { compressed: reason === null, reason, beforeCount, afterCount: messages.length, tokensBefore, tokensAfter };
  }

  /** Reads the settings anew. */
  #configure() {
    const { compressor, window, reporter } = this.#context;
    const settings = compressor.configure(...this.#configuration.read(), reporter.isHeard);
    reporter.add(settings.events);
    window.limitTo(settings.maxContextTokens);
    return settings;
  }

  /** @param {unknown} error */
  #noteFailed(error) {
    const { compressor, reporter } = this.#context;
    reporter.add(compressor.failed(codeNameOf(error), reporter.isHeard));
    reporter.deliver();
  }
}

/** @param {string} name such as `llm_calls` or `refused.not_smaller` */
function camelCase(name) {
  const [figure, ...reason] = name.split('.');
  const camel = /** @type {string} */ (figure).replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return [camel, ...reason].join('.');
}

module.exports = { AutoCompressionManager };
