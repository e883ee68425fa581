// @ts-check
/** Names that the documents' snippets assume: the application's own objects, which reject what real ones would reject. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { tool } from 'ai';
import OpenAI from 'openai';
import { AutoCompressionManager, ContextView, SessionArchive, stripForApi } from 'palimpsest';
import { z } from 'zod';
import { scripted } from './adapters/openai-agents.mjs';
import { repository } from './children.mjs';
import { problemsIn } from './providers/openai-chat.mjs';
import { SUMMARY } from './scripted-llm.mjs';

const SESSION = 'session-1';

/** The bundled recording, as if it had just ended in this folder: `docs/cleanup.md` has its figures. @param {string} project @returns {any[]} */
function recording(project) {
  const { messages, source } = JSON.parse(readFileSync(join(repository, 'examples/session.json'), 'utf8'));
  const ended = Math.max(...messages.map((/** @type {{ timestamp: number }} */ { timestamp }) => timestamp));
  const later = Date.now() - ended;
  return messages.map((/** @type {any} */ { timestamp, tool_calls: calls, ...message }) => {
    const here = calls && { tool_calls: JSON.parse(JSON.stringify(calls).replaceAll(source.projectRoot, project)) };
    return { ...message, ...here, timestamp: timestamp + later };
  });
}

/** @returns {any[]} a stored tool loop of chat messages */
function history() {
  const turn = (/** @type {number} */ at) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
    },
    { role: 'tool', tool_call_id: `c${at}`, content: `result ${at} `.repeat(100), timestamp: at },
  ];
  return [{ role: 'user', content: 'Go.' }, ...Array.from({ length: 20 }, (_, at) => turn(at)).flat()];
}

/** The application's client of a provider that validates messages strictly. */
const provider = {
  async chat(/** @type {{ model: string, messages: any[] }} */ { messages }) {
    const problems = problemsIn(messages);
    if (problems.length > 0) throw new Error(`refused: ${problems.join('; ')}`);
    const usage = { prompt_tokens: 900, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 0 } };
    return { message: { role: 'assistant', content: 'Done.' }, usage };
  },
};

const llmClient = async () => SUMMARY;
const config = { autoCompressionSummaryModel: 'summary-small', maxContextTokens: 200_000 };

/** @param {string} project its folder @returns {Promise<Record<string, unknown>>} */
async function common(project) {
  const [stored, messages] = [history(), stripForApi(history())];
  const archive = new SessionArchive(join(project, 'common.db'));
  const call = { function: { name: 'lookup_compressed_history', arguments: '{"query":"ls"}' } };
  const toolResults = [{ toolCallId: 'call_1', success: true, output: { text: 'ok' } }];
  const signal = new AbortController().signal;
  return {
    ...{ archive, call, config, configService: config, llmClient, logger: console, messages, provider },
    ...{ session: { id: SESSION }, sessionId: SESSION, signal, stored, toolDefinitions: [], toolResults, tools: [] },
    manager: new AutoCompressionManager(config, llmClient, null),
    view: new ContextView({ price: 'anthropic' }),
    model: 'agent-large',
    args: { summary: SUMMARY },
    content: '',
    conversation: { messages: history() },
    maxContextTokens: 200_000,
    settings: config,
    error: Object.assign(new Error('maximum context length is 10 tokens'), { status: 400 }),
    folder: project,
    generate: async () => 'an image',
    items: [{ role: 'user', content: 'Go.' }],
    log: 'a line\n'.repeat(10_000),
    message: { content: JSON.stringify(toolResults) },
    store: new SessionArchive(join(project, 'store.db')),
    chats: [SESSION],
    output: 'a line\n'.repeat(10_000),
    buildLog: 'error: it broke\n'.repeat(10_000),
    prompt: 'a house',
    request: { tools: [] },
    send: () => {},
    showContextLimitDialog: () => {},
    stages: [],
    statusBar: { show() {} },
    text: 'Go.',
  };
}

/** Names for each SDK, selected by a snippet's imports. @type {[RegExp, (url: string) => Record<string, unknown>][]} */
const NAMES_BY_SDK = [
  [
    /^palimpsest\/ai-sdk$/,
    (url) => {
      const mock = createOpenAICompatible({ name: 'mock', baseURL: `${url}/v1`, apiKey: 'none' });
      const tools = { bash: tool({ description: 'Runs', inputSchema: z.object({}), execute: () => 'ok' }) };
      return { anthropic: mock, model: mock('agent-large'), tools, messages: [{ role: 'user', content: 'Go.' }] };
    },
  ],
  [
    /^palimpsest\/anthropic$/,
    (url) => ({
      client: new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 }),
      params: { model: 'agent-large', max_tokens: 9, messages: [{ role: 'user', content: 'Go.' }] },
    }),
  ],
  [
    /^palimpsest\/langchain$/,
    (url) => ({
      model: new ChatOpenAI({ model: 'agent-large', apiKey: 'none', configuration: { baseURL: `${url}/v1` } }),
      systemPrompt: 'You are an agent.',
      checkpointer: false,
    }),
  ],
  [
    /^palimpsest\/mastra$/,
    (url) => ({
      ...{ id: 'agent', name: 'agent', instructions: 'You are an agent.', memory: undefined, tools: {} },
      model: { id: 'mock/agent-large', url: `${url}/v1`, apiKey: 'none' },
    }),
  ],
];

/**
 * @param {import('./snippets.mjs').Snippet} snippet
 * @param {string} project
 * @param {string} url of the mock provider
 */
export async function namesFor({ sources, code }, project, url) {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
  const ofSdk = NAMES_BY_SDK.filter(([source]) => sources.some((one) => source.test(one))).map(([, names]) =>
    names(url),
  );
  const agents = sources.includes('palimpsest/openai-agents') ? await agentNames() : {};
  const bundled = code.includes('report.changed;') ? { stored: recording(project) } : {};
  return Object.assign(await common(project), { client }, bundled, agents, ...ofSdk);
}

async function agentNames() {
  const { Runner } = await import('@openai/agents');
  const { agent } = scripted('snippet', { steps: 2 });
  return { agent, runner: new Runner({ tracingDisabled: true }) };
}
