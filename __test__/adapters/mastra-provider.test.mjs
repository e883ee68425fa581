// @ts-check
/** Mastra over HTTP: its own router of models against the strict mock provider. */
import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { ContextProcessor } from 'palimpsest/mastra';
import { readTool } from '../support/adapters/mastra.mjs';
import { testUsage } from '../support/adapters/reported-usage.mjs';

testUsage(async (url, isStreamed) => {
  const ours = new ContextProcessor({ price: 'anthropic' });
  const agent = new Agent({
    ...{ id: 'reader', name: 'reader', instructions: 'You read files.', tools: { read_file: readTool() } },
    model: { id: 'mock/m', url, apiKey: 'none' },
    inputProcessors: [ours],
  });
  const answer = isStreamed ? agent.stream('go', { maxSteps: 50 }) : agent.generate('go', { maxSteps: 50 });
  assert.equal(await (await answer).text, 'Read.');
  return ours.ledger();
});
