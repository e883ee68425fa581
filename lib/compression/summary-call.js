// @ts-check
'use strict';

const { codeNameOf, errorClassOf, isClass } = require('../errors.js');
const { statusOf, textsOfError } = require('../results/error-texts.js');
const { parseContextLengthError } = require('../results/context-length-error.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { readLanguage } = require('../arguments.js');

/** Asks the application's LLM client for a summary: builds the call's parameters, and reads the response or the error. */

/**
 * @typedef {import('../../binding.js').SummaryCall} SummaryCall
 * @typedef {import('../../binding.js').SummaryReply} SummaryReply
 * @typedef {{ parameters: any, call: SummaryCall, signal: AbortSignal }} SummaryRequest
 * @typedef {(request: SummaryRequest) => unknown} Client a client of any kind, as one function that returns the response or a promise of it
 */

/** @param {any} client the application's @returns {Client | undefined} undefined if it is not a client */
function clientOf(client) {
  if (typeof client === 'function') return isClass(client) ? undefined : ({ parameters }) => client(parameters);
  if (client === null || typeof client !== 'object') return undefined;
  if (typeof client.chat?.completions?.create === 'function') {
    return ({ parameters, signal }) => client.chat.completions.create({ ...parameters }, { signal });
  }
  if (typeof client.messages?.create === 'function') {
    return (request) => client.messages.create(anthropicBody(request), { signal: request.signal });
  }
  const method = ['chat', 'call'].find((name) => typeof client[name] === 'function');
  return method === undefined ? undefined : ({ parameters }) => client[method](parameters);
}

/** Anthropic's API takes the system prompt outside the messages. @param {SummaryRequest} request */
function anthropicBody({ parameters, call: { maxTokens, system, user } }) {
  const { messages, max_completion_tokens: _, ...rest } = parameters;
  return { ...rest, max_tokens: maxTokens, system, messages: [{ role: 'user', content: user }] };
}

/** Only what every provider accepts is enumerable, because a client may pass all of that on. @param {SummaryCall} call @param {AbortSignal} signal */
function parametersOf({ system, user, maxTokens, limitName, temperature, takesTemperature }, signal) {
  const parameters = {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...(limitName !== '' && { [limitName]: maxTokens }),
    ...(takesTemperature && { temperature }),
  };
  // Other names of the same values, for a client that reads parameters by name. Parameters that the endpoint rejects are omitted.
  const limits = limitName === '' ? {} : { max_tokens: maxTokens, maxTokens };
  const hidden = { ...limits, signal, abortSignal: signal };
  for (const [name, value] of Object.entries(hidden).filter(([name]) => !Object.hasOwn(parameters, name))) {
    Object.defineProperty(parameters, name, { value, writable: true, configurable: true });
  }
  return parameters;
}

/** Never rejects: that would end the application's process. @param {Client} client @param {SummaryCall} call @param {AbortSignal} signal @returns {Promise<SummaryReply>} */
async function askForSummary(client, call, signal) {
  try {
    if (signal.aborted) return { failure: 'aborted' };
    const parameters = parametersOf(call, signal);
    const modelIfRead = setModel(parameters, call.model);
    const answer = await client({ parameters, call, signal });
    const answerText = JSON.stringify(copyOf(answer, fieldTree(), { left: MAX_ELEMENTS }) ?? null);
    return { answer: answerText, model: modelIfRead() };
  } catch (error) {
    return failureOf(error, signal);
  }
}

/** Returns a function for the model's name if the client has read it; otherwise the client uses its own. @param {object} parameters @param {string} model or empty */
function setModel(parameters, model) {
  let [current, wasRead] = [model, false];
  if (model === '') return () => undefined;
  Object.defineProperty(parameters, 'model', {
    enumerable: true,
    configurable: true,
    get() {
      wasRead = true;
      return current;
    },
    set(other) {
      current = other;
    },
  });
  return () => (wasRead ? model : undefined);
}

/** @param {any} error @param {AbortSignal} signal @returns {SummaryReply} */
function failureOf(error, signal) {
  if (signal.aborted) return { failure: 'aborted' };
  try {
    const overflow = parseContextLengthError(error);
    if (overflow !== null) return { failure: 'too_long', maxTokens: overflow.maxTokens ?? undefined };
    const complaint = textsOfError(error).join('\n');
    return { failure: codeNameOf(error), errorClass: errorClassOf(error), status: statusOf(error), complaint };
  } catch {
    return { failure: 'error' };
  }
}

/** Of all lists of a response: a proxy that claims a length of 2³²−1 would take minutes. */ const MAX_ELEMENTS = 65_536;

/** The fields to read below a field; `*`: in each element of a list, `0`: in its first. @typedef {{ [name: string]: FieldTree }} FieldTree */

/** The fields of a response that the core reads. No others are read: a client's own object may hold connections, cycles and getters. */
const fieldTree = once(() => {
  /** @type {FieldTree} */ const tree = {};
  for (const path of native.answerPaths()) {
    let node = tree;
    for (const name of path.split('.')) {
      node[name] ??= {};
      node = node[name];
    }
  }
  return tree;
});

/** A copy with only the fields in `tree`. @param {any} value @param {FieldTree} tree @param {{ left: number }} budget of list elements @returns {unknown} */
function copyOf(value, tree, budget) {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return copyOfElements(value, tree, budget);
  const names = Object.keys(tree).filter((name) => name !== '*' && name !== '0');
  return Object.fromEntries(names.map((name) => [name, copyOf(value[name], tree[name] ?? {}, budget)]));
}

/** @param {readonly unknown[]} list @param {FieldTree} tree @param {{ left: number }} budget */
function copyOfElements(list, tree, budget) {
  const { length } = list;
  const elementTree = tree['*'];
  // The core only checks whether such a list is empty, so one element is enough.
  if (elementTree === undefined) return length === 0 ? [] : [copyOf(list[0], tree['0'] ?? {}, budget) ?? null];
  budget.left -= length;
  if (!(budget.left >= 0)) return undefined;
  return Array.from({ length }, (_, index) => copyOf(list[index], elementTree, budget) ?? null);
}

/** The prompt that a summary model gets unless `options.prompt` changes it. @param {unknown} language */
const defaultSummaryPrompt = (language) => native.defaultSummaryPrompt(readLanguage('language', language) === 'zh');

module.exports = { askForSummary, clientOf, defaultSummaryPrompt };
