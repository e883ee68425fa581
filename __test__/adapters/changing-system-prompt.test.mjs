// @ts-check
/** Applications write the current time, or a list of tasks, into the system prompt: requests that differ in it are one conversation. */
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

/** A command of five minutes. */
function build() {
  mock.timers.tick(5 * 60_000);
  return 'built '.repeat(100);
}

/** All results but the newest five are outdated: they are older than 15 minutes. @param {readonly unknown[]} texts of the results */
function assertOutdatedReplaced(texts) {
  assert.equal(texts.length, BUILDS);
  assert.equal(texts.filter((text) => !String(text).startsWith('built')).length, BUILDS - 5);
}

/** @param {() => Promise<void>} body of a test */
const withMockedClock = (body) => async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
  try {
    await body();
  } finally {
    mock.timers.reset();
  }
};

test(
  'ADAPTERS 3 LangChain: requests whose system prompt contains the current time belong to one conversation',
  withMockedClock(async () => {
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
    assertOutdatedReplaced(last.filter(({ type }) => type === 'tool').map(({ content }) => content));
  }),
);

test(
  'ADAPTERS 3 Mastra: runs whose system prompt contains the current time belong to one conversation',
  withMockedClock(async () => {
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
    assertOutdatedReplaced(results.map(({ output }) => output.value));
  }),
);
