// @ts-check
/**
 * Records facts about requests that a view doesn't record itself: those sent before the gateway started or sent
 * unmodified, repeated ones, and reminders after the messages that the view saw. Views decide by these facts.
 */
import { loadInternals } from '../library.mjs';

/** @typedef {import('./fact-files.mjs').FactFiles} FactFiles */

/** A repeated request is recorded again only after this time: until then the provider's cache keeps the prompt anyway. */
const RECORD_AGAIN_MS = 60_000;
/** Maximum number of conversations whose newest request is remembered. */
const MAX_NEWEST = 1024;

export class RequestFacts {
  #library = loadInternals().gateway;
  #sentFacts;
  #viewFacts;
  #isDry;
  #clock;
  /** The newest request of each conversation, by conversation id. @type {Map<string, { key: string, atMs: number }>} */
  #newest = new Map();

  /** @param {Omit<import('./rewriter.mjs').RewriterOptions, 'settings'>} options */
  constructor({ sentFacts, viewFacts, isDry, clock = Date.now }) {
    this.#sentFacts = sentFacts;
    this.#viewFacts = viewFacts;
    this.#isDry = isDry;
    this.#clock = clock;
  }

  /** Records a request that is sent without the view's changes. @param {string} id of the conversation @param {readonly any[]} messages */
  recordUnmodified(id, messages) {
    this.#record(this.#sentFacts, id, messages, true);
  }

  /**
   * Records that the conversation's requests before the gateway's first one were sent unmodified.
   * @param {string} id @param {readonly any[]} messages
   */
  recordEarlier(id, messages) {
    if (this.#newest.has(id)) return;
    for (const store of new Set([this.#viewFacts, this.#sentFacts])) {
      if (this.#hasFacts(store, id)) continue;
      for (const length of this.#library.requestLengths(messages).slice(0, -1)) {
        this.#record(store, id, messages.slice(0, length), true);
      }
    }
  }

  /** True also if they are unreadable, so that none are written. @param {FactFiles} store @param {string} id */
  #hasFacts(store, id) {
    try {
      return store.facts(id).length > 0;
    } catch {
      return true;
    }
  }

  /**
   * Records what the view did not: a reminder after the messages that it saw, and a repeated request.
   * @param {string} id @param {readonly any[]} messages @param {number} viewedLength number of messages that the view saw
   */
  recordNewest(id, messages, viewedLength) {
    const [atMs, key] = [this.#clock(), `${messages.length} ${this.#library.fingerprintOf(messages.at(-1))}`];
    const previous = this.#newest.get(id);
    const isRepeated = previous?.key === key && atMs - previous.atMs > RECORD_AGAIN_MS;
    if (isRepeated) this.#record(this.#viewFacts, id, messages.slice(0, viewedLength), false, atMs);
    if (viewedLength < messages.length) this.#record(this.#viewFacts, id, messages, false, atMs);
    // A dry run sends the request unmodified; record that for later runs.
    if (this.#isDry) this.recordUnmodified(id, messages);
    this.#newest.delete(id);
    this.#newest.set(id, { key, atMs });
    if (this.#newest.size > MAX_NEWEST) this.#newest.delete(/** @type {string} */ (this.#newest.keys().next().value));
  }

  /**
   * @param {FactFiles} store @param {string} id @param {readonly any[]} messages
   * @param {boolean} isUndecided true if sent unmodified @param {number} [again] time (ms), which distinguishes it from the same request sent before
   */
  #record(store, id, messages, isUndecided, again) {
    const fact = { type: 'request', length: messages.length, mark: this.#library.fingerprintOf(messages.at(-1)) };
    try {
      store.addFacts(id, [JSON.stringify({ ...fact, ...(isUndecided && { isUndecided }), again })]);
    } catch {
      // Without the file, a restarted gateway assumes short pauses.
    }
  }
}
