// @ts-check
/** Usage reports over HTTP: `ChatOpenAI` of LangChain with the strict mock provider. */
import assert from 'node:assert/strict';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { contextMiddleware } from 'palimpsest/langchain';
import { placeholdersIn, readTool } from '../support/adapters/langchain.mjs';
import { testUsage } from '../support/adapters/reported-usage.mjs';

testUsage(async (baseURL, isStreamed) => {
  const model = new ChatOpenAI({ model: 'm', apiKey: 'none', maxRetries: 0, configuration: { baseURL } });
  const adapter = contextMiddleware({ price: 'anthropic' });
  const agent = createAgent({ model, tools: [readTool()], systemPrompt: 'You read files.', middleware: [adapter] });
  const input = { messages: [{ role: 'user', content: 'go' }] };
  const options = { recursionLimit: 200 };
  if (isStreamed) for await (const _ of await agent.stream(input, { ...options, streamMode: 'messages' }));
  else assert.equal(placeholdersIn((await agent.invoke(input, options)).messages).length, 0);
  return adapter.ledger();
});
