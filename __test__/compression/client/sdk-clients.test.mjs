// @ts-check
/** Clients of the SDKs, unwrapped or wrapped in one line, against a provider that refuses unknown parameters. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { SUMMARY_MODEL, startProvider } from '../../../examples/provider/provider.mjs';
import { configuration, expandHistory, processed, session, summaryIn } from '../../support/compression.mjs';

/**
 * Checks one `process` call with a client of a strict provider.
 * @param {(url: string) => any} clientAt
 * @param {(result: Awaited<ReturnType<typeof processed>> & { provider: Awaited<ReturnType<typeof startProvider>> }) => void} check
 * @param {Record<string, unknown>} [settings]
 */
async function withProvider(clientAt, check, settings = {}) {
  const provider = await startProvider({ script: () => undefined });
  try {
    const config = configuration({ autoCompressionSummaryModel: SUMMARY_MODEL, ...settings });
    check({ ...(await processed(session(), { config, model: clientAt(provider.url) })), provider });
  } finally {
    provider.close();
  }
}

const openai = (/** @type {string} */ url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0 });
const anthropic = (/** @type {string} */ url) => new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 });

/** @type {[string, (url: string) => any][]} */
const CLIENTS = [
  ["OpenAI's client", openai],
  ["Anthropic's client", anthropic],
  [
    "a function that passes the request to OpenAI's client",
    (url) => {
      const client = openai(url);
      return (/** @type {any} */ request) => client.chat.completions.create(request);
    },
  ],
  [
    "a function that passes a copy with another field to OpenAI's client",
    (url) => {
      const client = openai(url);
      return (/** @type {any} */ request) => client.chat.completions.create({ ...request, user: 'u' });
    },
  ],
  [
    'the function for Anthropic in docs/compression.md',
    (url) => {
      const client = anthropic(url);
      return (/** @type {any} */ { messages: [system, user], ...request }) =>
        client.messages.create({ ...request, system: system.content, messages: [user] });
    },
  ],
];

describe('R7.2 clients of the SDKs', () => {
  for (const [name, clientAt] of CLIENTS) {
    it(`R7.2 ${name} gets a summary from a provider that refuses unknown parameters`, () =>
      withProvider(clientAt, ({ messages, before, provider, manager }) => {
        assert.deepEqual(provider.refused, []);
        assert.match(summaryIn(messages)?.compression.model, /^summary-small/);
        assert.deepEqual(expandHistory(messages), before);
        const [usage] = manager.outcomeOf(messages).summaryUsage;
        assert.equal(usage.isEstimated, false);
        assert.ok(usage.inputTokens > 500 && usage.outputTokens > 20);
      }));
  }

  it('R7.2 gpt-5-mini gets max_completion_tokens, and neither max_tokens nor temperature', () =>
    withProvider(
      openai,
      ({ provider }) => {
        const {
          max_completion_tokens: limit,
          max_tokens: other,
          temperature,
        } = JSON.parse(provider.requests[0]?.text ?? '');
        assert.deepEqual([limit, other, temperature], [1000, undefined, undefined]);
      },
      { autoCompressionSummaryModel: 'gpt-5-mini' },
    ));

  it('R7.12 the event and the outcome name the class of an error of OpenAI', () =>
    withProvider(
      (url) => {
        const client = openai(url);
        return (/** @type {any} */ request) => client.chat.completions.create({ ...request, maxTokens: 7 });
      },
      ({ event, manager, messages, provider }) => {
        assert.equal(provider.refused.length, 1);
        assert.equal(event('summary_failed').error_class, 'invalid_request_error');
        const { did, reason, errorClass } = manager.outcomeOf(messages);
        assert.deepEqual([did, reason, errorClass], ['nothing', 'summary_failed', 'invalid_request_error']);
      },
    ));

  it('R7.12 the event names the class of an error of Anthropic', () =>
    withProvider(
      (url) => {
        const client = anthropic(url);
        return (/** @type {any} */ request) => client.messages.create(request);
      },
      ({ event }) => assert.equal(event('summary_failed').error_class, 'invalid_request_error'),
    ));
});
