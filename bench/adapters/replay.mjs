// @ts-check
/**
 * Has an SDK do recorded work again: the mock provider answers as the model did, the tools give what they gave, and the clock
 * says when it was.
 */
import { startProvider } from '../../examples/provider/provider.mjs';

/**
 * @typedef {import('./recorded-work.mjs').RecordedWork} RecordedWork
 * @typedef {import('palimpsest').PricePreset} Price
 *
 * One way of doing the work.
 * @typedef {object} Way
 * @property {string} name
 * @property {boolean} [isOurs] whether it is told the price list, and so is played once for each
 * @property {(replay: Replay, price: Price) => Promise<unknown[]>} run does all of `replay.turns()`, and gives back the text of
 *   each tool result that the SDK has stored at the end
 */

/** What a helper asks beside the conversation. @typedef {'title' | 'duplicate'} Beside */

export const TITLE = 'You name conversations in at most five words.';
/** A host asks beside its conversation with each turn of this number. */
const BESIDE_EVERY = 2;

export class Replay {
  #isBeside = false;
  /** With which turns what is asked beside the conversation. @type {Beside | undefined} */ beside;
  #work;
  /** @type {any} */ #provider;
  #turn = -1;
  #step = 0;
  #nowMs = 0;
  /** The answer whose calls are being made. @type {import('./recorded-work.mjs').RecordedAnswer | undefined} */ #answer;
  failures = 0;

  /**
   * @param {RecordedWork} work
   * @param {Price} price
   * @param {import('../../examples/provider/provider.mjs').Cache} [reads]
   */
  static async start(work, price, reads) {
    const replay = new Replay(work);
    // The adapters age results by the clock of the process.
    Date.now = () => replay.#nowMs;
    const script = () => (replay.#isBeside ? { text: 'Beside it.' } : replay.#next());
    const of = { price, script, clock: () => replay.#askedMs() };
    replay.#provider = await startProvider(reads === undefined ? of : { ...of, reads });
    return replay;
  }

  /** @param {RecordedWork} work */
  constructor(work) {
    this.#work = work;
  }

  get url() {
    return this.#provider.url;
  }

  /** @returns {Awaited<ReturnType<typeof startProvider>>} */
  get provider() {
    return this.#provider;
  }

  get tools() {
    return this.#work.tools;
  }

  /** What the user asks, one after the other. An SDK does all of one before it takes the next. */
  *turns() {
    for (const { user, timeMs } of this.#work.turns) {
      this.#turn++;
      this.#step = 0;
      this.#advance(timeMs);
      yield user;
    }
  }

  /** How many of the user's requests have begun. */
  get turn() {
    return this.#turn;
  }

  /** The provider's time. */
  get nowMs() {
    return this.#askedMs();
  }

  /**
   * One request beside the conversation, ahead of a turn, where there is to be one.
   * @param {(beside: Beside) => Promise<unknown>} does
   */
  async asksBeside(does) {
    const { beside } = this;
    if (beside === undefined || this.#turn % BESIDE_EVERY === 0) return;
    this.#isBeside = true;
    await this.attempt(() => does(beside));
    this.#isBeside = false;
  }

  /**
   * Does one request of the user's, and notes where the SDK or the provider refuses to.
   * @template T @param {() => Promise<T>} does @returns {Promise<T | undefined>}
   */
  async attempt(does) {
    try {
      return await does();
    } catch (error) {
      this.failures++;
      this.lastFailure = error;
      return undefined;
    }
  }

  /**
   * What a call came back with.
   * @param {string} name
   * @param {unknown} input
   * @param {string} [id] that the provider gave the call; else it is found by name and input
   * @returns {string}
   * @throws Error for one that failed
   */
  result(name, input, id) {
    const calls = this.#answer?.calls ?? [];
    const place = /^call_\d+_(\d+)/.exec(id ?? '')?.[1];
    const given = JSON.stringify(input);
    const call =
      place === undefined
        ? calls.find((each) => each.name === name && JSON.stringify(each.arguments) === given)
        : calls[Number(place)];
    if (call === undefined) throw new Error(`the model made no such call of ${name}`);
    this.#advance(call.timeMs);
    if (call.isFailed) throw new Error(call.text);
    return call.text;
  }

  /** Texts of the results that the tools gave. */
  get given() {
    const answers = this.#work.turns.flatMap(({ answers }) => answers);
    return answers.flatMap(({ calls }) => calls.map(({ text }) => text));
  }

  #askedMs() {
    this.#advance(this.#work.turns[this.#turn]?.answers[this.#step]?.askedMs ?? 0);
    return this.#nowMs;
  }

  #next() {
    this.#answer = this.#work.turns[this.#turn]?.answers[this.#step++];
    if (this.#answer === undefined) return undefined;
    this.#advance(this.#answer.timeMs);
    return this.#answer;
  }

  /** @param {number} timeMs */
  #advance(timeMs) {
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }

  close() {
    this.#provider.close();
  }
}
