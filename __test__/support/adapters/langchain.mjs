// @ts-check
/** A LangChain chat model that answers by a script, records its input, and rejects what providers reject. */
import assert from 'node:assert/strict';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { AIMessage, createAgent, HumanMessage, SystemMessage, ToolMessage, tool } from 'langchain';
import { z } from 'zod';
import { problemsIn } from '../providers/langchain.mjs';

/**
 * @typedef {import('@langchain/core/messages').BaseMessage} BaseMessage
 * @typedef {import('@langchain/core/messages').AIMessageFields} Answer
 * @typedef {(messages: BaseMessage[], nth: number) => Answer | Error} Script
 */

export class ScriptedModel extends BaseChatModel {
  /** @type {BaseMessage[][]} */
  requests = [];
  #script;

  /** @param {Script} script */
  constructor(script) {
    super({ maxRetries: 0 });
    this.#script = script;
  }

  _llmType() {
    return 'scripted';
  }

  /** @override */
  bindTools() {
    return this;
  }

  /** @param {BaseMessage[]} messages */
  #answer(messages) {
    const problems = problemsIn(messages);
    if (problems.length > 0) throw new Error(`refused: ${problems.join('; ')}`);
    this.requests.push(messages);
    const answer = this.#script(messages, this.requests.length - 1);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  /** @param {BaseMessage[]} messages */
  async _generate(messages) {
    const message = new AIMessage(this.#answer(messages));
    return { generations: [{ text: message.text, message }] };
  }

  /**
   * Sends two chunks; the second is produced after the first was read.
   * @override
   * @param {BaseMessage[]} messages
   * @param {this['ParsedCallOptions']} options
   */
  async *_streamResponseChunks(messages, options) {
    const answer = this.#answer(messages);
    yield new ChatGenerationChunk({ text: 'so', message: new AIMessageChunk({ content: 'so' }) });
    await new Promise((resolve) => setImmediate(resolve));
    options.signal?.throwIfAborted();
    const calls = (answer.tool_calls ?? []).map(({ id, name, args }, index) => {
      return { id, name, args: JSON.stringify(args), index, type: /** @type {const} */ ('tool_call_chunk') };
    });
    const { usage_metadata } = answer;
    const message = new AIMessageChunk({
      content: '',
      tool_call_chunks: calls,
      ...(usage_metadata && { usage_metadata }),
    });
    yield new ChatGenerationChunk({ text: '', message });
  }
}

/** @param {string} id @param {string} path */
export const readCall = (id, path) => ({
  id,
  name: 'read_file',
  args: { path },
  type: /** @type {const} */ ('tool_call'),
});

/** A script that reads the same file in the first `reads` requests, then replies `done`. @param {number} reads @returns {Script} */
export function readingScript(reads) {
  return (_messages, nth) =>
    nth < reads ? { content: '', tool_calls: [readCall(`call_${nth}`, 'a.js')] } : { content: 'done' };
}

/** @param {(path: string) => unknown} [read] the tool's result, as content and artifact */
export function readTool(read = (path) => [`// ${path}\n${'const line = 1;\n'.repeat(200)}`, { path }]) {
  return tool(({ path }) => read(path), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
    responseFormat: 'content_and_artifact',
  });
}

/** Copies of the messages' content, to compare with later. @param {readonly BaseMessage[]} messages */
export const contentsOf = (messages) => messages.map((message) => structuredClone({ ...message }));

/** Messages whose content is a placeholder. @param {readonly BaseMessage[]} messages */
export const placeholdersIn = (messages) =>
  messages.filter((message) => message.type === 'tool' && String(message.content).startsWith('['));

/** The bytes that a provider's cache compares. @param {readonly BaseMessage[]} messages */
export const bytesOf = (messages) => messages.map((message) => JSON.stringify([message.type, message.content]));

export const LONG = { recursionLimit: 1000 };
export const system = new SystemMessage('You read files.');

/** @param {ScriptedModel} model @param {import('palimpsest/langchain').ContextMiddleware} middleware @param {object} [more] */
export const agentWith = (model, middleware, more) =>
  createAgent({ model, tools: [readTool()], systemPrompt: 'You read files.', middleware: [middleware], ...more });

/**
 * One request without an agent.
 * @param {any} middleware
 * @param {BaseMessage[]} messages
 * @param {any} [answer]
 * @returns {Promise<BaseMessage[]>} the messages sent to the model after the system prompt
 */
export async function sentBy(middleware, messages, answer = new AIMessage('ok')) {
  /** @type {any} */
  let sent;
  const request = { messages, systemMessage: system, systemPrompt: system.text, state: { messages }, runtime: {} };
  const given = await middleware.wrapModelCall(request, async (/** @type {any} */ passed) => {
    sent = passed;
    return answer;
  });
  assert.equal(given, answer);
  assert.equal(sent.systemMessage, system);
  return sent.messages;
}

/** A conversation in which a file was read `reads` times. @param {number} reads @param {string} [name] */
export function history(reads, name = 'Begin.') {
  /** @type {BaseMessage[]} */
  const messages = [new HumanMessage(name)];
  for (let nth = 0; nth < reads; nth++) {
    messages.push(new AIMessage({ content: '', tool_calls: [readCall(`call_${nth}`, 'a.js')] }));
    messages.push(
      new ToolMessage({ content: `${name} ${nth} `.repeat(500), tool_call_id: `call_${nth}`, name: 'read_file' }),
    );
  }
  return messages;
}
