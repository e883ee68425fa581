// @ts-check
/**
 * Validates `BaseMessage[]` for LangChain (`@langchain/core`) and its models.
 *
 * According to the package's classes (`isBaseMessage` checks for the method `_getType`; `toJSON` writes `{lc: 1, type:
 * 'constructor', id, kwargs}`), and to its page on INVALID_TOOL_RESULTS:
 *
 * - A message is an instance, with its class's methods, or the JSON of one. A plain copy of an instance is neither.
 * - A system message is the first message (Anthropic's model throws otherwise).
 * - An AI message with `tool_calls` is followed by one tool message for each, in any order, before any other message.
 *   Other tool messages, and second results of a call, are invalid. `tool_calls` have unique ids.
 * - `tool_use` blocks in an AI message's content match its `tool_calls`; thinking is unchanged.
 * - Content is text or blocks with a type. `status` of a tool message is `success` or `error`.
 */
import { isForged } from './signatures.mjs';
import { problemsBy, Validator } from './validator.mjs';

/** Constructor names in the JSON, with the value of `_getType`. */
const TYPES = new Map([
  ['SystemMessage', 'system'],
  ['HumanMessage', 'human'],
  ['AIMessage', 'ai'],
  ['AIMessageChunk', 'ai'],
  ['ToolMessage', 'tool'],
]);

/**
 * A message's type and fields, in either form; null if it has neither form.
 * @param {any} message
 * @returns {{ type: string, fields: any } | null}
 */
export function read(message) {
  if (typeof message?._getType === 'function') return { type: message._getType(), fields: message };
  if (message?.lc !== 1 || message.type !== 'constructor' || !Array.isArray(message.id)) return null;
  const type = TYPES.get(message.id.at(-1));
  return type === undefined ? null : { type, fields: message.kwargs };
}

class Thread extends Validator {
  /** Ids of the current AI message's calls without a result yet. @type {Set<any>} */ #open = new Set();
  /** @type {Set<any>} */ #answered = new Set();

  check() {
    for (const [index, message] of this.messages.entries()) {
      const place = `messages[${index}]`;
      const known = read(message);
      if (known === null) this.report(place, 'not a message of the package');
      else this.#message(index, place, known.type, known.fields);
    }
    if (this.#open.size > 0 && !this.isPendingAllowed) this.report('the end', 'an earlier call has no result');
    return this.problems;
  }

  /** @param {number} index @param {string} place @param {string} type @param {any} fields */
  #message(index, place, type, fields) {
    this.#content(place, fields.content);
    if (type === 'tool') return this.#result(place, fields);
    if (this.#open.size > 0) this.report(place, 'an earlier call has no result');
    this.#open.clear();
    this.#answered.clear();
    if (type === 'system' && index > 0) this.report(place, 'a system message after other messages');
    if (type === 'ai') this.#calls(place, fields);
  }

  /** @param {string} place @param {any} content */
  #content(place, content) {
    if (typeof content === 'string') return;
    if (!Array.isArray(content)) return this.report(place, 'content of a wrong type');
    for (const block of content) {
      if (typeof block?.type !== 'string') this.report(place, 'a block without a type');
      if (block?.type === 'thinking' && isForged(block.signature, block.thinking))
        this.report(place, 'thinking with a wrong signature');
    }
  }

  /** @param {string} place @param {any} fields */
  #calls(place, { content, tool_calls: calls = [] }) {
    for (const { id, name } of calls) {
      if (typeof id !== 'string' || id === '') this.report(place, 'a call without an id');
      if (typeof name !== 'string' || name === '') this.report(place, 'a call without a name');
      if (this.#open.has(id)) this.report(place, 'a duplicate call id');
      this.#open.add(id);
    }
    const blocks = Array.isArray(content) ? content.filter((block) => block?.type === 'tool_use') : [];
    const isOther = blocks.length > 0 && blocks.length !== calls.length;
    if (isOther || blocks.some(({ id }) => !this.#open.has(id)))
      this.report(place, "the content's tool_use blocks differ from tool_calls");
  }

  /** @param {string} place @param {any} fields */
  #result(place, { tool_call_id: id, status }) {
    if (this.#answered.has(id)) this.report(place, 'a second result for the same call');
    else if (!this.#open.delete(id)) this.report(place, 'a result without a call in the previous assistant message');
    this.#answered.add(id);
    if (![undefined, 'success', 'error'].includes(status)) this.report(place, 'an unknown status');
  }
}

export const problemsIn = problemsBy(Thread);
