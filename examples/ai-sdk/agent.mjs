// @ts-check
/** An agent written with the AI SDK. `PRICE` has it use palimpsest; `AI` names another version of the SDK. */
import { z } from 'zod';
import { workshop } from '../agent/tools.mjs';
import { STEPS, SYSTEM, TASK } from '../agent/work.mjs';

const { generateText, tool, wrapLanguageModel, stepCountIs, isStepCount } = await import(process.env.AI ?? 'ai');
const { createOpenAICompatible } = await import(process.env.AI_PROVIDER ?? '@ai-sdk/openai-compatible');
const { middleware } = await import('palimpsest/ai-sdk');

const { PROVIDER_URL, PRICE } = process.env;
const plain = createOpenAICompatible({ name: 'mock', baseURL: `${PROVIDER_URL}/v1` })('agent-large');
// The line that makes the difference:
const model = PRICE
  ? wrapLanguageModel({ model: plain, middleware: middleware({ price: /** @type {any} */ (PRICE) }) })
  : plain;

const { read, edit, run, remove } = workshop();
const tools = {
  read_file: tool({ description: 'Reads a file', inputSchema: z.object({ path: z.string() }), execute: read }),
  edit_file: tool({
    description: 'Replaces a text in a file',
    inputSchema: z.object({ path: z.string(), find: z.string(), replace: z.string() }),
    execute: edit,
  }),
  run_command: tool({ description: 'Runs a command', inputSchema: z.object({ command: z.string() }), execute: run }),
};

const stopWhen = (isStepCount ?? stepCountIs)(STEPS + 1);
const { text } = await generateText({ model, system: SYSTEM, prompt: TASK, tools, stopWhen, maxRetries: 0 });
console.log(text);
remove();
