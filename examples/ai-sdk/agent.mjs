// @ts-check
/** An agent that uses the AI SDK. If `PRICE` is set, it uses palimpsest with that price list. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai';
import { middleware } from 'palimpsest/ai-sdk';
import { z } from 'zod';
import { workshop } from '../agent/tools.mjs';
import { STEPS, SYSTEM, TASK } from '../agent/work.mjs';

const { PROVIDER_URL } = process.env;
const price = /** @type {import('palimpsest').PricePreset | undefined} */ (process.env.PRICE);

const provider = createOpenAICompatible({ name: 'mock', baseURL: `${PROVIDER_URL}/v1` });
const plain = provider('agent-large');
// The line that makes the difference:
const model = price
  ? wrapLanguageModel({ model: plain, middleware: middleware({ price, arrivalTimes: true }) })
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

const stopWhen = isStepCount(STEPS + 1);
const { text } = await generateText({ model, instructions: SYSTEM, prompt: TASK, tools, stopWhen, maxRetries: 0 });
console.log(text);
remove();
