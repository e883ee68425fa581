/** R13: the types of `palimpsest/langchain` fit those of `langchain`, and don't change an agent's types. */
import { type AgentMiddleware, contextEditingMiddleware, createAgent, tool } from 'langchain';
import { contextMiddleware } from 'palimpsest/langchain';
import { z } from 'zod';
import { expectTrue, type Same } from '../expect.js';

const read = tool(async ({ path }) => path, { name: 'read', schema: z.object({ path: z.string() }) });
const responseFormat = z.object({ answer: z.number() });
const ours = contextMiddleware({ price: 'openai', maxViews: 8, tools: 'codex' });
const given: AgentMiddleware = ours;
void given;

const plain = createAgent({ model: 'openai:m', tools: [read], responseFormat });
const agent = createAgent({ model: 'openai:m', tools: [read], responseFormat, middleware: [ours] });
const both = createAgent({
  model: 'openai:m',
  tools: [read],
  responseFormat,
  middleware: [contextEditingMiddleware(), ours],
});

type Result<TAgent extends { invoke(...input: never[]): unknown }> = Awaited<ReturnType<TAgent['invoke']>>;
declare const result: Result<typeof agent>;
expectTrue<Same<Result<typeof agent>['structuredResponse'], Result<typeof plain>['structuredResponse']>>();
expectTrue<Same<Result<typeof agent>['messages'], Result<typeof plain>['messages']>>();
expectTrue<Same<Result<typeof both>, Result<typeof agent>>>();
const answer: number = result.structuredResponse.answer;
void answer;
// @ts-expect-error the middleware adds no state
result.palimpsest;

// @ts-expect-error no such price list
contextMiddleware({ price: 'cheap' });
// @ts-expect-error no such option
contextMiddleware({ now: 0 });
