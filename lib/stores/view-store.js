// @ts-check
'use strict';

const { readFunction } = require('../arguments.js');
const { isObject } = require('../plain-data.js');
const { wrongType } = require('../errors.js');
const { unlessAborted } = require('../archive/store.js');
const { deliverEvents } = require('../log.js');

/**
 * How views use a store: checks it, exchanges the facts of a conversation, and limits how long a request waits for it and for an archive.
 * @typedef {import('../entry/types/fact-store.js').StoredFact} StoredFact
 * @typedef {(event: { did: 'went_on_without', conversationId: string, error: unknown }) => void} Notify
 * @typedef {{ leftMs: number, signal: AbortSignal | undefined }} WaitLimit how long a request still waits; each call reduces `leftMs`
 */

/** Maximum number of attempts. In each round, at least one of several concurrent writers succeeds. */ const MAX_ROUNDS = 64;

/** @param {string} name of the option @param {any} value @returns {import('../entry/types/fact-store.js').FactStore} */
function readFactStore(name, value) {
  if (!isObject(value)) throw wrongType(name, 'a FactStore', value);
  for (const method of ['appendFacts', 'facts']) readFunction(`${name}.${method}`, value[method]);
  return value;
}

/**
 * A conversation's compression options with an archive bound to the session `sessionId`, for which a request waits `timeoutMs`. Originals that are
 * not archived in time stay in the summary's record.
 * @template T @param {T} compression @param {{ timeoutMs: number, sessionId: string }} request @returns {T}
 */
function withArchive(compression, { timeoutMs, sessionId }) {
  const { archive } = /** @type {any} */ (compression ?? {});
  if (archive === undefined || archive === null) return compression;
  /** @param {string} session @param {any} batch @param {{ signal?: AbortSignal }} [options] */
  const append = (session, batch, options) => {
    const write = (/** @type {AbortSignal} */ signal) => archive.append(session, batch, { signal });
    return bounded(write, { leftMs: timeoutMs, signal: options?.signal });
  };
  return /** @type {any} */ ({ ...compression, sessionId, archive: { __proto__: archive, append } });
}

/**
 * Waits for a call of a store until the time is over or the request is aborted. A later response is ignored.
 * @template T @param {(signal: AbortSignal) => PromiseLike<T> | T} work @param {WaitLimit} limit @returns {Promise<T>}
 */
async function bounded(work, limit) {
  const { signal, leftMs } = limit;
  if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  const startedMs = performance.now();
  const expire = () => controller.abort(failure('STORE_TIMEOUT', 'expected an answer within storeTimeoutMs, got none'));
  const timer = setTimeout(expire, Math.max(0, leftMs));
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await unlessAborted(async () => work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    limit.leftMs -= performance.now() - startedMs;
  }
}

/** The facts of one conversation, shared through a store. No fact is lost if the store fails: the next exchange writes what it didn't accept. */
class ConversationFacts {
  #id;
  #store;
  #options;
  /** The facts in the store, as of its last response. @type {readonly StoredFact[]} */ #known = [];
  /** Facts not confirmed by the store, oldest first. @type {readonly string[]} */ #queued = [];
  /** Settles after all exchanges so far; never rejects. @type {Promise<unknown>} */ #turn = Promise.resolve();

  /** @param {string} id @param {import('../entry/types/fact-store.js').FactStore} store @param {{ timeoutMs: number, notify: Notify }} options */
  constructor(id, store, options) {
    this.#id = id;
    this.#store = store;
    this.#options = options;
  }

  /** Oldest first. An exchange replaces the array, and never changes it. */
  get known() {
    return this.#known;
  }

  /**
   * Writes facts, and reads those of other processes. The next call writes the facts of an aborted one. @param {readonly string[]} newFacts
   * @param {AbortSignal} [signal] @returns {Promise<boolean>} false if the store failed or took too long; rejects only with the reason of `signal`
   */
  exchange(newFacts, signal) {
    const facts = [...newFacts];
    const turn = this.#turn.then(() => this.#exchange(facts, signal));
    this.#turn = turn.catch(() => {});
    return unlessAborted(() => turn, signal);
  }

  /** @param {readonly string[]} newFacts @param {AbortSignal | undefined} signal */
  async #exchange(newFacts, signal) {
    this.#queue(newFacts);
    const limit = { leftMs: this.#options.timeoutMs, signal };
    try {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        if (await this.#writeAndRead(limit)) return true;
      }
      throw failure('STORE_BUSY', 'expected to write after other processes, got others each time');
    } catch (/** @type {any} */ error) {
      if (signal?.aborted) throw signal.reason;
      const fields = [{ key: 'code', text: String(error?.code ?? error?.name ?? 'error') }];
      deliverEvents([{ level: 'warn', message: 'a request went on without the store', fields }]);
      this.#options.notify({ did: 'went_on_without', conversationId: this.#id, error });
      return false;
    }
  }

  /** @param {WaitLimit} limit @returns {Promise<boolean>} true if all facts are stored */
  async #writeAndRead(limit) {
    const [known, queued] = [this.#known, this.#queued];
    // An empty response shows that the known facts were deleted. So with nothing to write, the newest known fact is read again.
    const overlap = queued.length === 0 && known.length > 0 ? 1 : 0;
    const from = known.length - overlap;
    const append = (/** @type {AbortSignal} */ signal) => this.#store.appendFacts(this.#id, from, queued, { signal });
    const stored = readAnswer(await bounded(append, limit));
    const isOtherFact = overlap > 0 && stored[0]?.fact !== known.at(-1)?.fact;
    if (known.length > 0 && (stored.length === 0 || isOtherFact)) {
      // The known facts were deleted: write them again.
      [this.#known, this.#queued] = [[], []];
      this.#queue([...known.map(({ fact }) => fact), ...queued]);
      return false;
    }
    if (stored.length === 0 && queued.length > 0) throw failure('STORE_ANSWER', 'expected the facts written, got none');
    const storedTexts = new Set(stored.map(({ fact }) => fact));
    this.#known = [...known, ...stored.slice(overlap)];
    this.#queued = queued.filter((fact) => !storedTexts.has(fact));
    return this.#queued.length === 0;
  }

  /** Queues facts. A fact is written once, even if another process wrote it. @param {readonly string[]} facts */
  #queue(facts) {
    const isKnown = (/** @type {string} */ text) => this.#known.some(({ fact }) => fact === text);
    this.#queued = [...new Set([...this.#queued, ...facts.filter((fact) => !isKnown(fact))])];
  }
}

/** Validates the application's store, which may return anything. @param {unknown} answer @returns {StoredFact[]} */
function readAnswer(answer) {
  const isFact = (/** @type {any} */ one) => typeof one?.fact === 'string' && Number.isFinite(one.atMs);
  if (!Array.isArray(answer) || !answer.every(isFact)) {
    throw failure('STORE_ANSWER', 'expected facts with their times, got something else');
  }
  return answer.map(({ fact, atMs }) => ({ fact, atMs }));
}

/** @param {string} code @param {string} message */
const failure = (code, message) => Object.assign(new Error(`store: ${message}`), { code });

module.exports = { ConversationFacts, readFactStore, withArchive };
