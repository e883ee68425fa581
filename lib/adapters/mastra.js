// @ts-check
'use strict';

const { promptOf } = require('./ai-sdk.js');
const { conversationsFrom } = require('./conversations.js');

/** A Mastra processor: each step's prompt is sent as a view projects it; Mastra's messages and memory stay unchanged. */
class ContextProcessor {
  id = 'palimpsest';
  name = 'palimpsest';
  #conversations;
  /** Keyed by Mastra's state object of a run: its newest request, and the steps before it. @type {WeakMap<object, { request: any, stepCount: number }>} */
  #running = new WeakMap();

  /** @param {unknown} [options] */
  constructor(options) {
    this.#conversations = conversationsFrom(options);
  }

  ledger() {
    return this.#conversations.ledger();
  }

  get views() {
    return this.#conversations.views;
  }

  /** @param {any} call */
  async processLLMRequest(call) {
    const { prompt, steps, state, abortSignal, model } = call;
    this.#observe(state, steps);
    const details = { signal: abortSignal, request: call, model: model?.modelId };
    const request = await this.#conversations.prepare(prompt, details);
    this.#running.set(state, { request, stepCount: steps.length });
    return { prompt: promptOf(request) };
  }

  /** Never requests a retry; that is up to other processors. @param {any} call */
  processAPIError({ error, state }) {
    this.#running.get(state)?.request.failed(error);
  }

  /** Reads the usage of a run's last step, which no request follows. @param {any} run */
  processOutputResult({ result, state, messageList }) {
    // With a processor that has `processLLMResponse`, Mastra would run no tool until the model has finished writing.
    this.#observe(state, result.steps);
    return messageList;
  }

  /** @param {object} state @param {readonly any[]} steps */
  #observe(state, steps) {
    const running = this.#running.get(state);
    // A failed request that is retried added no step.
    if (running !== undefined && steps.length > running.stepCount) running.request.observe(steps.at(-1)?.usage);
  }
}

module.exports = { ContextProcessor };
