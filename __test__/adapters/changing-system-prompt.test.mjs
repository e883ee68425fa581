// @ts-check
/** Applications write the time, or a list of what is to do, into the system prompt. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { createAgent, dynamicSystemPromptMiddleware, HumanMessage, tool } from 'langchain';
import { contextMiddleware } from 'palimpsest/langchain';
import { ContextProcessor } from 'palimpsest/mastra';
import { z } from 'zod';
import * as langchain from '../support/adapters/langchain.mjs';
import * as mastra from '../support/adapters/mastra.mjs';
import { REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';

const BUILDS = 12;
const schema = z.object({ command: z.string() });

/** Takes five minutes. */
function build() {
  mock.timers.tick(5 * 60_000);
  return 'built '.repeat(100);
}

/** All but the newest five, and all are older than a quarter of an hour. @param {readonly unknown[]} texts */
function outdatedIn(texts) {
  assert.equal(texts.length, BUILDS);
  return texts.filter((text) => !String(text).startsWith('built')).length;
}

/** @param {() => Promise<void>} does */
const atFirst = (does) => async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
  try {
    await does();
  } finally {
    mock.timers.reset();
  }
};

test(
  'ADAPTERS 3 LangChain: requests whose system prompt contains the current time belong to one conversation',
  atFirst(async () => {
    let request = 0;
    const model = new langchain.ScriptedModel((_messages, nth) => {
      const call = { id: `c${nth}`, name: 'bash', args: { command: 'make' }, type: /** @type {const} */ ('tool_call') };
      return nth < BUILDS ? { content: '', tool_calls: [call] } : { content: 'done' };
    });
    const clock = dynamicSystemPromptMiddleware(() => `You build. It is ${request++} o'clock.`);
    const middleware = [clock, contextMiddleware({ ...REMOVE_AT_ONCE, maxViews: 1 })];
    const agent = createAgent({ model, tools: [tool(build, { name: 'bash', description: '', schema })], middleware });
    await agent.invoke({ messages: [new HumanMessage('go')] }, langchain.LONG);
    const last = model.requests.at(-1) ?? [];
    assert.match(`${last[0]?.text}`, /It is 12 o'clock/);
    assert.equal(outdatedIn(last.filter(({ type }) => type === 'tool').map(({ content }) => content)), BUILDS - 5);
  }),
);

test(
  'ADAPTERS 3 Mastra: runs whose system prompt contains the current time belong to one conversation',
  atFirst(async () => {
    let run = 0;
    const { model, requests } = mastra.scriptedModel((_prompt, nth) => {
      const calls = [{ id: `c${nth}`, name: 'bash', input: { command: 'make' } }];
      return nth % 4 < 3 ? { calls } : { text: 'done' };
    });
    const bash = createTool({ id: 'bash', description: '', inputSchema: schema, execute: async () => build() });
    const agent = mastra.agentWith(model, new ContextProcessor({ ...REMOVE_AT_ONCE, maxViews: 1 }), {
      instructions: () => `You build. It is ${run} o'clock.`,
      memory: new MockMemory({ options: { lastMessages: 1000 } }),
      tools: { bash },
    });
    for (; run < BUILDS / 3; run++) {
      await agent.generate(`go ${run}`, { ...mastra.LONG, memory: { thread: 't', resource: 'r' } });
    }
    const last = requests.at(-1) ?? [];
    assert.match(last[0].content, /It is 3 o'clock/);
    const results = last.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    assert.equal(outdatedIn(results.map(({ output }) => output.value)), BUILDS - 5);
  }),
);
