// @ts-check
/** Who holds the view: one object for the session, or a new one per turn, per so many requests or per request. */
import { ContextView, ContextViews } from 'palimpsest';

/**
 * @typedef {'view' | 'views'} HostKind a bare `ContextView`, or `ContextViews`
 * @typedef {object} Hosting
 * @property {HostKind} kind
 * @property {'never' | 'turn' | 'request' | number} [restart] when a new object takes over
 * @property {boolean} [arrivalTimes] where the default is not meant
 * @property {boolean} [carries] the facts that the old object exported are imported by the new one
 * @property {boolean} [says] the host names conversations and side requests
 * @typedef {{ requests: number, cost: number, costLeftAlone: number }} Ledger
 * @typedef {import('./requests.mjs').Request} Request
 */

export class Host {
  #requests = 0;
  /** @type {any} */ #held;

  /** @param {Hosting} hosting @param {Record<string, unknown>} options */
  constructor(hosting, options) {
    this.hosting = hosting;
    const { arrivalTimes } = hosting;
    this.options = arrivalTimes === undefined ? options : { ...options, arrivalTimes };
    this.#held = this.#begin();
  }

  #begin() {
    return this.hosting.kind === 'view' ? new ContextView(this.options) : new ContextViews(this.options);
  }

  /**
   * @param {Pick<Request, 'kind' | 'branch' | 'startsTurn'>} request
   * @param {readonly any[]} stored as the host writes them for this request
   * @param {number} now
   * @returns {{ messages: any[], marks: number[], observe: (usage: object) => void }}
   */
  send({ kind, branch, startsTurn }, stored, now) {
    if (this.#requests > 0 && kind === 'main' && this.#isRestart(startsTurn)) this.#restart();
    this.#requests++;
    const isSide = kind === 'side' && { side: true };
    // A bare view is one conversation, and takes no name for it.
    const isNamed = this.hosting.kind === 'views' && { conversationId: kind === 'fork' ? `fork ${branch}` : 'main' };
    const options = { now, ...(this.hosting.says && { ...isNamed, ...isSide }) };
    const { messages } = this.#held.project(stored, options);
    const view = this.hosting.kind === 'view' ? this.#held : this.#held.viewFor(stored, options);
    const marks = this.options.marks === true ? view.breakpoints() : [];
    return { messages, marks, observe: (usage) => view.observe(usage) };
  }

  /** @param {boolean} startsTurn */
  #isRestart(startsTurn) {
    const { restart = 'never' } = this.hosting;
    if (typeof restart === 'number') return this.#requests % restart === 0;
    return restart === 'request' || (restart === 'turn' && startsTurn);
  }

  #restart() {
    if (this.hosting.carries !== true) this.#held = this.#begin();
    else this.#held = ContextView.import(JSON.stringify(this.#held.export()), this.options);
  }

  /** What it says that all has cost. @returns {Ledger} */
  ledger() {
    return this.#held.ledger();
  }
}
