// @ts-check
/** An agent that uses Mastra. If `PRICE` is set, it uses palimpsest with that price list. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { ContextProcessor } from 'palimpsest/mastra';
import { z } from 'zod';
import { workshop } from '../agent/tools.mjs';
import { STEPS, SYSTEM, TASK } from '../agent/work.mjs';

// Mastra sends usage telemetry to its vendor by default.
process.env.MASTRA_TELEMETRY_DISABLED = '1';
const { PROVIDER_URL } = process.env;
const price = /** @type {import('palimpsest').PricePreset | undefined} */ (process.env.PRICE);
const { read, edit, run, remove } = workshop();

const tools = {
  read_file: createTool({
    id: 'read_file',
    description: 'Reads a file',
    inputSchema: z.object({ path: z.string() }),
    execute: async (input) => read(input),
  }),
  edit_file: createTool({
    id: 'edit_file',
    description: 'Replaces a text in a file',
    inputSchema: z.object({ path: z.string(), find: z.string(), replace: z.string() }),
    execute: async (input) => edit(input),
  }),
  run_command: createTool({
    id: 'run_command',
    description: 'Runs a command',
    inputSchema: z.object({ command: z.string() }),
    execute: run,
  }),
};

const agent = new Agent({
  id: 'engineer',
  name: 'engineer',
  instructions: SYSTEM,
  model: { id: 'mock/agent-large', url: `${PROVIDER_URL}/v1`, apiKey: 'none' },
  tools,
  // The line that makes the difference:
  inputProcessors: price ? [new ContextProcessor({ price, arrivalTimes: true })] : [],
});
const { text } = await agent.generate(TASK, { maxSteps: STEPS + 1 });
console.log(text);
remove();
