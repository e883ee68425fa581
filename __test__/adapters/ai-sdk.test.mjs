// @ts-check
/** `palimpsest/ai-sdk` in runs of the SDK itself, in its three majors, against the strict mock provider. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { middleware, prepareStep } from 'palimpsest/ai-sdk';
import { z } from 'zod';
import { SUMMARY_MODEL, startProvider } from '../../examples/provider/provider.mjs';
import { read, reads, user, VERSIONS } from '../support/ai-sdk.mjs';

/** @typedef {import('../../examples/provider/provider.mjs').Turn} Turn */

/** Reports that nothing came from a cache, however fast requests follow each other. */
const NO_CACHE = { read: 1, write: 1, ttlMs: 0, minTokens: 1e9 };
const DEEPSEEK = /** @type {const} */ ({ price: 'deepseek' });
const STEPS = 14;
const TEXT = 'what the file says, line by line. '.repeat(40);
const PLACEHOLDER = 'Earlier read of this file removed';

/** @param {number} step @returns {Turn} */
const reading = (step) =>
  step < STEPS ? { calls: [{ name: 'read_file', arguments: { path: 'src/a.js' } }] } : { text: 'Read.' };

/** @param {string} text of a request */
const placeholders = (text) => text.split(PLACEHOLDER).length - 1;

/**
 * What a test needs of one version: its functions, a model of a provider of its own, and a tool.
 * @param {typeof VERSIONS[number]} of
 * @param {Partial<Parameters<typeof startProvider>[0]>} [how]
 */
async function runner({ ai, create }, how) {
  const provider = await startProvider({ script: reading, price: NO_CACHE, ...how });
  const settings = { name: 'mock', baseURL: `${provider.url}/v1`, includeUsage: true };
  const plain = create(settings)('agent-large');
  const tools = {
    read_file: ai.tool({ description: '', inputSchema: z.object({ path: z.string() }), execute: () => TEXT }),
  };
  const stopWhen = (ai.isStepCount ?? ai.stepCountIs)(STEPS + 1);
  const common = { tools, stopWhen, maxRetries: 0, messages: reads(0, 'Go.').slice(1), system: 'You are an engineer.' };
  const wrapped = (/** @type {any} */ ours) => ai.wrapLanguageModel({ model: plain, middleware: ours });
  return { ...ai, provider, plain, wrapped, common, [Symbol.asyncDispose]: async () => provider.close() };
}

for (const version of VERSIONS) {
  describe(`ai ${version.version}`, () => {
    /** @param {(run: any) => Promise<void>} does @param {Partial<Parameters<typeof startProvider>[0]>} [how] */
    const against = (does, how) => async () => {
      const run = await runner(version, how);
      try {
        await does(run);
      } finally {
        run.provider.close();
      }
    };

    test(
      'R13.2 middleware sends placeholders for outdated results, and the run keeps the originals',
      against(async ({ generateText, wrapped, common, provider }) => {
        const { text, response, responseMessages } = await generateText({
          ...common,
          model: wrapped(middleware({ price: 'none', outdatedBy: 'age', arrivalTimes: true })),
        });
        assert.equal(text, 'Read.');
        assert.deepEqual(provider.refused, []);
        assert.equal(placeholders(provider.requests.at(-1)?.text ?? ''), STEPS - 5);
        const kept = JSON.stringify(responseMessages ?? response.messages);
        assert.deepEqual([kept.split(TEXT).length - 1, kept.includes(PLACEHOLDER)], [STEPS, false]);
      }),
    );

    test(
      'ADAPTERS 4 prepareStep sends the same bytes as middleware at each step, also where the SDK keeps what it returned',
      against(async ({ generateText, streamText, plain, wrapped, common, provider }) => {
        await generateText({
          ...common,
          model: wrapped(middleware({ price: 'none', outdatedBy: 'age', arrivalTimes: true })),
        });
        const expected = provider.requests.splice(0).map(({ text }) => text);
        await generateText({
          ...common,
          model: plain,
          prepareStep: prepareStep({ price: 'none', outdatedBy: 'age', arrivalTimes: true }),
        });
        assert.deepEqual(
          provider.requests.splice(0).map(({ text }) => text),
          expected,
        );
        await streamText({
          ...common,
          model: plain,
          prepareStep: prepareStep({ price: 'none', outdatedBy: 'age', arrivalTimes: true }),
        }).text;
        assert.deepEqual(
          provider.requests.map(({ text }) => JSON.parse(text).messages),
          expected.map((text) => JSON.parse(text).messages),
        );
        assert.ok(placeholders(expected.at(-1) ?? '') > 0);
      }),
    );

    test(
      'ADAPTERS 4 a stored call without a result is rejected without prepareStep, and gets a result with it',
      against(
        async ({ generateText, plain, common, provider }) => {
          const [stopped] = read('call_stopped');
          const messages = [user('Go.'), stopped, user('And now?')];
          const asked = { ...common, messages, model: plain };
          await assert.rejects(generateText(asked));
          const { text } = await generateText({ ...asked, prepareStep: prepareStep() });
          assert.equal(text, 'Done.');
          assert.equal(JSON.parse(provider.requests.at(-1)?.text ?? '').messages[3].tool_call_id, 'call_stopped');
        },
        { script: () => undefined },
      ),
    );

    for (const hook of ['middleware', 'prepareStep']) {
      for (const [price, least, most, what] of /** @type {const} */ ([
        [NO_CACHE, 0.85, 1, 'nothing cached'],
        ['deepseek', 0, 0.5, 'cached prompts'],
      ])) {
        test(
          `R10.6 the ledger of ${hook} follows the provider's report of ${what}`,
          against(
            async ({ generateText, streamText, plain, wrapped, common, provider }) => {
              for (const isStreamed of [false, true]) {
                const ours = hook === 'middleware' ? middleware(DEEPSEEK) : prepareStep(DEEPSEEK);
                const asked =
                  hook === 'middleware'
                    ? { ...common, model: wrapped(ours) }
                    : { ...common, model: plain, prepareStep: ours };
                if (isStreamed) await streamText(asked).text;
                else await generateText(asked);
                const tokens = provider.requests.splice(0).reduce((sum, request) => sum + request.tokens, 0);
                const share = ours.ledger().cost / tokens;
                // Nobody reports the last request of a run to `prepareStep`.
                assert.ok(share >= least && share <= most, `${share} of the price without a cache`);
              }
            },
            { price },
          ),
        );
      }
    }

    test(
      'R10.7 the ledger of prepareStep has the cost of its requests and of the unmodified history',
      against(async ({ generateText, plain, common, provider }) => {
        const ours = prepareStep({ price: 'none', outdatedBy: 'age', arrivalTimes: true });
        await generateText({ ...common, model: plain, prepareStep: ours });
        const { requests, cost, costLeftAlone } = ours.ledger();
        assert.equal(requests, provider.requests.length);
        assert.ok(cost > 0 && cost < costLeftAlone);
      }),
    );

    test(
      'R13.4 a failed request is retried with the same bytes, and the run completes',
      against(
        async ({ generateText, wrapped, common, provider }) => {
          const model = wrapped(middleware({ price: 'none', outdatedBy: 'age', arrivalTimes: true }));
          const { text } = await generateText({ ...common, model, maxRetries: 2 });
          assert.equal(text, 'Read.');
          const [failed, again] = provider.requests.slice(8);
          assert.deepEqual([failed?.status, again?.status, again?.text], [500, 200, failed?.text]);
          assert.equal(placeholders(provider.requests.at(-1)?.text ?? ''), STEPS - 5);
        },
        { script: failingOnce(8) },
      ),
    );

    test(
      'R13.4 an aborted stream does not change the next request of its conversation',
      against(async ({ streamText, wrapped, common, provider }) => {
        const ours = middleware({ price: 'none', outdatedBy: 'age', arrivalTimes: true });
        const messages = reads(8, 'Go.').slice(1);
        const abort = new AbortController();
        const cut = streamText({ ...common, messages, model: wrapped(ours), abortSignal: abort.signal, onError() {} });
        for await (const _ of cut.fullStream) abort.abort();
        const sent = provider.requests.length;
        await streamText({ ...common, messages: [...messages, user('Go on.')], model: wrapped(ours) }).text;
        assert.ok(provider.requests.length > sent);
        assert.equal(placeholders(provider.requests[sent]?.text ?? ''), 3);
        assert.deepEqual(provider.refused, []);
      }),
    );

    test(
      'R13.1 with compression configured, the model is sent a summary in a valid request',
      against(async ({ generateText, wrapped, common, provider, plain: _ }) => {
        const config = {
          maxContextTokens: 3_000,
          autoCompressionSummaryModel: SUMMARY_MODEL,
          autoCompressionThreshold: 0.5,
        };
        const llmClient = async () => '## Goal\nTo read the file.\n## Done\nIt was read several times.';
        const model = wrapped(
          middleware({
            price: 'none',
            outdatedBy: 'age',
            arrivalTimes: true,
            fileReads: false,
            compression: { config, llmClient },
          }),
        );
        const { text } = await generateText({ ...common, model });
        assert.equal(text, 'Read.');
        assert.deepEqual(provider.refused, []);
        const last = provider.requests.at(-1)?.text ?? '';
        assert.ok(last.includes('[压缩摘要]') && JSON.parse(last).messages.length < 2 * STEPS);
      }),
    );
  });
}

/** @param {number} at the request that fails @returns {(step: number) => Turn} */
function failingOnce(at) {
  let requests = 0;
  return (step) => (requests++ === at ? { status: 500 } : reading(step));
}
