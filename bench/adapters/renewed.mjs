// @ts-check
/** Creates an adapter object as often as an application does: once, per turn, or per request. */

/**
 * @typedef {'never' | 'turn' | 'request'} Restart how often a new object replaces the old one
 * @typedef {object} SdkReplay how to replay work through an SDK with an adapter
 * @property {string} name
 * @property {boolean} [isMarked] true for Anthropic's API: the adapter sets cache breakpoints
 * @property {(options: any) => any} make creates an adapter
 * @property {(replay: import('./replay.mjs').Replay, ours: Renewed | null) => Promise<unknown[]>} work replays all
 *   work, with the adapter from `ours.next()` for each request
 */

/** The adapter of a replay, replaced by a new one when that is due. */
export class Renewed {
  #make;
  #restart;
  #turnOf;
  /** Turn of the last request. */
  #turn = -1;
  /** The current adapter. @type {any} */ current = null;
  /** Called with each new adapter. @type {(adapter: any) => void} */ onNew = () => {};

  /** @param {() => any} make @param {Restart} restart @param {() => number} turnOf number of the current turn */
  constructor(make, restart, turnOf) {
    this.#make = make;
    this.#restart = restart;
    this.#turnOf = turnOf;
  }

  /** Creates the first adapter. @param {(adapter: any) => void} onNew called with this adapter and each later one */
  begin(onNew) {
    this.onNew = onNew;
    this.next();
  }

  /** Returns the adapter for the next request. */
  next() {
    const turn = this.#turnOf();
    const isDue = this.#restart === 'request' || (this.#restart === 'turn' && turn !== this.#turn);
    this.#turn = turn;
    if (this.current === null || isDue) {
      this.current = this.#make();
      this.onNew(this.current);
    }
    return this.current;
  }
}
