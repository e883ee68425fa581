// @ts-check
/** Clients of the SDKs, as they are and in one line, against a provider that refuses what it doesn't know. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { SUMMARY_MODEL, startProvider } from '../../../examples/provider/provider.mjs';
import { configuration, expandHistory, processed, session, summaryIn } from '../../support/compression.mjs';

/**
 * @param {(url: string) => any} clientAt
 * @param {(found: Awaited<ReturnType<typeof processed>> & { provider: Awaited<ReturnType<typeof startProvider>> }) => void} check
 * @param {Record<string, unknown>} [settings]
 */
async function asked(clientAt, check, settings = {}) {
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
  ["OpenAI's client as it is", openai],
  ["Anthropic's client as it is", anthropic],
  [
    "a function that passes the request on to OpenAI's client",
    (url) => {
      const client = openai(url);
      return (/** @type {any} */ request) => client.chat.completions.create(request);
    },
  ],
  [
    'one that adds to a copy of it',
    (url) => {
      const client = openai(url);
      return (/** @type {any} */ request) => client.chat.completions.create({ ...request, user: 'u' });
    },
  ],
  [
    "docs/compression.md's line for Anthropic",
    (url) => {
      const client = anthropic(url);
      return (/** @type {any} */ { messages: [system, user], ...request }) =>
        client.messages.create({ ...request, system: system.content, messages: [user] });
    },
  ],
];

describe('B7 the obvious clients', () => {
  for (const [name, clientAt] of CLIENTS) {
    it(`B7 ${name} writes summaries with a strict provider`, () =>
      asked(clientAt, ({ messages, before, provider, manager }) => {
        assert.deepEqual(provider.refused, []);
        assert.match(summaryIn(messages)?.compression.model, /^summary-small/);
        assert.deepEqual(expandHistory(messages), before);
        const [usage] = manager.outcomeOf(messages).summaryUsage;
        assert.equal(usage.isEstimated, false);
        assert.ok(usage.inputTokens > 500 && usage.outputTokens > 20);
      }));
  }

  it('B7 a model that knows another limit and no temperature is asked without the others', () =>
    asked(
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

  it('B8 what a provider refuses is named by its class, not only by its status', () =>
    asked(
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

  it("B8 Anthropic's class is found, too", () =>
    asked(
      (url) => {
        const client = anthropic(url);
        return (/** @type {any} */ request) => client.messages.create(request);
      },
      ({ event }) => assert.equal(event('summary_failed').error_class, 'invalid_request_error'),
    ));
});
