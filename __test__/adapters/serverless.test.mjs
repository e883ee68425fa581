// @ts-check
/**
 * Route handlers and helpers that make a model, an agent or a client per call: through the SDKs themselves, a new adapter object
 * for each request sends what one sends that lives.
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
/** The first request of a conversation shows one that was answered before. */
const EARLIER = 1;
const TASK = 'Find the mistake in it.';
const TITLE = 'You give conversations a title.';
/** A list under which something is removed within so many steps, some at a time. */
const PRICE = /** @type {const} */ ('openai-older');
const AGES = { shellRun: 8, fileRead: 8, search: 8, other: 8 };
const OURS = /** @type {const} */ ({ price: PRICE, ages: AGES });

/** @typedef {{ views: Iterable<any> & { size: number }, ledger(): { requests: number, cost: number, costLeftAlone: number } }} Ours */

/**
 * By SDK: how an adapter is made, and one request through it. `steps` many turns were before; with `isTitle` the user's first
 * message under another system prompt is all of it. Returns the messages that the provider was sent.
 * @type {Record<string, { make: (options: any) => any, ask: (ours: any, steps: number, isTitle?: boolean) => Promise<any[]> }>}
 */
const SDKS = {
  'AI SDK': {
    make: aiSdk,
    async ask(ours, steps, isTitle = false) {
      const { model, requests } = mastra.scriptedModel(() => ({ text: 'ok' }), 'v3');
      const [system, asked, ...turns] = mastra.promptOf(steps, TASK);
      const wrapped = wrapLanguageModel({ model, middleware: ours });
      const messages = isTitle ? [asked] : [asked, ...turns];
      const options = { model: wrapped, system: isTitle ? TITLE : system.content, messages, maxRetries: 0 };
      await generateText(/** @type {any} */ (options));
      return requests[0] ?? [];
    },
  },
  Anthropic: {
    make: anthropic,
    async ask(ours, steps, isTitle = false) {
      const { client, bodies } = claude.clientWith([ours]);
      const messages = claude.firstMessage('it');
      for (let step = 0; step < steps && !isTitle; step++) messages.push(...claude.turn('one', step));
      await client.messages.create({ ...claude.PARAMS, ...(isTitle && { system: TITLE }), messages });
      return bodies[0].messages;
    },
  },
  LangChain: {
    make: contextMiddleware,
    async ask(ours, steps, isTitle = false) {
      const model = new langchain.ScriptedModel(() => ({ content: 'ok' }));
      const messages = isTitle ? [new HumanMessage(TASK)] : langchain.history(steps, TASK);
      const agent = langchain.agentWith(model, ours, isTitle ? { systemPrompt: TITLE } : {});
      await agent.invoke({ messages }, langchain.LONG);
      return langchain.bytesOf(model.requests[0] ?? []);
    },
  },
  Mastra: {
    make: (options) => new ContextProcessor(options),
    async ask(ours, steps, isTitle = false) {
      const { model, requests } = mastra.scriptedModel(() => ({ text: 'ok' }));
      const agent = mastra.agentWith(model, ours, isTitle ? { instructions: TITLE } : {});
      const [, asked, ...turns] = mastra.promptOf(steps, TASK);
      // Mastra puts messages of one kind into one, unless the user says something between.
      const said = turns.flatMap((message, at) =>
        at % 2 === 1 ? [message, { role: 'user', content: `On, ${at}.` }] : [message],
      );
      await agent.generate(/** @type {any} */ (isTitle ? [asked] : [asked, ...said]), mastra.LONG);
      return mastra.bytesOf(requests[0] ?? []);
    },
  },
  'OpenAI Agents': {
    make: modelInputFilter,
    async ask(ours, steps, isTitle = false) {
      const { agent, inputs } = agents.scripted('one', { steps: 0 });
      const input = [agents.userMessage(TASK)];
      for (let step = 0; step < steps && !isTitle; step++) input.push(...agents.turn('one', step));
      const asking = isTitle ? agent.clone({ instructions: TITLE }) : agent;
      await agents.runnerWith({ callModelInputFilter: ours }).run(asking, input);
      return inputs[0] ?? [];
    },
  },
};

/** @param {unknown} sent */
const sizeOf = (sent) => JSON.stringify(sent).length;

for (const [sdk, { make, ask }] of Object.entries(SDKS)) {
  describe(sdk, () => {
    /** What each request of a conversation is sent as. @param {(steps: number) => any} adapterFor @param {number} [titleAt] */
    const play = async (adapterFor, titleAt) => {
      const sent = [];
      for (let steps = 1; steps <= STEPS; steps++) {
        if (steps === titleAt) await ask(adapterFor(steps), steps, true);
        sent.push(await ask(adapterFor(steps), steps));
      }
      return sent;
    };
    const living = (/** @type {any} */ ours) => () => ours;

    test('R10.12 a new adapter object for each request sends the same as one long-lived object', async () => {
      const ours = make(OURS);
      const one = await play(living(ours));
      const whole = await ask(make({ price: PRICE, outdatedBy: 'nothing' }), STEPS);
      assert.ok(sizeOf(one.at(-1)) < 0.7 * sizeOf(whole), 'something was left out');
      assert.ok(ours.ledger().cost < ours.ledger().costLeftAlone);
      assert.deepEqual(await play(() => make(OURS)), one);
    });

    test('R10.15 a title request between two requests changes no byte of the conversation, and is on the bill', async () => {
      const ours = make(OURS);
      const plain = await play(living(make(OURS)));
      assert.deepEqual(await play(living(ours), 30), plain);
      assert.equal(ours.ledger().requests, EARLIER + STEPS + 1);
    });

    test('R10.15 a request for which `side` returns true changes no byte of the conversation, and is on the bill', async () => {
      let isSide = false;
      const ours = make({ ...OURS, side: () => isSide });
      const plain = await play(living(make(OURS)));
      const sent = [];
      for (let steps = 1; steps <= STEPS; steps++) {
        // As long as the next request of the conversation, so that only the host can know.
        isSide = steps % 8 === 0;
        if (isSide) await ask(ours, steps + 1);
        isSide = false;
        sent.push(await ask(ours, steps));
      }
      assert.deepEqual(sent, plain);
      assert.equal(ours.ledger().requests, EARLIER + STEPS + Math.floor(STEPS / 8));
      assert.equal(ours.views.size, 1);
    });

    test("ADAPTERS 3 conversationId gets the SDK's request object, and separates conversations with equal messages", async () => {
      let id = 'a';
      const seen = new Set();
      const ours = make({
        ...OURS,
        conversationId: (/** @type {unknown} */ request) => {
          seen.add(typeof request);
          return id;
        },
      });
      await ask(ours, 3);
      id = 'b';
      await ask(ours, 3);
      assert.equal(ours.views.size, 2);
      id = 'a';
      await ask(ours, 4);
      const ledgers = [...ours.views].map((view) => view.ledger());
      assert.deepEqual(
        ledgers.map(({ requests }) => requests),
        [1 + 3, 1 + 4],
        'the one asked for last at the end',
      );
      assert.deepEqual([...seen], ['object']);
      const { requests, cost } = ours.ledger();
      assert.equal(requests, 1 + 3 + 1 + 4);
      assert.ok(Math.abs(cost - ledgers.reduce((sum, ledger) => sum + ledger.cost, 0)) < 1e-6);
    });

    test('R10.7 `views` gives plan and ledger of each conversation, and contextPicture shows its replaced results', async () => {
      let id = 'a';
      const ours = make({ ...OURS, conversationId: () => id });
      for (let steps = 1; steps <= STEPS; steps++) await ask(ours, steps);
      id = 'b';
      await ask(ours, 3);
      const [long, short] = [...ours.views];
      const { entries, requests, costLeftAlone, cost } = long.ledger();
      assert.ok(entries.length > 0 && cost < costLeftAlone);
      assert.deepEqual([requests, short.ledger().requests], [EARLIER + STEPS, 1 + 3]);
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
      await assert.rejects(ask(make({ conversationId: () => 7 }), 1), /conversationId/);
    });
  });
}
