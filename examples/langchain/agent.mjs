// @ts-check
/** An agent that uses LangChain. If `PRICE` is set, it uses palimpsest with that price list. */
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { contextMiddleware } from 'palimpsest/langchain';
import { z } from 'zod';
import { workshop } from '../agent/tools.mjs';
import { STEPS, SYSTEM, TASK } from '../agent/work.mjs';

const { PROVIDER_URL } = process.env;
const price = /** @type {import('palimpsest').PricePreset | undefined} */ (process.env.PRICE);
const model = new ChatOpenAI({
  model: 'agent-large',
  apiKey: 'none',
  maxRetries: 0,
  configuration: { baseURL: `${PROVIDER_URL}/v1` },
});

const { read, edit, run, remove } = workshop();
const tools = [
  tool(read, { name: 'read_file', description: 'Reads a file', schema: z.object({ path: z.string() }) }),
  tool(edit, {
    name: 'edit_file',
    description: 'Replaces a text in a file',
    schema: z.object({ path: z.string(), find: z.string(), replace: z.string() }),
  }),
  tool(run, { name: 'run_command', description: 'Runs a command', schema: z.object({ command: z.string() }) }),
];

// The line that makes the difference:
const middleware = price ? [contextMiddleware({ price, arrivalTimes: true })] : [];

const agent = createAgent({ model, tools, systemPrompt: SYSTEM, middleware });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: TASK }] }, { recursionLimit: 3 * STEPS });
console.log(messages.at(-1)?.text);
remove();
