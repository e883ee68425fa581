// @ts-check
/** An agent that uses OpenAI's Agents SDK. If `PRICE` is set, it uses palimpsest. */
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { modelInputFilter } from 'palimpsest/openai-agents';
import { z } from 'zod';
import { workshop } from '../agent/tools.mjs';
import { STEPS, SYSTEM, TASK } from '../agent/work.mjs';

const { PROVIDER_URL, PRICE } = process.env;
const { read, edit, run, remove } = workshop();
const agent = new Agent({
  name: 'engineer',
  model: 'agent-large',
  instructions: SYSTEM,
  tools: [
    tool({ name: 'read_file', description: 'Reads a file', parameters: z.object({ path: z.string() }), execute: read }),
    tool({
      name: 'edit_file',
      description: 'Replaces a text in a file',
      parameters: z.object({ path: z.string(), find: z.string(), replace: z.string() }),
      execute: edit,
    }),
    tool({
      name: 'run_command',
      description: 'Runs a command',
      parameters: z.object({ command: z.string() }),
      execute: run,
    }),
  ],
});

const modelProvider = new OpenAIProvider({ baseURL: `${PROVIDER_URL}/v1`, apiKey: 'none', useResponses: true });
// The lines that make the difference:
const filter = PRICE ? modelInputFilter({ price: /** @type {any} */ (PRICE), arrivalTimes: true }) : undefined;
const runner = new Runner({
  modelProvider,
  modelSettings: { store: false },
  tracingDisabled: true,
  ...(filter && { callModelInputFilter: filter }),
});
filter?.observe(runner);

const { finalOutput } = await runner.run(agent, TASK, { maxTurns: STEPS + 1 });
console.log(finalOutput);
remove();
