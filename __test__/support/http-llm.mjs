// @ts-check
/** LLM clients for tests: with short timeouts, and without the machine's proxies. */
import assert from 'node:assert/strict';
import { HttpLlmClient, LlmHttpError } from 'palimpsest';
import { startFaultServer } from './fault-server.mjs';

export const KEY = 'sk-live-0123456789abcdefghij';
export const PROMPT = 'the prompt that nobody may log';
export const question = { model: 'm', messages: [{ role: 'user', content: PROMPT }], maxTokens: 5, temperature: 0.1 };

/** @param {{ url: string }} server @param {object} [options] */
export function clientOf({ url }, options = {}) {
  return new HttpLlmClient({ baseUrl: url, apiKey: KEY, proxy: false, maxRetryDelayMs: 20, ...options });
}

/**
 * @template T
 * @param {Parameters<typeof startFaultServer>[0]} script
 * @param {(server: Awaited<ReturnType<typeof startFaultServer>>) => Promise<T>} use
 * @param {Parameters<typeof startFaultServer>[1]} [options]
 */
export async function withServer(script, use, options) {
  const server = await startFaultServer(script, options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** @param {Promise<unknown>} promise @returns {Promise<any>} the error with which it rejects */
export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was fulfilled');
}

/**
 * The request's error, and the number of attempts.
 * @param {import('./fault-server.mjs').Fault[]} script
 * @param {object} [options]
 */
export function failedRequest(script, options) {
  return withServer(script, async (server) => {
    const error = await rejection(clientOf(server, options).chat(question));
    assert.ok(error instanceof LlmHttpError, String(error));
    return { error, attempts: server.requests.length };
  });
}

/**
 * Number of attempts until the reply `hi`.
 * @param {import('./fault-server.mjs').Fault[]} script
 * @param {object} [options]
 */
export function attemptsUntilSuccess(script, options) {
  return withServer(script, async (server) => {
    assert.equal((await clientOf(server, options).chat(question)).content, 'hi');
    return server.requests.length;
  });
}
