// @ts-check
'use strict';

const { badState } = require('../errors.js');
const { ContextView, inner } = require('../view/context-view.js');
const { isStale } = require('./state-calls.js');
const { SummaryLease } = require('./summary-lease.js');
const { withUnstored } = require('./unstored-originals.js');

/** A request that other machines have overtaken this often is sent without the store. */
const MOST_TRIES = 8;
/** Deltas become a snapshot when they are as long as the last one, but not before this length in units. */
const LONGEST_DELTAS = 65_536;
const NOTHING_NEW = JSON.stringify({ schedule: {} });

/**
 * @typedef {import('../entry/types/archive.js').ArchiveBatch} ArchiveBatch
 * @typedef {import('../entry/types/state-store.js').AcquiredState} AcquiredState
 * @typedef {import('./state-calls.js').Patience} Patience
 * @typedef {{ state?: string, delta?: string, version: number, batches: ArchiveBatch[] }} Unconfirmed
 *
 * @typedef {object} Keeping common to all conversations of a store
 * @property {InstanceType<typeof import('./state-calls.js').StateCalls>} calls
 * @property {string} owner
 * @property {number} timeoutMs
 * @property {(id: string, keep: (batch: ArchiveBatch) => void) => Record<string, unknown>} optionsFor a conversation's view
 * @property {(event: { did: string, conversationId: string, error: unknown }) => void} tell
 * @property {() => { ages?: unknown }} learnt further options of a new conversation
 * @property {(view: InstanceType<typeof ContextView>) => void} begun before a view's first request
 * @property {(view: InstanceType<typeof ContextView>) => void} sent after each request that is sent
 *
 * @typedef {object} Ask one request
 * @property {readonly any[]} messages
 * @property {Record<string, any>} options of `prepare`
 * @property {number} start a number for model, system prompt and tools
 * @property {import('../view/context-view.js').Ahead | undefined} ahead
 */

/** A conversation that any process can continue. A request is sent only after its state is committed; a refused commit loads the newer state. */
class StoredConversation {
  #id;
  #keeping;
  /** @type {InstanceType<typeof ContextView> | null} */ #view = null;
  #version = 0;
  #fence = 0;
  /** Of the newest request: a number for its head, and its messages. @type {{ start: number, length: number } | null} */ #newest =
    null;
  /** The last commit, where no answer came. @type {Unconfirmed | null} */ #unconfirmed = null;
  /** Originals that leave the conversation with the next commit. @type {ArchiveBatch[]} */ #batches = [];
  #bytes = { snapshot: 0, deltas: 0 };
  /** The store's time, where it was asked for this request. @type {number | undefined} */ #saidMs;
  /** Whether the view may differ from the stored state. */ #isUnknown = true;
  /** @type {Promise<unknown>} */ #turn = Promise.resolve();

  /** @param {string} id @param {Keeping} keeping */
  constructor(id, keeping) {
    this.#id = id;
    this.#keeping = keeping;
  }

  get view() {
    return this.#view;
  }

  /**
   * Requests of one conversation wait for each other.
   * @param {Ask} ask
   * @returns {Promise<{ view: InstanceType<typeof ContextView>, prepared: any } | null>} null: the request belongs to no view of ours
   */
  prepare(ask) {
    return this.#inTurn(() => this.#prepare(ask));
  }

  /** Stores reports, for example, that came since the last request. @param {AbortSignal | undefined} signal @returns {Promise<boolean>} whether all is stored */
  flush(signal) {
    return this.#inTurn(async () => {
      if (this.#view === null || this.#newest === null || this.#isUnknown) return this.#view === null;
      return (await this.#store(this.#view, this.#newest, this.#patience(signal))) === 'stored';
    });
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #inTurn(work) {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** @param {AbortSignal | undefined} signal @returns {Patience} */
  #patience(signal) {
    return { leftMs: this.#keeping.timeoutMs, signal };
  }

  /** @param {Ask} ask */
  async #prepare(ask) {
    const { options, messages, start } = ask;
    const patience = this.#patience(options.signal ?? undefined);
    const lease = new SummaryLease(this.#id, this.#keeping, patience);
    const about = { start, length: messages.length };
    try {
      for (let tries = 0; ; tries++) {
        const view = await this.#loaded(patience, lease);
        if (!options.side && !this.#isOwn(about)) return null;
        const prepared = await this.#prepared(view, ask, lease);
        if (lease.found !== null && tries < MOST_TRIES) {
          // The prepared request is not sent: the view must forget it.
          this.#forget();
          continue;
        }
        const became = await this.#store(view, options.side ? (this.#newest ?? about) : about, patience);
        if (became === 'stale' && tries < MOST_TRIES) continue;
        this.#keeping.sent(view);
        return { view, prepared: became === 'stored' ? prepared : withUnstored(prepared, this.#unstored()) };
      }
    } finally {
      await lease.end();
    }
  }

  /** @param {InstanceType<typeof ContextView>} view @param {Ask} ask @param {InstanceType<typeof SummaryLease>} lease */
  async #prepared(view, { messages, options, ahead }, lease) {
    if (ahead !== undefined && !options.side) inner.setAhead(view, ahead);
    const now = options.now ?? this.#saidMs ?? this.#keeping.calls.clock.now();
    inner.setGate(view, async () => {
      const may = await lease.take(this.#version);
      this.#fence = lease.fence ?? this.#fence;
      return may;
    });
    const prepared = await view.prepare(messages, { ...options, now });
    // Another process writes a summary, or has sent a request, so its state must be read first.
    await lease.settled();
    return prepared;
  }

  /** A title has another system prompt and fewer messages; a host may date the system prompt of a conversation. @param {{ start: number, length: number }} about */
  #isOwn({ start, length }) {
    return this.#newest === null || start === this.#newest.start || length >= this.#newest.length;
  }

  /** @param {Patience} patience @param {InstanceType<typeof SummaryLease>} lease */
  async #loaded(patience, lease) {
    const { calls, tell } = this.#keeping;
    let found = lease.takeFound();
    this.#saidMs = undefined;
    if (found === null && (this.#isUnknown || !calls.clock.isKnown)) {
      try {
        found = await calls.acquire(this.#id, {}, patience);
      } catch (error) {
        patience.signal?.throwIfAborted();
        tell({ did: 'went_on_without', conversationId: this.#id, error });
      }
    }
    if (found !== null) {
      if (Number.isFinite(found.nowMs)) this.#saidMs = found.nowMs;
      this.#takeUp(found);
    }
    if (this.#view === null) this.#view = this.#new();
    return this.#view;
  }

  /** @param {AcquiredState} found */
  #takeUp(found) {
    const isOurs = !this.#isUnknown && found.version === this.#version;
    this.#fence = found.fence;
    if (isOurs) return;
    // The view sent requests while the store was away, and no other process did.
    const isNewThere = found.state === null;
    if (isNewThere && this.#view !== null && this.#unconfirmed === null) {
      [this.#version, this.#isUnknown] = [found.version, false];
      return;
    }
    this.#forget();
    [this.#version, this.#isUnknown] = [found.version, false];
    if (found.state === null) return;
    try {
      this.#import(found.state);
    } catch (error) {
      // No process can read this state: the next commit replaces it.
      this.#forget();
      this.#isUnknown = false;
      this.#keeping.tell({ did: 'state_replaced', conversationId: this.#id, error });
    }
  }

  /** @param {{ snapshot: string, deltas: string[] }} state */
  #import({ snapshot, deltas }) {
    const texts = [snapshot, ...deltas].map(parted);
    const [first, ...rest] = texts.map(({ text }) => text);
    const options = this.#options();
    const view = ContextView.import(/** @type {any} */ (first), /** @type {any} */ (options), rest);
    this.#keeping.begun(view);
    this.#view = view;
    this.#newest = texts.at(-1)?.about ?? null;
    this.#bytes = { snapshot: snapshot.length, deltas: deltas.reduce((sum, delta) => sum + delta.length, 0) };
  }

  #new() {
    const view = new ContextView({ ...this.#options(), ...this.#keeping.learnt() });
    this.#keeping.begun(view);
    return view;
  }

  #options() {
    return this.#keeping.optionsFor(this.#id, (batch) => this.#batches.push(batch));
  }

  #forget() {
    this.#view = null;
    this.#newest = null;
    this.#unconfirmed = null;
    this.#batches = [];
    this.#bytes = { snapshot: 0, deltas: 0 };
    this.#isUnknown = true;
  }

  #unstored() {
    return [...(this.#unconfirmed?.batches ?? []), ...this.#batches];
  }

  /**
   * Repeats a commit that got no answer, and then commits what is new.
   * @param {InstanceType<typeof ContextView>} view @param {{ start: number, length: number }} about @param {Patience} patience
   * @returns {Promise<'stored' | 'stale' | 'failed'>}
   */
  async #store(view, about, patience) {
    const { tell } = this.#keeping;
    this.#newest = about;
    if (this.#isUnknown) return 'failed';
    try {
      if (this.#unconfirmed !== null) await this.#confirm(this.#unconfirmed, patience);
      const whole = this.#bytes.deltas > Math.max(LONGEST_DELTAS, this.#bytes.snapshot);
      const told = view.exportDelta({ whole });
      const { state, delta } = /** @type {{ state?: string, delta?: string }} */ (told);
      if (delta === NOTHING_NEW) return 'stored';
      const batches = this.#batches;
      this.#batches = [];
      const heading = `${JSON.stringify(about)}\n`;
      const text = state === undefined ? { delta: heading + delta } : { state: heading + state };
      this.#unconfirmed = { ...text, version: this.#version, batches };
      await this.#confirm(this.#unconfirmed, patience);
      return 'stored';
    } catch (error) {
      patience.signal?.throwIfAborted();
      const stale = isStale(error);
      tell({ did: stale ? 'decided_again' : 'went_on_without', conversationId: this.#id, error });
      if (stale) this.#forget();
      return stale ? 'stale' : 'failed';
    }
  }

  /** @param {Unconfirmed} commit @param {Patience} patience */
  async #confirm(commit, patience) {
    const { calls } = this.#keeping;
    const { version } = await calls.commit(this.#id, { ...commit, fence: this.#fence }, patience);
    if (!Number.isSafeInteger(version)) throw badState('the version that a commit made', typeof version);
    this.#version = version;
    this.#unconfirmed = null;
    const { state, delta } = commit;
    if (state === undefined) this.#bytes.deltas += delta?.length ?? 0;
    else this.#bytes = { snapshot: state.length, deltas: 0 };
  }
}

/** @param {string} text @returns {{ about: { start: number, length: number }, text: string }} */
function parted(text) {
  const end = text.indexOf('\n');
  return { about: JSON.parse(text.slice(0, end)), text: text.slice(end + 1) };
}

module.exports = { StoredConversation };
