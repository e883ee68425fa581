// @ts-check
'use strict';

/** Turns the application's LLM client, of any of the accepted kinds, into one function; and builds what it is called with. */

const { isClass, wrongType } = require('../errors.js');

/**
 * @typedef {import('../../binding.js').SummaryCall} SummaryCall
 * @typedef {{ parameters: any, call: SummaryCall, signal: AbortSignal }} SummaryRequest
 * @typedef {(request: SummaryRequest) => unknown} Client the common form of all clients; returns the response or a promise of it
 */

const EXPECTED = 'a function, an object with chat or call, or a client of the OpenAI or Anthropic SDK';

/** @param {any} client @returns {Client | undefined} undefined if it is not a client */
function clientOf(client) {
  if (typeof client === 'function') return isClass(client) ? undefined : ({ parameters }) => client(parameters);
  if (client === null || typeof client !== 'object') return undefined;
  if (typeof client.chat?.completions?.create === 'function') {
    return ({ parameters, signal }) => client.chat.completions.create({ ...parameters }, { signal });
  }
  if (typeof client.messages?.create === 'function') {
    return (request) => client.messages.create(anthropicBody(request), { signal: request.signal });
  }
  for (const method of ['chat', 'call']) {
    if (typeof client[method] === 'function') return ({ parameters }) => client[method](parameters);
  }
  return undefined;
}

/** @param {unknown} client */
function readClient(client) {
  const found = clientOf(client);
  if (found === undefined) throw wrongType('llmClient', EXPECTED, client);
  return found;
}

/** Anthropic's API takes the system prompt outside the messages. @param {SummaryRequest} request */
function anthropicBody({ parameters, call }) {
  const { messages, max_completion_tokens: _, ...rest } = parameters;
  return { ...rest, max_tokens: call.maxTokens, system: call.system, messages: [{ role: 'user', content: call.user }] };
}

/**
 * The parameters of a summary call. Only those that every provider accepts are enumerable, because a client may pass all enumerable ones on.
 * @param {SummaryCall} call @param {AbortSignal} signal
 */
function parametersOf({ system, user, maxTokens, limitName, temperature, takesTemperature }, signal) {
  const parameters = {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...(limitName !== '' && { [limitName]: maxTokens }),
    ...(takesTemperature && { temperature }),
  };
  // Other names of the same values, for a client that reads parameters by name. Those that the endpoint rejects are left out.
  const limit = limitName === '' ? {} : { max_tokens: maxTokens, maxTokens };
  const readable = { ...limit, ...(takesTemperature && { temperature }), signal, abortSignal: signal };
  for (const [name, value] of Object.entries(readable)) {
    if (!Object.hasOwn(parameters, name)) {
      Object.defineProperty(parameters, name, { value, writable: true, configurable: true });
    }
  }
  return parameters;
}

module.exports = { clientOf, parametersOf, readClient };
