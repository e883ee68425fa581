// @ts-check
'use strict';

const { codeNameOf, wrongType } = require('../errors.js');
const { parseContextLengthError } = require('../results/overflow.js');

/** Some models refuse any temperature but their own; hosts' clients leave it out for those. */
const TEMPERATURE = 0;
const MOST_PARTS = 65_536;

/**
 * @typedef {{ model: string, system: string, user: string, maxTokens: number }} SummaryCall
 * @typedef {{
 *   text?: string, hasToolCalls: boolean, refused: boolean, finishReason?: string, promptTokens?: number,
 *   completionTokens?: number, model?: string, failure?: string, maxTokens?: number,
 * }} SummaryReply
 */

/** The host's client as a function. @param {any} client @returns {(parameters: object) => unknown} */
function callableOf(client) {
  if (typeof client === 'function') return client;
  for (const method of ['chat', 'call']) {
    if (typeof client?.[method] === 'function') return (parameters) => client[method](parameters);
  }
  throw wrongType('llmClient', 'a function, or an object with chat or call', client);
}

/**
 * Asks the host's client. Never throws or rejects: a rejection nobody waits for would end the host's process.
 * @param {(parameters: object) => unknown} client
 * @param {SummaryCall} call
 * @param {AbortSignal} signal
 * @returns {Promise<SummaryReply>}
 */
async function ask(client, { model, system, user, maxTokens }, signal) {
  try {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    const limits = { maxTokens, max_tokens: maxTokens, temperature: TEMPERATURE };
    const asked = new AskedModel(model);
    const answer = await client(asked.within({ messages, ...limits, signal, abortSignal: signal }));
    const reply = readAnswer(answer);
    return { ...reply, model: reply.model ?? asked.ifUsed };
  } catch (error) {
    return failureOf(error, signal);
  }
}

/** The model that a client is asked to use, and whether it can have: one that never looks has its own. */
class AskedModel {
  #model;
  #wasRead = false;

  /** @param {string} model */
  constructor(model) {
    this.#model = model;
  }

  /** The same parameters with the model among them. @param {object} parameters */
  within(parameters) {
    let model = this.#model;
    return Object.defineProperty({ model, ...parameters }, 'model', {
      get: () => {
        this.#wasRead = true;
        return model;
      },
      set: (/** @type {string} */ other) => {
        model = other;
      },
    });
  }

  get ifUsed() {
    return this.#wasRead ? this.#model : undefined;
  }
}

/** @param {any} error @param {AbortSignal} signal @returns {SummaryReply} */
function failureOf(error, signal) {
  const reply = { hasToolCalls: false, refused: false };
  if (signal.aborted) return { ...reply, failure: 'aborted' };
  try {
    const overflow = parseContextLengthError(error);
    if (overflow !== null) return { ...reply, failure: 'too_long', maxTokens: overflow.maxTokens ?? undefined };
    return { ...reply, failure: codeNameOf(error) };
  } catch {
    return { ...reply, failure: 'error' };
  }
}

/**
 * Reads a string, `{content}`, an OpenAI completion or response, an Anthropic message, what Gemini answers, and what
 * the AI SDK's `generateText` gives.
 * @param {any} answer
 * @returns {SummaryReply}
 */
function readAnswer(answer) {
  if (typeof answer === 'string') return { text: answer, hasToolCalls: false, refused: false };
  if (answer === null || typeof answer !== 'object') return { hasToolCalls: false, refused: false };
  const choice = Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  const candidate = Array.isArray(answer.candidates) ? answer.candidates[0] : undefined;
  const message = choice?.message ?? candidate?.content ?? answer.message ?? answer;
  const isList = Array.isArray(message.content) && message.content.length <= MOST_PARTS;
  const parts = isList ? message.content : [];
  const calls = message.tool_calls ?? message.function_call;
  const { usage } = answer;
  return {
    text: textOf(message.content) ?? textOf(message.parts) ?? string(message.text) ?? string(answer.output_text),
    hasToolCalls:
      (Array.isArray(calls) ? calls.length > 0 : Boolean(calls)) ||
      parts.some((/** @type {any} */ part) => part?.type === 'tool_use'),
    refused: typeof message.refusal === 'string' && message.refusal !== '',
    finishReason: string(
      choice?.finish_reason ??
        candidate?.finishReason ??
        answer.finish_reason ??
        answer.finishReason ??
        answer.stop_reason ??
        answer.incomplete_details?.reason,
    ),
    promptTokens: number(usage?.prompt_tokens ?? usage?.promptTokens ?? usage?.input_tokens ?? usage?.inputTokens),
    completionTokens: number(
      usage?.completion_tokens ?? usage?.completionTokens ?? usage?.output_tokens ?? usage?.outputTokens,
    ),
    model: modelName(answer.model),
  };
}

/** The name goes into logs, so it has to look like one. @param {unknown} model */
function modelName(model) {
  return typeof model === 'string' && /^[\w.:/@#+~-]{1,128}$/.test(model) ? model : undefined;
}

/** @param {unknown} content */
function textOf(content) {
  if (typeof content === 'string') return content;
  // An array may say that it has 2³²−1 elements, and would be walked for minutes.
  if (!Array.isArray(content) || content.length > MOST_PARTS) return undefined;
  const said = content.filter((part) => part?.thought !== true);
  const texts = said.map((part) => part?.text).filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('');
}

/** @param {unknown} value */
function string(value) {
  return typeof value === 'string' ? value : undefined;
}

/** @param {unknown} value */
function number(value) {
  return typeof value === 'number' ? value : undefined;
}

module.exports = { ask, callableOf };
