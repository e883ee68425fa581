// @ts-check
'use strict';

const native = require('../native.js');
const { compressionOf, digestOf } = require('./record.js');
const { Snapshot } = require('./snapshot.js');
const { ask } = require('./summariser.js');
const { readTranscript, textOf } = require('./transcript.js');

/**
 * @typedef {import('../../binding.js').SummaryPlan} SummaryPlan
 * @typedef {import('../../binding.js').SummaryOutcome} SummaryOutcome
 * @typedef {{ now: number, forced: boolean, summary?: string, instructions?: string, signal?: AbortSignal }} Wish
 */

/** One summary on its way: what it is of, and whether that still stands when it comes. */
class Compaction {
  /** Which model wrote the summary; null where nobody can say, and when none was asked. @type {string | null} */
  model = null;

  /**
   * @param {readonly any[]} messages
   * @param {SummaryPlan} plan
   * @param {readonly number[]} tokens
   * @param {{
   *   compressor: InstanceType<typeof import('../native.js').Compressor>,
   *   window: InstanceType<typeof import('./window.js').Window>, journal: InstanceType<typeof import('./journal.js').Journal>,
   *   client: (parameters: object) => unknown, pin: ((message: any) => unknown) | null,
   *   dialect: import('../messages/choice.js').Forced,
   * }} context
   */
  constructor(messages, plan, tokens, context) {
    this.plan = plan;
    this.context = context;
    this.snapshot = new Snapshot(messages, plan.start, plan.end, context.window.memo, context.dialect);
    const tokensOf = (/** @type {number} */ index) => tokens[plan.start + index] ?? 0;
    this.transcript = readTranscript(this.snapshot.range, tokensOf, context.pin, context.dialect);
    this.earlier = this.snapshot.range.findLast((message) => compressionOf(message)?.kind === 'summary');
  }

  /** The messages in the range that the host pinned. */
  get pinned() {
    return this.#inRange(this.plan.pinned);
  }

  /** Those without which the turn that goes on after the summary would lack its thinking. */
  get carried() {
    return this.#inRange(this.plan.carried);
  }

  /** @param {readonly number[]} indices */
  #inRange(indices) {
    return indices.map((index) => this.snapshot.range[index - this.plan.start]);
  }

  /** @param {Wish} wish @returns {Promise<SummaryOutcome>} */
  async summarise(wish) {
    const { compressor, client, journal } = this.context;
    const cancellation = new native.Cancellation();
    const underway = new AbortController();
    const abort = () => {
      cancellation.cancel();
      underway.abort(wish.signal?.reason);
    };
    wish.signal?.addEventListener('abort', abort, { once: true });
    const asked = async (/** @type {import('./summariser.js').SummaryCall} */ call) => {
      journal.deliver();
      const reply = await ask(client, call, underway.signal);
      if (reply.failure === undefined) this.model = reply.model ?? null;
      return reply;
    };
    try {
      const { texts, numbers } = this.transcript;
      return await compressor.summarise(texts, numbers, this.#task(wish), asked, cancellation);
    } finally {
      wish.signal?.removeEventListener('abort', abort);
      // A client that still works on a call that took too long need not go on.
      underway.abort(new DOMException('The summary is no longer waited for', 'TimeoutError'));
    }
  }

  /** @param {Wish} wish */
  #task({ now, forced, summary, instructions }) {
    // A notice behind the summary has the summary's digest in its own.
    const recorded = this.snapshot.range.findLast((message) => compressionOf(message)?.digest !== undefined);
    return {
      replacedTokens: this.plan.replacedTokens,
      holdsRequest: this.plan.holdsRequest,
      now,
      earlierContent: this.earlier === undefined ? undefined : textOf(this.earlier, this.context.dialect),
      earlierDigest: digestOf(compressionOf(recorded)),
      instructions,
      summary,
      forced,
    };
  }
}

module.exports = { Compaction };
