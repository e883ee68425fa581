// @ts-check
/**
 * Validates the `messages` of a request like a strict endpoint of Anthropic's Messages API.
 *
 * According to the provider's documentation of tool use and extended thinking, and to the API's error messages:
 *
 * - The first message is the user's. Roles may repeat (the API merges such messages), but here results must be in the
 *   very next message.
 * - `tool_use` blocks are in assistant messages. They have an id of letters, digits, `_` and `-` that is unique in the
 *   conversation, a name, and an object as input. The next message is the user's, starts with a `tool_result` for each,
 *   and has text only after them.
 * - `tool_result` blocks are in user messages. Each refers to a different `tool_use` of the previous message. One with
 *   `is_error` contains only text.
 * - No text block is empty or only white space, also in results. Only the last assistant message may be empty.
 * - If the last message is the assistant's, it doesn't end in white space.
 * - `thinking` has its unchanged signature, and `redacted_thinking` its data. They come first in the assistant message;
 *   after text they may come only after a server tool's result.
 * - A server tool's result (such as `web_search_tool_result`) has its `server_tool_use` or `mcp_tool_use` before it in
 *   the same message. Only the last assistant message may have such a call without a result.
 * - At most four blocks have `cache_control`; thinking never does.
 */
import { isForged } from './signatures.mjs';
import { isBlank, problemsBy, Validator } from './validator.mjs';

const THINKING = new Set(['thinking', 'redacted_thinking']);
const SERVER_CALLS = new Set(['server_tool_use', 'mcp_tool_use']);
const USER_BLOCKS = new Set(['text', 'image', 'document', 'search_result', 'tool_result', 'container_upload']);
const RESULT_BLOCKS = new Set(['text', 'image', 'document', 'search_result', 'tool_reference']);
const MAX_BREAKPOINTS = 4;

const isServerResult = (/** @type {any} */ block) => block.type !== 'tool_result' && /_tool_result$/.test(block.type);

/** @param {any} content @returns {any[]} */
const blocksOf = (content) => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
};

class Request extends Validator {
  #ids = new Set();
  #breakpoints = 0;

  /** @param {readonly any[]} messages @param {boolean} isPendingAllowed */
  constructor(messages, isPendingAllowed) {
    super(messages, isPendingAllowed);
    this.lastAssistant = messages.findLastIndex((message) => message?.role === 'assistant');
  }

  check() {
    if (this.messages[0]?.role !== 'user') this.report('messages[0]', "the first message isn't the user's");
    for (const [index, message] of this.messages.entries()) this.#message(index, message);
    if (this.#breakpoints > MAX_BREAKPOINTS) this.report('messages', `${this.#breakpoints} blocks have cache_control`);
    this.#ending();
    return this.problems;
  }

  /** @param {number} index @param {any} message */
  #message(index, message) {
    const place = `messages[${index}]`;
    if (message?.role !== 'user' && message?.role !== 'assistant') return this.report(place, 'an unknown role');
    const isEmpty = message.content === undefined || message.content === null || message.content.length === 0;
    if (isEmpty && !(index === this.messages.length - 1 && message.role === 'assistant'))
      this.report(place, 'an empty message');
    const blocks = isEmpty ? [] : blocksOf(message.content);
    if (!isEmpty && blocks.length === 0) this.report(place, 'the content is neither text nor blocks');
    for (const [at, block] of blocks.entries()) this.#block(`${place}.content[${at}]`, block);
    if (message.role === 'user') this.#userBlocks(place, blocks, this.messages[index - 1]);
    else this.#assistantBlocks(index, blocks);
  }

  /** Rules for a block in any position. @param {string} place @param {any} block */
  #block(place, block) {
    if (typeof block?.type !== 'string') return this.report(place, 'a block without a type');
    if (block.cache_control !== undefined && block.cache_control !== null) {
      this.#breakpoints++;
      if (THINKING.has(block.type)) this.report(place, 'thinking with cache_control');
    }
    if (block.type === 'text' && isBlank(block.text)) this.report(place, 'a text block without text');
    if (block.type === 'tool_result') this.#resultContent(place, block);
  }

  /** @param {string} place @param {any} result */
  #resultContent(place, { content, is_error: isError }) {
    if (content === undefined || typeof content === 'string') return;
    if (!Array.isArray(content)) return this.report(place, 'the content of a result is neither text nor blocks');
    for (const [at, block] of content.entries()) {
      this.#block(`${place}.content[${at}]`, block);
      if (!RESULT_BLOCKS.has(block?.type))
        this.report(`${place}.content[${at}]`, "a block that a result can't contain");
      if (isError === true && block?.type !== 'text') this.report(place, 'a failed result contains more than text');
    }
  }

  /** @param {string} place @param {any[]} blocks @param {any} before the previous message */
  #userBlocks(place, blocks, before) {
    const calls =
      before?.role === 'assistant' ? blocksOf(before.content).filter(({ type }) => type === 'tool_use') : [];
    const open = new Set(calls.map(({ id }) => id));
    const answered = new Set();
    let isOther = false;
    for (const [at, block] of blocks.entries()) {
      const here = `${place}.content[${at}]`;
      if (!USER_BLOCKS.has(block?.type)) this.report(here, "a block that a user message can't contain");
      if (block?.type !== 'tool_result') {
        isOther = true;
        continue;
      }
      if (isOther) this.report(here, 'a result after a block that is not a result');
      if (answered.has(block.tool_use_id)) this.report(here, 'a second result for the same call');
      else if (!open.has(block.tool_use_id)) this.report(here, 'a result without a call in the previous message');
      answered.add(block.tool_use_id);
    }
  }

  /** @param {number} index @param {any[]} blocks */
  #assistantBlocks(index, blocks) {
    const place = `messages[${index}]`;
    const server = new Set();
    let isThinkingAllowed = true;
    for (const [at, block] of blocks.entries()) {
      const here = `${place}.content[${at}]`;
      if (block?.type === 'tool_result' || block?.type === 'image')
        this.report(here, "a block that an assistant message can't contain");
      if (block?.type === 'tool_use') this.#call(here, block);
      if (SERVER_CALLS.has(block?.type)) server.add(block.id);
      if (isServerResult(block) && !server.delete(block.tool_use_id))
        this.report(here, "a server's result without its call");
      if (THINKING.has(block?.type)) this.#thinking(here, block, isThinkingAllowed);
      else isThinkingAllowed = isServerResult(block);
    }
    if (server.size > 0 && index !== this.lastAssistant) this.report(place, "a server's call without its result");
    const calls = blocks.filter((block) => block?.type === 'tool_use');
    if (calls.length > 0) this.#answers(index, calls);
  }

  /** @param {string} place @param {any} call */
  #call(place, { id, name, input }) {
    if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) this.report(place, 'an invalid id');
    if (this.#ids.has(id)) this.report(place, 'a duplicate call id');
    this.#ids.add(id);
    if (typeof name !== 'string' || name === '') this.report(place, 'a call without a name');
    if (input === null || typeof input !== 'object' || Array.isArray(input))
      this.report(place, 'an input that is not an object');
  }

  /** @param {string} place @param {any} block @param {boolean} isAllowed */
  #thinking(place, block, isAllowed) {
    if (!isAllowed) this.report(place, 'thinking after another block');
    if (block.type === 'redacted_thinking' && isBlank(block.data)) this.report(place, 'redacted thinking without data');
    if (block.type === 'thinking' && isForged(block.signature, block.thinking))
      this.report(place, 'thinking with a wrong signature');
  }

  /** @param {number} index index of the message with the calls @param {any[]} calls */
  #answers(index, calls) {
    const next = this.messages[index + 1];
    const results = next?.role === 'user' ? blocksOf(next.content) : [];
    const isInProgress =
      index === this.lastAssistant &&
      index >= this.messages.length - 2 &&
      results.every((block) => block?.type === 'tool_result');
    if (this.isPendingAllowed && isInProgress) return;
    for (const { id } of calls) {
      if (!results.some((block) => block?.type === 'tool_result' && block.tool_use_id === id))
        this.report(`messages[${index}]`, 'a call has no result in the next message');
    }
  }

  #ending() {
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant') return;
    const final = blocksOf(last.content).at(-1);
    if (final?.type === 'text' && /\s$/.test(final.text)) this.report('the last message', 'ends in white space');
  }
}

export const problemsIn = problemsBy(Request);
