// @ts-check
/**
 * Replays recorded work through an SDK: a mock provider returns the recorded assistant messages, the tools return the
 * recorded results, and the clock shows the recorded times.
 */
import { startProvider } from '../../examples/provider/provider.mjs';

/**
 * @typedef {import('./recorded-work.mjs').RecordedWork} RecordedWork
 * @typedef {import('palimpsest').PricePreset} Price
 *
 * @typedef {object} Way one way to replay the work: plain, with the SDK's pruning or with palimpsest
 * @property {string} name
 * @property {boolean} [isOurs] true if it depends on the price list and is played once for each
 * @property {(replay: Replay, price: Price) => Promise<unknown[]>} run replays `replay.turns()` and returns the text of
 *   each tool result that the SDK has stored at the end
 * @typedef {'title' | 'duplicate'} SideKind kinds of side requests
 */

/** System prompt of a side request for a title. */
export const TITLE = 'You name conversations in at most five words.';
/** The application sends a side request every this many turns. */
const SIDE_EVERY = 2;

export class Replay {
  #isSide = false;
  /** The kind of side requests to send, if any. @type {SideKind | undefined} */ side;
  #work;
  /** @type {any} */ #provider;
  #turn = -1;
  #step = 0;
  #nowMs = 0;
  /**
   * The assistant message whose tool calls are being run.
   * @type {import('./recorded-work.mjs').RecordedAnswer | undefined}
   */ #answer;
  failures = 0;

  /**
   * Starts a mock provider for the work.
   * @param {RecordedWork} work
   * @param {Price} price
   * @param {import('../../examples/provider/provider.mjs').Cache} [cache] the provider's; default: its own
   */
  static async start(work, price, cache) {
    const replay = new Replay(work);
    // Adapters compute the age of results from the process's clock.
    Date.now = () => replay.#nowMs;
    const script = () => (replay.#isSide ? { text: 'Beside it.' } : replay.#next());
    const options = { price, script, clock: () => replay.#askedMs() };
    replay.#provider = await startProvider(cache === undefined ? options : { ...options, cache });
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

  /** Yields the user messages. An SDK completes one turn before it takes the next. */
  *turns() {
    for (const { user, timeMs } of this.#work.turns) {
      this.#turn++;
      this.#step = 0;
      this.#advance(timeMs);
      yield user;
    }
  }

  /** Number of turns that have begun. */
  get turn() {
    return this.#turn;
  }

  /** The mock provider's time. */
  get nowMs() {
    return this.#askedMs();
  }

  /** Sends a side request before a turn, if one is due. @param {(side: SideKind) => Promise<unknown>} send sends the request */
  async sendSide(send) {
    const { side } = this;
    if (side === undefined || this.#turn % SIDE_EVERY === 0) return;
    this.#isSide = true;
    await this.attempt(() => send(side));
    this.#isSide = false;
  }

  /**
   * Runs one turn; counts a failure if the SDK or the provider rejects.
   * @template T @param {() => Promise<T>} run @returns {Promise<T | undefined>}
   */
  async attempt(run) {
    try {
      return await run();
    } catch (error) {
      this.failures++;
      this.lastFailure = error;
      return undefined;
    }
  }

  /**
   * The recorded result of a tool call.
   * @param {string} name
   * @param {unknown} input
   * @param {string} [id] id of the tool call; without it, the call is found by name and input
   * @returns {string}
   * @throws Error if the recorded call failed
   */
  result(name, input, id) {
    const calls = this.#answer?.calls ?? [];
    const index = /^call_\d+_(\d+)/.exec(id ?? '')?.[1];
    const inputText = JSON.stringify(input);
    const call =
      index === undefined
        ? calls.find((each) => each.name === name && JSON.stringify(each.arguments) === inputText)
        : calls[Number(index)];
    if (call === undefined) throw new Error(`the model made no such call of ${name}`);
    this.#advance(call.timeMs);
    if (call.isFailed) throw new Error(call.text);
    return call.text;
  }

  /** Texts of all results that the tools returned. */
  get returnedResults() {
    const answers = this.#work.turns.flatMap(({ answers }) => answers);
    return answers.flatMap(({ calls }) => calls.map(({ text }) => text));
  }

  /** The time at which the current step's request was recorded. */
  #askedMs() {
    this.#advance(this.#work.turns[this.#turn]?.answers[this.#step]?.askedMs ?? 0);
    return this.#nowMs;
  }

  /** The next recorded assistant message. */
  #next() {
    this.#answer = this.#work.turns[this.#turn]?.answers[this.#step++];
    if (this.#answer === undefined) return undefined;
    this.#advance(this.#answer.timeMs);
    return this.#answer;
  }

  /** Sets the clock forward. @param {number} timeMs */
  #advance(timeMs) {
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }

  close() {
    this.#provider.close();
  }
}
