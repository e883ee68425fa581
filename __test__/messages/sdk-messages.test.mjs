// @ts-check
/** Our strict providers agree with the SDK packages, and the package finds the calls and results of messages that they make. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isBaseMessage } from '@langchain/core/messages';
import { generateText, MissingToolResultsError, modelMessageSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import fc from 'fast-check';
import * as aiRequests from '../fixtures/provider-requests/ai-sdk.mjs';
import * as langchainRequests from '../fixtures/provider-requests/langchain.mjs';
import { awaitingApproval } from '../fixtures/sdk-messages/ai.mjs';
import { SDK_MESSAGES } from '../fixtures/sdk-messages/all.mjs';
import { STEPS } from '../fixtures/sdk-messages/story.mjs';
import { runs } from '../support/comparison.mjs';
import { convert, DIALECTS, idsIn } from '../support/dialects.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';

const ids = STEPS.flat().map(({ id }) => id);

describe('messages that the real SDK packages make', () => {
  for (const [name, { dialect, messages }] of Object.entries(SDK_MESSAGES)) {
    const { problemsIn } = /** @type {any} */ (DIALECTS[dialect]);
    test(`${name}: the strict provider accepts them, after each step of the conversation`, async () => {
      const made = await messages();
      assert.deepEqual(problemsIn(made), []);
      for (let length = 1; length < made.length; length++)
        assert.deepEqual(
          problemsIn(made.slice(0, length), { pendingTurn: true }).filter(isRealProblem),
          [],
          `${length}`,
        );
    });

    test(`${name}: every call and result is found by its id`, async () => {
      const { calls, results } = idsIn(dialect, await messages());
      const expected = dialect === 'gemini without ids' ? ids.map(() => undefined) : ids;
      assert.deepEqual([calls, results], [expected, expected]);
    });
  }
});

/** A conversation may be cut between a reasoning item and the item after it. @param {string} problem */
const isRealProblem = (problem) => !problem.endsWith("reasoning without the model's item after it");

/** Why the package `ai` refuses the messages, or null. @param {any[]} messages */
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

/** Examples that the package handles differently: it runs or denies approved calls, and images were "media" in ai 5. */
const NOT_COMPARABLE = /awaits|approved|of every type/;

describe('our strict provider of ai-sdk agrees with the package ai', () => {
  test('a call that awaits approval after one that the provider ran is valid only until the next user message', async () => {
    const messages = await awaitingApproval();
    assert.deepEqual(idsIn('ai-sdk', messages), { calls: ['srvtoolu_1', 'call_1'], results: ['srvtoolu_1'] });
    assert.deepEqual(DIALECTS['ai-sdk']?.problemsIn(messages), []);
    assert.notDeepEqual(DIALECTS['ai-sdk']?.problemsIn([...messages, { role: 'user', content: 'Go on.' }]), []);
  });

  for (const [name, messages] of Object.entries(aiRequests.VALID).filter(([name]) => !NOT_COMPARABLE.test(name)))
    test(`the package accepts ${name}`, async () => assert.equal(await refusalOfAi(messages), null));

  test('the package accepts every converted session, and our provider refuses every damaged one that the package refuses', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(neutralSession(2), fc.nat(), fc.nat(), async (session, from, to) => {
        const { messages } = convert(session, 'ai-sdk');
        if (!session.isPending) assert.equal(await refusalOfAi(messages), null);
        const moved = messages.toSpliced(from % messages.length, 1);
        if (to % 2 === 0) moved.splice(to % messages.length, 0, messages[from % messages.length]);
        const isRefused = (await refusalOfAi(moved)) !== null;
        refused += +isRefused;
        if (isRefused) assert.notDeepEqual(DIALECTS['ai-sdk']?.problemsIn(moved), []);
      }),
      runs(0.03),
    );
    assert.ok(refused > 0);
  });

  test('the package refuses at least 15 of the examples that our provider refuses', async () => {
    const refusals = await Promise.all(Object.values(aiRequests.INVALID).map(({ messages }) => refusalOfAi(messages)));
    assert.ok(refusals.filter((refusal) => refusal !== null).length >= 15);
  });
});

describe('our strict provider of langchain compared with the package', () => {
  test('our provider and the package agree on which values are messages', () => {
    for (const { messages, why } of Object.values(langchainRequests.INVALID)) {
      const hasOtherValue = messages.some((message) => !isBaseMessage(message));
      assert.equal(why.includes('not a message of the package'), hasOtherValue);
    }
  });
});
