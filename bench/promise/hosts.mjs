// @ts-check
/**
 * The application, with the object that holds the view: one for the session, or a new one per turn, per number of
 * requests, or per request.
 */
import { ContextView, ContextViews } from 'palimpsest';

/**
 * @typedef {'view' | 'views'} HostKind a bare `ContextView`, or `ContextViews`
 * @typedef {object} Hosting
 * @property {HostKind} kind
 * @property {'never' | 'turn' | 'request' | number} [restart] when a new object replaces the old one
 * @property {boolean} [arrivalTimes] overrides the default
 * @property {boolean} [carries] true if the new object imports the old one's facts
 * @property {boolean} [says] true if the application passes conversation ids and `side`
 * @typedef {{ requests: number, cost: number, costLeftAlone: number }} Ledger
 * @typedef {import('./requests.mjs').Request} Request
 */

export class Host {
  #requests = 0;
  /** @type {any} */ #views;

  /** @param {Hosting} hosting @param {Record<string, unknown>} options */
  constructor(hosting, options) {
    this.hosting = hosting;
    const { arrivalTimes } = hosting;
    this.options = arrivalTimes === undefined ? options : { ...options, arrivalTimes };
    this.#views = this.#newViews();
  }

  #newViews() {
    return this.hosting.kind === 'view' ? new ContextView(this.options) : new ContextViews(this.options);
  }

  /**
   * What the view sends, and how to report usage to it.
   * @param {Pick<Request, 'kind' | 'branch' | 'startsTurn'>} request
   * @param {readonly any[]} stored messages in the application's form for this request
   * @param {number} now
   * @returns {{ messages: any[], marks: number[], observe: (usage: object) => void }}
   */
  send({ kind, branch, startsTurn }, stored, now) {
    if (this.#requests > 0 && kind === 'main' && this.#isRestart(startsTurn)) this.#restart();
    this.#requests++;
    const isSide = kind === 'side' && { side: true };
    // A `ContextView` is one conversation and takes no conversation id.
    const isNamed = this.hosting.kind === 'views' && { conversationId: kind === 'fork' ? `fork ${branch}` : 'main' };
    const options = { now, ...(this.hosting.says && { ...isNamed, ...isSide }) };
    const { messages } = this.#views.project(stored, options);
    const view = this.hosting.kind === 'view' ? this.#views : this.#views.viewFor(stored, options);
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
    if (this.hosting.carries !== true) this.#views = this.#newViews();
    else this.#views = ContextView.import(JSON.stringify(this.#views.export()), this.options);
  }

  /** The ledger's costs of all requests. @returns {Ledger} */
  ledger() {
    return this.#views.ledger();
  }
}
