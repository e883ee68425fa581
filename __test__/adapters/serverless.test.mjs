// @ts-check
/**
 * Route handlers create a model, an agent or a client for each call. Through each SDK, a new adapter object per request sends the
 * same as a long-lived one; side requests and `conversationId` do not change that.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateText, wrapLanguageModel } from 'ai';
import { HumanMessage } from 'langchain';
import { contextPicture } from 'palimpsest';
import { middleware as aiSdk } from 'palimpsest/ai-sdk';
import { middleware as anthropic } from 'palimpsest/anthropic';
import { contextMiddleware } from 'palimpsest/langchain';
import { ContextProcessor } from 'palimpsest/mastra';
import { modelInputFilter } from 'palimpsest/openai-agents';
import * as claude from '../support/adapters/anthropic.mjs';
import * as langchain from '../support/adapters/langchain.mjs';
import * as mastra from '../support/adapters/mastra.mjs';
import * as agents from '../support/adapters/openai-agents.mjs';

const STEPS = 44;
/** The ledger also has the request before the first assistant message, which the adapter never saw. */
const EARLIER_REQUESTS = 1;
const TASK = 'Find the mistake in it.';
const TITLE = 'You give conversations a title.';
/** A price list with which results are removed within {@link STEPS} steps, in several batches. */
const PRICE = /** @type {const} */ ('openai-older');
const AGES = { shellRun: 8, fileRead: 8, search: 8, other: 8 };
const OPTIONS = /** @type {const} */ ({ price: PRICE, ages: AGES });

/** @typedef {{ views: Iterable<any> & { size: number }, ledger(): { requests: number, cost: number, costLeftAlone: number } }} Ours */

/**
 * By SDK: makes an adapter, and sends a request through it that has `steps` steps, or with `isTitle` only the user's first message with
 * another system prompt. `send` returns the messages that the provider gets.
 * @type {Record<string, { make: (options: any) => any, send: (adapter: any, steps: number, isTitle?: boolean) => Promise<any[]> }>}
 */
const SDKS = {
  'AI SDK': {
    make: aiSdk,
    async send(adapter, steps, isTitle = false) {
      const { model, requests } = mastra.scriptedModel(() => ({ text: 'ok' }), 'v3');
      const [system, task, ...turns] = mastra.promptOf(steps, TASK);
      const wrapped = wrapLanguageModel({ model, middleware: adapter });
      const messages = isTitle ? [task] : [task, ...turns];
      const options = { model: wrapped, system: isTitle ? TITLE : system.content, messages, maxRetries: 0 };
      await generateText(/** @type {any} */ (options));
      return requests[0] ?? [];
    },
  },
  Anthropic: {
    make: anthropic,
    async send(adapter, steps, isTitle = false) {
      const { client, bodies } = claude.clientWith([adapter]);
      const messages = claude.firstMessage('it');
      for (let step = 0; step < steps && !isTitle; step++) messages.push(...claude.turn('one', step));
      await client.messages.create({ ...claude.PARAMS, ...(isTitle && { system: TITLE }), messages });
      return bodies[0].messages;
    },
  },
  LangChain: {
    make: contextMiddleware,
    async send(adapter, steps, isTitle = false) {
      const model = new langchain.ScriptedModel(() => ({ content: 'ok' }));
      const messages = isTitle ? [new HumanMessage(TASK)] : langchain.history(steps, TASK);
      const agent = langchain.agentWith(model, adapter, isTitle ? { systemPrompt: TITLE } : {});
      await agent.invoke({ messages }, langchain.LONG);
      return langchain.bytesOf(model.requests[0] ?? []);
    },
  },
  Mastra: {
    make: (options) => new ContextProcessor(options),
    async send(adapter, steps, isTitle = false) {
      const { model, requests } = mastra.scriptedModel(() => ({ text: 'ok' }));
      const agent = mastra.agentWith(model, adapter, isTitle ? { instructions: TITLE } : {});
      const [, task, ...turns] = mastra.promptOf(steps, TASK);
      // Mastra merges successive messages of one role, so a user message is between the steps.
      const separatedTurns = turns.flatMap((message, at) =>
        at % 2 === 1 ? [message, { role: 'user', content: `On, ${at}.` }] : [message],
      );
      await agent.generate(/** @type {any} */ (isTitle ? [task] : [task, ...separatedTurns]), mastra.LONG);
      return mastra.bytesOf(requests[0] ?? []);
    },
  },
  'OpenAI Agents': {
    make: modelInputFilter,
    async send(adapter, steps, isTitle = false) {
      const { agent, inputs } = agents.scripted('one', { steps: 0 });
      const input = [agents.userMessage(TASK)];
      for (let step = 0; step < steps && !isTitle; step++) input.push(...agents.turn('one', step));
      const requestingAgent = isTitle ? agent.clone({ instructions: TITLE }) : agent;
      await agents.runnerWith({ callModelInputFilter: adapter }).run(requestingAgent, input);
      return inputs[0] ?? [];
    },
  },
};

/** The messages of an error and its causes, outermost first. @param {any} error @returns {string[]} */
const messagesOf = (error) => (error instanceof Error ? [error.message, ...messagesOf(error.cause)] : []);

/** @param {unknown} sent */
const sizeOf = (sent) => JSON.stringify(sent).length;

for (const [sdk, { make, send }] of Object.entries(SDKS)) {
  describe(`the adapter for ${sdk}`, () => {
    const playAlone = async () => {
      const adapter = make(OPTIONS);
      return play(() => adapter);
    };
    /** The messages that the provider gets in each request of a conversation. @param {(steps: number) => any} adapterFor @param {number} [titleAt] */
    const play = async (adapterFor, titleAt) => {
      const sent = [];
      for (let steps = 1; steps <= STEPS; steps++) {
        if (steps === titleAt) await send(adapterFor(steps), steps, true);
        sent.push(await send(adapterFor(steps), steps));
      }
      return sent;
    };

    test('R10.12 a new adapter object for each request sends the same as one long-lived object', async () => {
      const adapter = make(OPTIONS);
      const expected = await play(() => adapter);
      const whole = await send(make({ price: PRICE, outdatedBy: 'nothing' }), STEPS);
      assert.ok(sizeOf(expected.at(-1)) < 0.7 * sizeOf(whole), 'results are removed');
      assert.ok(adapter.ledger().cost < adapter.ledger().costLeftAlone);
      assert.deepEqual(await play(() => make(OPTIONS)), expected);
    });

    test('R10.15 a title request between two requests changes no byte of the conversation, and is on the bill', async () => {
      const adapter = make(OPTIONS);
      const plain = await playAlone();
      assert.deepEqual(await play(() => adapter, 30), plain);
      assert.equal(adapter.ledger().requests, EARLIER_REQUESTS + STEPS + 1);
    });

    test('R10.15 a request for which `side` returns true changes no byte of the conversation, and is on the bill', async () => {
      let isSide = false;
      const adapter = make({ ...OPTIONS, side: () => isSide });
      const plain = await playAlone();
      const sent = [];
      for (let steps = 1; steps <= STEPS; steps++) {
        // It looks like the next request of the conversation: only the application knows that it isn't.
        isSide = steps % 8 === 0;
        if (isSide) await send(adapter, steps + 1);
        isSide = false;
        sent.push(await send(adapter, steps));
      }
      assert.deepEqual(sent, plain);
      assert.equal(adapter.ledger().requests, EARLIER_REQUESTS + STEPS + Math.floor(STEPS / 8));
      assert.equal(adapter.views.size, 1);
    });

    test("ADAPTERS 3 conversationId gets the SDK's request object, and separates conversations with equal messages", async () => {
      let id = 'a';
      const seen = new Set();
      const adapter = make({
        ...OPTIONS,
        conversationId: (/** @type {unknown} */ request) => {
          seen.add(typeof request);
          return id;
        },
      });
      await send(adapter, 3);
      id = 'b';
      await send(adapter, 3);
      assert.equal(adapter.views.size, 2);
      id = 'a';
      await send(adapter, 4);
      const ledgers = [...adapter.views].map((view) => view.ledger());
      assert.deepEqual(
        ledgers.map(({ requests }) => requests),
        [1 + 3, 1 + 4],
      );
      assert.deepEqual([...seen], ['object']);
      const { requests, cost } = adapter.ledger();
      assert.equal(requests, 1 + 3 + 1 + 4);
      assert.ok(Math.abs(cost - ledgers.reduce((sum, ledger) => sum + ledger.cost, 0)) < 1e-6);
    });

    test('R10.7 `views` gives plan and ledger of each conversation, and contextPicture shows its replaced results', async () => {
      let id = 'a';
      const adapter = make({ ...OPTIONS, conversationId: () => id });
      for (let steps = 1; steps <= STEPS; steps++) await send(adapter, steps);
      id = 'b';
      await send(adapter, 3);
      const [long, short] = [...adapter.views];
      const { entries, requests, costLeftAlone, cost } = long.ledger();
      assert.ok(entries.length > 0 && cost < costLeftAlone);
      assert.deepEqual([requests, short.ledger().requests], [EARLIER_REQUESTS + STEPS, 1 + 3]);
      assert.equal(typeof long.plan().reason, 'string');
      assert.deepEqual(short.plan().pending, []);
      const [thread] = contextPicture(long).threads;
      const replaced = thread.cells.filter(({ replacedFrom }) => replacedFrom !== null);
      assert.ok(
        replaced.length > 0 && replaced.every(({ rule, placeholder }) => rule !== null && placeholder !== null),
      );
      assert.ok(contextPicture(short).threads[0].cells.length < thread.cells.length);
    });

    test('R0.3 an invalid `conversationId` or `side` is a TypeError', async () => {
      for (const options of [{ conversationId: 7 }, { side: 'yes' }, { side: {} }]) {
        assert.throws(() => make(options), { code: 'ERR_INVALID_ARG_TYPE' }, JSON.stringify(options));
      }
    });

    test('R0.3 an empty `conversationId` is a RangeError', () => {
      assert.throws(() => make({ conversationId: '' }), {
        code: 'ERR_OUT_OF_RANGE',
        message: 'options.conversationId: expected a string that is not empty, got an empty one',
      });
    });

    test('R0.3 a request fails if `conversationId` returns no string or an empty one; undefined and null are no name', async () => {
      /** @type {[unknown, string][]} */
      const invalid = [
        ['', 'a string that is not empty, got an empty one'],
        [7, 'a string, got a number'],
        [['a'], 'a string, got an array'],
        [Promise.resolve('a'), 'a string, got a Promise: is an await missing?'],
      ];
      /** @type {unknown} */ let returned;
      const adapter = make({ ...OPTIONS, conversationId: () => returned });
      for (const [value, expected] of invalid) {
        returned = value;
        const message = `what options.conversationId returned: expected ${expected}`;
        // SDKs wrap the error, or pass it on.
        await assert.rejects(send(adapter, 1), (error) => messagesOf(error).includes(message));
      }
      assert.equal(adapter.views.size, 0);
      for (const value of [undefined, null]) {
        returned = value;
        await send(adapter, 3);
      }
      assert.equal(adapter.views.size, 1);
    });
  });
}
