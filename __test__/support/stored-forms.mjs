// @ts-check
/**
 * The same short task (a successful call, a failed call, an assistant message) in the forms in which SDKs store it.
 * The SDK's own package created each value; an application would write it to a file.
 */
import {
  AIMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { MemorySession, Agent as OpenAiAgent, Runner, tool, Usage } from '@openai/agents';
import * as ai7 from 'ai';
import * as ai5 from 'ai-v5';
import * as ai6 from 'ai-v6';
import { z } from 'zod';
import { scriptedModel } from './adapters/mastra.mjs';

const TASK = 'Run the tests.';
const FINAL_TEXT = 'The tests fail.';
const calls = [
  { id: 'call_1', name: 'list_files', input: { path: '.' } },
  { id: 'call_2', name: 'run', input: { command: 'false' } },
];
const parameters = { list_files: z.object({ path: z.string() }), run: z.object({ command: z.string() }) };

const list = async () => 'a.js\nb.js';
const fail = async () => {
  throw new Error('exit code 1');
};

/** @type {import('./adapters/mastra.mjs').Script} */
const script = (_prompt, nth) => {
  const call = calls[nth];
  return call === undefined ? { text: FINAL_TEXT } : { calls: [call] };
};

/** @param {any} ai @param {'v2' | 'v3' | 'v4'} spec */
async function uiMessages(ai, spec) {
  const { model } = scriptedModel(script, spec);
  const tools = {
    list_files: ai.tool({ inputSchema: parameters.list_files, execute: list }),
    run: ai.tool({ inputSchema: parameters.run, execute: fail }),
  };
  const originalMessages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: TASK }] }];
  const messages = await ai.convertToModelMessages(originalMessages);
  const result = ai.streamText({ model, tools, messages, stopWhen: ai.stepCountIs(5) });
  /** @type {unknown} */
  let storedMessages;
  const onFinish = (/** @type {{ messages: unknown }} */ finished) => {
    storedMessages = finished.messages;
  };
  for await (const _ of result.toUIMessageStream({ originalMessages, onFinish }));
  return storedMessages;
}

function langchainMessages() {
  const [first, second] = calls.map(({ id, name, input }) => ({
    id,
    name,
    args: input,
    type: /** @type {const} */ ('tool_call'),
  }));
  return [
    new SystemMessage('Be brief.'),
    new HumanMessage(TASK),
    new AIMessage({
      content: '',
      tool_calls: first && [first],
      usage_metadata: { input_tokens: 100, output_tokens: 5, total_tokens: 105 },
    }),
    new ToolMessage({ tool_call_id: 'call_1', content: 'a.js\nb.js', name: 'list_files' }),
    new AIMessage({ content: '', tool_calls: second && [second] }),
    new ToolMessage({ tool_call_id: 'call_2', content: 'exit code 1', name: 'run', status: 'error' }),
    new AIMessage(FINAL_TEXT),
  ];
}

async function langgraph() {
  const messages = langchainMessages();
  const checkpointer = new MemorySaver();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('work', () => ({ messages: messages.slice(2) }))
    .addEdge('__start__', 'work')
    .compile({ checkpointer });
  const config = { configurable: { thread_id: 'thread-1' } };
  await graph.invoke({ messages: messages.slice(0, 2) }, config);
  const history = [];
  for await (const state of graph.getStateHistory(config)) history.push(state);
  const tuples = [];
  for await (const each of checkpointer.list(config)) tuples.push(each);
  const tuple = await checkpointer.getTuple(config);
  return { state: await graph.getState(config), tuple, checkpoint: tuple?.checkpoint, history, tuples };
}

async function mastra() {
  const { model } = scriptedModel(script);
  const described = { description: 'A tool.' };
  const tools = {
    list_files: createTool({ id: 'list_files', ...described, inputSchema: parameters.list_files, execute: list }),
    run: createTool({ id: 'run', ...described, inputSchema: parameters.run, execute: fail }),
  };
  const memory = new MockMemory();
  const agent = new MastraAgent({ id: 'worker', name: 'worker', instructions: 'Be brief.', model, tools, memory });
  await agent.generate(TASK, { memory: { thread: 'thread-1', resource: 'user-1' }, maxSteps: 5 });
  return memory.recall({ threadId: 'thread-1', resourceId: 'user-1' });
}

async function openaiAgents() {
  const outputs = calls.map(({ id, name, input }) => {
    return [{ type: 'function_call', callId: id, name, arguments: JSON.stringify(input), status: 'completed' }];
  });
  const finalMessage = { type: 'message', role: 'assistant', status: 'completed' };
  const answers = /** @type {any[]} */ ([
    ...outputs,
    [{ ...finalMessage, content: [{ type: 'output_text', text: FINAL_TEXT }] }],
  ]);
  let nth = 0;
  const model = /** @type {any} */ ({
    getResponse: async () => {
      const usage = new Usage({ inputTokens: 100, outputTokens: 5, totalTokens: 105 });
      return { usage, output: answers[nth++] };
    },
  });
  const tools = [
    tool({ name: 'list_files', description: 'A tool.', parameters: parameters.list_files, execute: list }),
    tool({ name: 'run', description: 'A tool.', parameters: parameters.run, execute: fail }),
  ];
  const session = new MemorySession();
  const agent = new OpenAiAgent({ name: 'worker', instructions: 'Be brief.', model, tools });
  const result = await new Runner({ tracingDisabled: true }).run(agent, TASK, { session });
  return { items: await session.getItems(), history: { items: result.history }, state: result.state };
}

/** @returns {Promise<{ agent: string, name: string, value: unknown }[]>} */
export async function storedForms() {
  const messages = langchainMessages();
  const graph = await langgraph();
  const memory = await mastra();
  const rows = memory.messages.map((message) => ({ ...message, content: JSON.stringify(message.content) }));
  const agents = await openaiAgents();
  return [
    { agent: 'langchain', name: 'langchain', value: messages },
    { agent: 'langchain', name: 'langchain-object', value: { messages } },
    { agent: 'langchain', name: 'langchain-stored', value: mapChatMessagesToStoredMessages(messages) },
    ...Object.entries(graph).map(([name, value]) => ({ agent: 'langgraph', name: `langgraph-${name}`, value })),
    { agent: 'mastra', name: 'mastra-recall', value: memory },
    { agent: 'mastra', name: 'mastra-messages', value: memory.messages },
    { agent: 'mastra', name: 'mastra-rows', value: rows },
    ...Object.entries(agents).map(([name, value]) => ({
      agent: 'openai-agents',
      name: `openai-agents-${name}`,
      value,
    })),
    { agent: 'ai-sdk-ui', name: 'ai-sdk-5', value: await uiMessages(ai5, 'v2') },
    { agent: 'ai-sdk-ui', name: 'ai-sdk-6', value: await uiMessages(ai6, 'v3') },
    { agent: 'ai-sdk-ui', name: 'ai-sdk-7', value: await uiMessages(ai7, 'v4') },
  ];
}
