// @ts-check
/** An adapter object that is made anew as often as a host does: never, with each turn of the user's, or with each request. */

/**
 * @typedef {'never' | 'turn' | 'request'} Restart
 *
 * An SDK whose ordinary life is played.
 * @typedef {object} Life
 * @property {string} name
 * @property {boolean} [isMarked] it is Anthropic's API, and the adapter sets marks
 * @property {(options: any) => any} make
 * @property {(replay: import('./replay.mjs').Replay, ours: Renewed | null) => Promise<unknown[]>} work does all of the work, through what
 *   `ours.next()` gives for each request
 */

export class Renewed {
  #make;
  #restart;
  #turnOf;
  #turn = -1;
  /** The newest adapter. @type {any} */ current = null;
  /** Is told of each new one. @type {(adapter: any) => void} */ onNew = () => {};

  /** @param {() => any} make @param {Restart} restart @param {() => number} turnOf which turn it is */
  constructor(make, restart, turnOf) {
    this.#make = make;
    this.#restart = restart;
    this.#turnOf = turnOf;
  }

  /** The first adapter, before there is a request. @param {(adapter: any) => void} onNew is told of this one and of each further one */
  begin(onNew) {
    this.onNew = onNew;
    this.next();
  }

  /** The adapter for the next request. */
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
