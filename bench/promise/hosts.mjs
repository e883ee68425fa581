// @ts-check
/** Who holds the view: one object for the session, or a new one per turn, per so many requests or per request. */
import { ContextView, ContextViews } from 'palimpsest';

/**
 * @typedef {'view' | 'views'} HostKind a bare `ContextView`, or `ContextViews`
 * @typedef {object} Hosting
 * @property {HostKind} kind
 * @property {'never' | 'turn' | 'request' | number} [restart] when a new object takes over
 * @property {'messages' | 'object'} [memory] where the default isn't meant
 * @property {boolean} [carries] what the old one exported goes along
 * @property {boolean} [says] the host names conversations and side requests
 * @typedef {{ requests: number, cost: number, costLeftAlone: number }} Ledger
 * @typedef {import('./requests.mjs').Request} Request
 */

/** Whether this build knows `memory`: an unknown one is then refused. */
export const knowsMemory = (() => {
  try {
    new ContextView(/** @type {any} */ ({ memory: 'none that there is' }));
    return false;
  } catch {
    return true;
  }
})();

export class Host {
  #requests = 0;
  /** @type {any} */ #held;
  /** Views that conversations have had. @type {Set<any>} */ #views = new Set();

  /** @param {Hosting} hosting @param {Record<string, unknown>} options */
  constructor(hosting, options) {
    this.hosting = hosting;
    const { memory } = hosting;
    this.options = memory === undefined || !knowsMemory ? options : { ...options, memory };
    this.#held = this.#begin();
  }

  #begin() {
    this.#views.clear();
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
    // A bare view is one conversation, and takes no name for it.
    const said = {
      ...(this.hosting.kind === 'views' && { conversationId: kind === 'fork' ? `fork ${branch}` : 'main' }),
      ...(kind === 'side' && { side: true }),
    };
    const options = { now, ...(this.hosting.says && said) };
    const { messages } = this.#held.project(stored, options);
    const view = this.#viewOf(stored, options);
    const marks = this.options.marks === true ? view.breakpoints() : [];
    return { messages, marks, observe: (usage) => view.observe(usage) };
  }

  /** @param {readonly any[]} stored just projected @param {object} options */
  #viewOf(stored, options) {
    if (this.hosting.kind === 'view') return this.#held;
    const view = this.#held.viewFor(stored, options);
    this.#views.add(view);
    return view;
  }

  /** @param {boolean} startsTurn */
  #isRestart(startsTurn) {
    const { restart = 'never' } = this.hosting;
    if (typeof restart === 'number') return this.#requests % restart === 0;
    return restart === 'request' || (restart === 'turn' && startsTurn);
  }

  #restart() {
    if (this.hosting.carries !== true) this.#held = this.#begin();
    else this.#held = ContextView.import(JSON.parse(JSON.stringify(this.#held.export())), this.options);
  }

  /** What it says that all has cost. @returns {Ledger} */
  ledger() {
    if (typeof this.#held.ledger === 'function') return this.#held.ledger();
    const sum = { requests: 0, cost: 0, costLeftAlone: 0 };
    for (const view of this.#views) {
      const { requests, cost, costLeftAlone } = view.ledger();
      sum.requests += requests;
      sum.cost += cost;
      sum.costLeftAlone += costLeftAlone;
    }
    return sum;
  }
}
