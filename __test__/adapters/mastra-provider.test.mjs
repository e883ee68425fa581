// @ts-check
/** Usage reports over HTTP: Mastra's model router with the strict mock provider. */
import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { ContextProcessor } from 'palimpsest/mastra';
import { readTool } from '../support/adapters/mastra.mjs';
import { testUsage } from '../support/adapters/reported-usage.mjs';

testUsage(async (url, isStreamed) => {
  const processor = new ContextProcessor({ price: 'anthropic' });
  const agent = new Agent({
    ...{ id: 'reader', name: 'reader', instructions: 'You read files.', tools: { read_file: readTool() } },
    model: { id: 'mock/m', url, apiKey: 'none' },
    inputProcessors: [processor],
  });
  const output = isStreamed ? agent.stream('go', { maxSteps: 50 }) : agent.generate('go', { maxSteps: 50 });
  assert.equal(await (await output).text, 'Read.');
  return processor.ledger();
});
