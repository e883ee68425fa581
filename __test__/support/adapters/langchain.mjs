// @ts-check
/** A chat model of LangChain's that answers by a script, keeps what it was sent, and refuses what providers refuse. */

import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { AIMessage, tool } from 'langchain';
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
   * In two pieces: the second is asked for when the first has been read.
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

/** Reads the same file at each of the first `reads` requests, then says so. @param {number} reads @returns {Script} */
export function readingScript(reads) {
  return (_messages, nth) =>
    nth < reads ? { content: '', tool_calls: [readCall(`call_${nth}`, 'a.js')] } : { content: 'done' };
}

/** @param {(path: string) => unknown} [read] what the tool gives, as content and artifact */
export function readTool(read = (path) => [`// ${path}\n${'const line = 1;\n'.repeat(200)}`, { path }]) {
  return tool(({ path }) => read(path), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
    responseFormat: 'content_and_artifact',
  });
}

/** What messages hold, apart from themselves: to compare with later. @param {readonly BaseMessage[]} messages */
export const contentsOf = (messages) => messages.map((message) => structuredClone({ ...message }));

/** Of messages, those whose content is a placeholder. @param {readonly BaseMessage[]} messages */
export const placeholdersIn = (messages) =>
  messages.filter((message) => message.type === 'tool' && String(message.content).startsWith('['));

/** As a provider's cache compares them. @param {readonly BaseMessage[]} messages */
export const bytesOf = (messages) => messages.map((message) => JSON.stringify([message.type, message.content]));
