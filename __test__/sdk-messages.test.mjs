// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isBaseMessage } from '@langchain/core/messages';
import { generateText, MissingToolResultsError, modelMessageSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as aiRequests from './fixtures/provider-requests/ai-sdk.mjs';
import * as langchainRequests from './fixtures/provider-requests/langchain.mjs';
import { SDK_MESSAGES } from './fixtures/sdk-messages/all.mjs';
import { STEPS } from './fixtures/sdk-messages/story.mjs';
import { DIALECTS, idsIn } from './support/dialects.mjs';

const ids = STEPS.flat().map(({ id }) => id);

describe('messages that the real SDK packages make', () => {
  for (const [name, { dialect, messages }] of Object.entries(SDK_MESSAGES)) {
    const { problemsIn } = /** @type {any} */ (DIALECTS[dialect]);
    test(`${name}: the strict provider takes them, at the end of each step`, async () => {
      const made = await messages();
      assert.deepEqual(problemsIn(made), []);
      for (let length = 1; length < made.length; length++)
        assert.deepEqual(problemsIn(made.slice(0, length), { pendingTurn: true }).filter(isLasting), [], `${length}`);
    });

    test(`${name}: every call and every result is found`, async () => {
      const { calls, results } = idsIn(dialect, await messages());
      const expected = dialect === 'gemini without ids' ? ids.map(() => undefined) : ids;
      assert.deepEqual([calls, results], [expected, expected]);
    });
  }
});

/** An array may end between a reasoning item and what it led to. @param {string} problem */
const isLasting = (problem) => !problem.endsWith('reasoning without the item that it led to');

/** @param {any[]} messages what `ai` says to them */
async function refusalOfAi(messages) {
  for (const message of messages) if (!modelMessageSchema.safeParse(message).success) return 'schema';
  const content = [{ type: 'text', text: 'Done.' }];
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const doGenerate = async () => ({ content, finishReason: { unified: 'stop' }, usage, warnings: [] });
  const model = new MockLanguageModelV4({ doGenerate: /** @type {any} */ (doGenerate) });
  try {
    await generateText({ model, messages, allowSystemInMessages: true, maxRetries: 0 });
    return null;
  } catch (error) {
    return MissingToolResultsError.isInstance(error) ? 'missing' : String(error);
  }
}

describe('our strict provider of ai-sdk and the package itself', () => {
  for (const [name, messages] of Object.entries(aiRequests.VALID))
    test(`the package takes ${name}`, async (context) => {
      if (/awaits|approved/.test(name)) return context.skip('the package runs or denies such calls first');
      if (/of every type/.test(name)) return context.skip('"media" is what ai 5 called an image');
      assert.equal(await refusalOfAi(messages), null);
    });

  test('what the package refuses, it refuses', async () => {
    const refused = [];
    for (const [name, { messages }] of Object.entries(aiRequests.INVALID))
      if ((await refusalOfAi(messages)) !== null) refused.push(name);
    assert.ok(refused.length >= 15, `the package refuses ${refused.length} of our examples`);
  });
});

describe('our strict provider of langchain and the package itself', () => {
  test('what is no message of the package, isn’t one for either', () => {
    for (const { messages, why } of Object.values(langchainRequests.INVALID)) {
      const isStranger = messages.some((message) => !isBaseMessage(message));
      assert.equal(why.includes('no message of this package'), isStranger);
    }
  });
});
