// @ts-check
/** `palimpsest/ai-sdk` in runs of `ai` itself, in three major versions, against the strict mock provider. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { middleware, prepareStep } from 'palimpsest/ai-sdk';
import { z } from 'zod';
import { SUMMARY_MODEL, startProvider } from '../../examples/provider/provider.mjs';
import { assertLedger, REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';
import { read, reads, user, VERSIONS } from '../support/ai-sdk.mjs';

/** @typedef {import('../../examples/provider/provider.mjs').Turn} Turn */

/** Price with which the mock provider never reports a cached token. */
const NO_CACHE = { read: 1, write: 1, ttlMs: 0, minTokens: 1e9 };
const DEEPSEEK = /** @type {const} */ ({ price: 'deepseek' });
const STEPS = 14;
const TEXT = 'what the file says, line by line. '.repeat(40);
const PLACEHOLDER = 'Earlier read of this file removed';

/** @param {number} step @returns {Turn} */
const readingScript = (step) =>
  step < STEPS ? { calls: [{ name: 'read_file', arguments: { path: 'src/a.js' } }] } : { text: 'Read.' };

/** @param {string} text of a request */
const placeholdersIn = (text) => text.split(PLACEHOLDER).length - 1;

/**
 * Functions of one version of `ai`, a mock provider with its model, and common options with a tool.
 * @param {typeof VERSIONS[number]} version
 * @param {Partial<Parameters<typeof startProvider>[0]>} [providerOptions]
 */
async function runnerOf({ ai, create }, providerOptions) {
  const provider = await startProvider({ script: readingScript, price: NO_CACHE, ...providerOptions });
  const settings = { name: 'mock', baseURL: `${provider.url}/v1`, includeUsage: true };
  const model = create(settings)('agent-large');
  const tools = {
    read_file: ai.tool({ description: '', inputSchema: z.object({ path: z.string() }), execute: () => TEXT }),
  };
  const stopWhen = (ai.isStepCount ?? ai.stepCountIs)(STEPS + 1);
  const common = { tools, stopWhen, maxRetries: 0, messages: reads(0, 'Go.').slice(1), system: 'You are an engineer.' };
  const wrapped = (/** @type {any} */ adapter) => ai.wrapLanguageModel({ model, middleware: adapter });
  return { ...ai, provider, model, wrapped, common };
}

for (const version of VERSIONS) {
  describe(`palimpsest/ai-sdk with ai ${version.version}`, () => {
    /** @param {(runner: any) => Promise<void>} body of a test @param {Partial<Parameters<typeof startProvider>[0]>} [providerOptions] */
    const withRunner = (body, providerOptions) => async () => {
      const runner = await runnerOf(version, providerOptions);
      try {
        await body(runner);
      } finally {
        runner.provider.close();
      }
    };

    test(
      'R13.2 middleware sends placeholders for outdated results, and the run keeps the originals',
      withRunner(async ({ generateText, wrapped, common, provider }) => {
        const { text, response, responseMessages } = await generateText({
          ...common,
          model: wrapped(middleware(REMOVE_AT_ONCE)),
        });
        assert.equal(text, 'Read.');
        assert.deepEqual(provider.refused, []);
        assert.equal(placeholdersIn(provider.requests.at(-1)?.text ?? ''), STEPS - 5);
        const kept = JSON.stringify(responseMessages ?? response.messages);
        assert.deepEqual([kept.split(TEXT).length - 1, kept.includes(PLACEHOLDER)], [STEPS, false]);
      }),
    );

    test(
      'ADAPTERS 4 prepareStep sends the same bytes as middleware at each step, also where the SDK keeps what it returned',
      withRunner(async ({ generateText, streamText, model, wrapped, common, provider }) => {
        await generateText({ ...common, model: wrapped(middleware(REMOVE_AT_ONCE)) });
        const expected = provider.requests.splice(0).map(({ text }) => text);
        await generateText({ ...common, model, prepareStep: prepareStep(REMOVE_AT_ONCE) });
        assert.deepEqual(
          provider.requests.splice(0).map(({ text }) => text),
          expected,
        );
        await streamText({ ...common, model, prepareStep: prepareStep(REMOVE_AT_ONCE) }).text;
        assert.deepEqual(
          provider.requests.map(({ text }) => JSON.parse(text).messages),
          expected.map((text) => JSON.parse(text).messages),
        );
        assert.ok(placeholdersIn(expected.at(-1) ?? '') > 0);
      }),
    );

    test(
      'ADAPTERS 4 a stored call without a result is rejected without prepareStep, and gets a result with it',
      withRunner(
        async ({ generateText, model, common, provider }) => {
          const [unanswered] = read('call_unanswered');
          const messages = [user('Go.'), unanswered, user('And now?')];
          const options = { ...common, messages, model };
          await assert.rejects(generateText(options));
          const { text } = await generateText({ ...options, prepareStep: prepareStep() });
          assert.equal(text, 'Done.');
          assert.equal(JSON.parse(provider.requests.at(-1)?.text ?? '').messages[3].tool_call_id, 'call_unanswered');
        },
        { script: () => undefined },
      ),
    );

    for (const hook of ['middleware', 'prepareStep']) {
      for (const [price, minRatio, maxRatio, what] of /** @type {const} */ ([
        [NO_CACHE, 0.85, 1, 'nothing cached'],
        ['deepseek', 0, 0.5, 'cached prompts'],
      ])) {
        test(
          `R10.6 the ledger of ${hook} follows the provider's report of ${what}`,
          withRunner(
            async ({ generateText, streamText, model, wrapped, common, provider }) => {
              for (const isStreamed of [false, true]) {
                const adapter = hook === 'middleware' ? middleware(DEEPSEEK) : prepareStep(DEEPSEEK);
                const options =
                  hook === 'middleware'
                    ? { ...common, model: wrapped(adapter) }
                    : { ...common, model, prepareStep: adapter };
                if (isStreamed) await streamText(options).text;
                else await generateText(options);
                const tokens = provider.requests.splice(0).reduce((sum, request) => sum + request.tokens, 0);
                const costRatio = adapter.ledger().cost / tokens;
                // `prepareStep` gets no report for the last request of a run.
                assert.ok(costRatio >= minRatio && costRatio <= maxRatio, `${costRatio} of the cost without a cache`);
              }
            },
            { price },
          ),
        );
      }
    }

    test(
      'R10.7 the ledger of prepareStep has the cost of its requests and of the unmodified history',
      withRunner(async ({ generateText, model, common, provider }) => {
        const adapter = prepareStep(REMOVE_AT_ONCE);
        await generateText({ ...common, model, prepareStep: adapter });
        assertLedger(adapter.ledger(), provider.requests.length);
      }),
    );

    test(
      'R13.4 a failed request is retried with the same bytes, and the run completes',
      withRunner(
        async ({ generateText, wrapped, common, provider }) => {
          const model = wrapped(middleware(REMOVE_AT_ONCE));
          const { text } = await generateText({ ...common, model, maxRetries: 2 });
          assert.equal(text, 'Read.');
          const [failed, retried] = provider.requests.slice(8);
          assert.deepEqual([failed?.status, retried?.status, retried?.text], [500, 200, failed?.text]);
          assert.equal(placeholdersIn(provider.requests.at(-1)?.text ?? ''), STEPS - 5);
        },
        { script: failingOnce(8) },
      ),
    );

    test(
      'R13.4 an aborted stream does not change the next request of its conversation',
      withRunner(async ({ streamText, wrapped, common, provider }) => {
        const adapter = middleware(REMOVE_AT_ONCE);
        const messages = reads(8, 'Go.').slice(1);
        const abort = new AbortController();
        const aborted = streamText({
          ...common,
          messages,
          model: wrapped(adapter),
          abortSignal: abort.signal,
          onError() {},
        });
        for await (const _ of aborted.fullStream) abort.abort();
        const requestCount = provider.requests.length;
        await streamText({ ...common, messages: [...messages, user('Go on.')], model: wrapped(adapter) }).text;
        assert.ok(provider.requests.length > requestCount);
        assert.equal(placeholdersIn(provider.requests[requestCount]?.text ?? ''), 3);
        assert.deepEqual(provider.refused, []);
      }),
    );

    test(
      'R13.1 with compression configured, the model is sent a summary in a valid request',
      withRunner(async ({ generateText, wrapped, common, provider }) => {
        const config = {
          maxContextTokens: 3_000,
          autoCompressionSummaryModel: SUMMARY_MODEL,
          autoCompressionThreshold: 0.5,
        };
        const llmClient = async () => '## Goal\nTo read the file.\n## Done\nIt was read several times.';
        const model = wrapped(middleware({ ...REMOVE_AT_ONCE, fileReads: false, compression: { config, llmClient } }));
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
  return (step) => (requests++ === at ? { status: 500 } : readingScript(step));
}
