// @ts-check
'use strict';

const { readFunction, readInteger } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { deliverEvents } = require('../log.js');
const { bounded, StateCalls } = require('./state-calls.js');
const { StoredConversation } = require('./stored-conversation.js');

const TIMEOUT_MS = 1_000;
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const METHODS = /** @type {const} */ (['acquire', 'commit', 'release']);
const SAID = /** @type {Record<string, string>} */ ({
  went_on_without: 'a request went on without the store',
  decided_again: 'another process has gone on with a conversation: it was loaded and decided again',
  state_replaced: 'the state of a conversation could not be read: a new one takes its place',
});

class ViewsStore {
  #keeping;
  #max;
  /** The most recently used is last. @type {Map<string, InstanceType<typeof StoredConversation>>} */ #conversations =
    new Map();

  /**
   * @param {{ store: any, storeTimeoutMs?: unknown, max: number }} given
   * @param {Pick<import('./stored-conversation.js').Keeping, 'tell' | 'begun' | 'sent' | 'learnt'>} views
   * @param {Record<string, any>} options of each view
   */
  constructor({ store, storeTimeoutMs, max }, views, options) {
    this.#max = max;
    const tell = (/** @type {{ did: string, conversationId: string, error: any }} */ event) => {
      views.tell(event);
      const code = String(event.error?.code ?? event.error?.name ?? 'error');
      const fields = [{ key: 'code', text: code }];
      deliverEvents([{ level: 'warn', message: SAID[event.did] ?? event.did, fields }]);
    };
    const timeoutMs = readInteger('options.storeTimeoutMs', storeTimeoutMs ?? TIMEOUT_MS, 1, LONGEST_TIMEOUT_MS);
    this.#keeping = {
      calls: new StateCalls(readStateStore('options.store', store)),
      owner: globalThis.crypto.randomUUID(),
      timeoutMs,
      optionsFor: (/** @type {string} */ id, /** @type {any} */ keep) =>
        optionsFor(options, { store, timeoutMs }, id, keep),
      ...views,
      tell,
    };
  }

  /** @param {string} id @returns {InstanceType<typeof StoredConversation>} */
  conversation(id) {
    const found = this.#conversations.get(id) ?? new StoredConversation(id, this.#keeping);
    this.#conversations.delete(id);
    this.#conversations.set(id, found);
    while (this.#conversations.size > this.#max) {
      const [oldest] = this.#conversations.keys();
      this.#conversations.delete(/** @type {string} */ (oldest));
    }
    return found;
  }

  /** @param {string} id */
  view(id) {
    return this.#conversations.get(id)?.view ?? undefined;
  }

  views() {
    return [...this.#conversations.values()].flatMap(({ view }) => view ?? []);
  }

  /** @param {AbortSignal | undefined} signal @returns {Promise<boolean>} whether all is stored */
  async flush(signal) {
    const all = await Promise.all([...this.#conversations.values()].map((one) => one.flush(signal)));
    return all.every(Boolean);
  }
}

/**
 * Originals go to the archive's session of the conversation's name; where the archive is the store itself, with the state's commit.
 * @param {Record<string, any>} options @param {{ store: any, timeoutMs: number }} kept
 * @param {string} id @param {(batch: any) => void} keep
 */
function optionsFor({ compression, ...options }, { store, timeoutMs }, id, keep) {
  if (compression === undefined || compression === null) return options;
  const { archive } = compression;
  if (archive === undefined || archive === null) return { ...options, compression };
  const append = async (/** @type {string} */ session, /** @type {any} */ batch, /** @type {any} */ { signal }) => {
    if (archive === store) return keep(batch);
    const ask = async (/** @type {AbortSignal} */ ending) => archive.append(session, batch, { signal: ending });
    return bounded(ask, { leftMs: timeoutMs, signal });
  };
  return { ...options, compression: { ...compression, sessionId: id, archive: { __proto__: archive, append } } };
}

/** @param {string} name @param {any} store @returns {import('../entry/types/state-store.js').StateStore} */
function readStateStore(name, store) {
  if (store === null || typeof store !== 'object') throw wrongType(name, 'a StateStore', store);
  for (const method of METHODS) readFunction(`${name}.${method}`, store[method]);
  return store;
}

module.exports = { ViewsStore };
