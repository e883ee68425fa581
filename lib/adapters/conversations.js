// @ts-check
'use strict';

const { costsOf } = require('../view/context-view.js');
const { ContextViews } = require('../view/views.js');
const { Totals } = require('./totals.js');

/** @typedef {InstanceType<typeof import('../view/context-view.js').ContextView>} View */

/**
 * The conversations that go through one adapter, interleaved: each request finds the view of the conversation that it
 * continues, and the provider's report finds the request that it is about.
 */
class Conversations {
  #views;
  /** The newest request of each conversation. @type {WeakMap<View, Request>} */
  #newest = new WeakMap();
  #totals = new Totals(costsOf);

  /** @param {unknown} [options] those of `ContextViews` */
  constructor(options) {
    this.#views = new ContextViews(options);
  }

  /** How many conversations are remembered. */
  get size() {
    return this.#views.size;
  }

  /** What all requests have cost, those of forgotten conversations included. */
  ledger() {
    return this.#totals.sum();
  }

  /**
   * What to send now. Nothing of `messages` is written to.
   * @param {readonly any[]} messages all of the conversation, as it is kept
   * @param {{ signal?: AbortSignal | null | undefined }} [options]
   * @returns {Promise<Request>}
   * @throws what `signal` was aborted with
   */
  async prepare(messages, { signal } = {}) {
    const view = this.#views.viewFor(messages);
    this.#totals.begin(view);
    const prepared = await view.prepare(messages, { signal: signal ?? null });
    this.#totals.add(view);
    const request = new Request(prepared, view, {
      isNewest: () => this.#newest.get(view) === request,
      reported: () => this.#totals.add(view),
    });
    this.#newest.set(view, request);
    return request;
  }
}

/** One request: what is sent, and the report that belongs to it. */
class Request {
  #view;
  #conversation;
  #isReported = false;

  /**
   * @param {{ messages: any[], report: any, history: any[] }} prepared
   * @param {View} view
   * @param {{ isNewest: () => boolean, reported: () => void }} conversation is told when the report has come
   */
  constructor({ messages, report }, view, conversation) {
    this.messages = messages;
    this.report = report;
    /** Where to put marks for a cache: places in `messages`. */
    this.breakpoints = view.breakpoints().filter((place) => place < messages.length);
    this.#view = view;
    this.#conversation = conversation;
  }

  /**
   * Takes the provider's report of this request. What comes when the conversation has gone on, after an abort or a retry, would
   * be taken for the next request's: it is dropped, as is a second report.
   * @param {unknown} usage in any provider's form
   */
  observe(usage) {
    if (this.#isReported || typeof usage !== 'object' || usage === null || !this.#conversation.isNewest()) return;
    this.#isReported = true;
    this.#view.observe(usage);
    this.#conversation.reported();
  }
}

module.exports = { Conversations };
