// @ts-check
/** A scripted model and items for tests of the filter for OpenAI's Agents SDK. */
import { Agent, Runner, tool, Usage } from '@openai/agents';
import { problemsIn } from '../providers/openai-agents.mjs';
import { callsOf } from './tool-loop.mjs';

/** @typedef {import('@openai/agents').AgentInputItem} Item */
/** @typedef {(input: any[], count: number) => { inputTokens: number, outputTokens: number, inputTokensDetails: Record<string, number> }} Report */

const REPORT = { inputTokens: 100, outputTokens: 3, inputTokensDetails: { cached_tokens: 0 } };

/** The model's output at a step of the tool loop: reasoning, then calls. @param {string} name @param {number} step @returns {any[]} */
export const outputOf = (name, step) => [
  {
    type: 'reasoning',
    id: `rs_${name}_${step}`,
    content: [{ type: 'input_text', text: `What does step ${step} show?` }],
  },
  ...callsOf(name, step).map((call) => ({
    type: 'function_call',
    id: `fc_${name}_${call.id}`,
    callId: call.id,
    name: call.name,
    arguments: JSON.stringify(call.input),
    status: 'completed',
    providerData: { type: 'function_call', id: `fc_${name}_${call.id}` },
  })),
];

/** @param {string} name @param {number} step @returns {Item[]} the SDK's items for that step */
export const turn = (name, step) => [
  ...outputOf(name, step),
  ...callsOf(name, step).map(({ id, name: tool, output }) => ({
    type: /** @type {const} */ ('function_call_result'),
    name: tool,
    callId: id,
    status: /** @type {const} */ ('completed'),
    output: { type: /** @type {const} */ ('text'), text: output },
  })),
];

/** @param {string} text @returns {Item} */
export const userMessage = (text) => ({ type: 'message', role: 'user', content: text });

export const finalMessage = {
  type: 'message',
  id: 'msg_done',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.' }],
};

/**
 * An agent whose model plays the tool loop, the input of each request, and the problems in it.
 * @param {string} name of the conversation
 * @param {{ steps?: number, wait?: (step: number) => void, report?: Report }} [options]
 */
export function scripted(name, { steps = 30, wait = () => {}, report = () => REPORT } = {}) {
  /** @type {any[][]} */
  const inputs = [];
  /** @type {string[]} */
  const problems = [];
  let step = -1;
  const ran = (/** @type {string} */ id) => callsOf(name, step).find((call) => call.id === id)?.output ?? '';
  const response = async ({ input }) => {
    inputs.push(structuredClone(input));
    problems.push(...problemsIn(input));
    step++;
    const output = step < steps ? outputOf(name, step) : [finalMessage];
    const usage = new Usage({ requests: 1, ...report(input, inputs.length - 1) });
    wait(step);
    return { usage, output, responseId: `resp_${step}` };
  };
  /** @type {any} */
  const model = {
    getResponse: response,
    async *getStreamedResponse(request) {
      const { usage, output, responseId } = await response(request);
      yield { type: 'response_started' };
      yield { type: 'response_done', response: { id: responseId, usage, output } };
    },
  };
  const named = (/** @type {string} */ toolName) =>
    tool({
      name: toolName,
      description: toolName,
      strict: false,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      execute: async (_input, _context, details) => ran(details?.toolCall?.callId ?? ''),
    });
  const agent = new Agent({ name, instructions: 'You are an agent.', model, tools: ['Read', 'Bash'].map(named) });
  return { agent, inputs, problems };
}

/** @param {ConstructorParameters<typeof Runner>[0]} config */
export const runnerWith = (config) => new Runner({ tracingDisabled: true, ...config });

/** Ids of calls whose results are placeholders. @param {readonly any[] | undefined} input @returns {string[]} */
export const replacedIn = (input = []) =>
  input
    .filter(({ type, output }) => type === 'function_call_result' && JSON.stringify(output).length < 200)
    .map(({ callId }) => callId);
