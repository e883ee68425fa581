// @ts-check
/**
 * Validates the `messages` of a request like a strict Converse endpoint of Bedrock.
 *
 * According to the provider's reference of Converse and its content blocks, and to its error messages:
 *
 * - The first message is the user's, then roles alternate (`A conversation must alternate between user and assistant
 *   roles`). No message is empty.
 * - A block has one field. A text isn't blank; a cache point comes after another block.
 * - `toolUse` is in assistant messages. It has an id of at most 64 letters, digits, `_` and `-` that is unique in its
 *   message, a name, and an object as input. The next message has exactly one `toolResult` for each (`Expected
 *   toolResult blocks at … for the following Ids`) and for nothing else (`The number of toolResult blocks … exceeds the
 *   number of toolUse blocks of previous turn`), before any other block.
 * - A result's content is at least one block of text, JSON, images, documents or videos; its status is `success` or
 *   `error`.
 * - Reasoning has its unchanged signature.
 */
import { isForged } from './signatures.mjs';
import { isBlank, isObject, problemsBy, Validator } from './validator.mjs';

const BLOCKS = {
  user: ['text', 'image', 'document', 'video', 'audio', 'toolResult', 'cachePoint', 'guardContent'],
  assistant: ['text', 'image', 'toolUse', 'reasoningContent', 'cachePoint', 'citationsContent'],
};
const RESULT_BLOCKS = ['text', 'json', 'image', 'document', 'video'];
const STATUSES = new Set([undefined, 'success', 'error']);

const blocksOf = (/** @type {any} */ message) => (Array.isArray(message?.content) ? message.content : []);
const holding = (/** @type {any} */ message, /** @type {string} */ field) =>
  blocksOf(message).flatMap((/** @type {any} */ block) => (block?.[field] === undefined ? [] : [block[field]]));

class Messages extends Validator {
  check() {
    for (const [index, message] of this.messages.entries()) {
      const place = `messages[${index}]`;
      if (!['user', 'assistant'].includes(message?.role)) this.report(place, 'an unknown role');
      else if (index === 0 && message.role !== 'user') this.report(place, "the first message isn't the user's");
      else if (index > 0 && message.role === this.messages[index - 1]?.role)
        this.report(place, 'two consecutive messages with the same role');
      else this.#message(index, message);
    }
    return this.problems;
  }

  /** @param {number} index @param {any} message */
  #message(index, message) {
    const place = `messages[${index}]`;
    const blocks = blocksOf(message);
    if (blocks.length === 0) this.report(place, 'a message without content');
    if (blocks[0]?.cachePoint !== undefined) this.report(place, 'a cache point without a block before it');
    for (const [at, block] of blocks.entries()) this.#block(`${place}.content[${at}]`, message.role, block);
    if (message.role === 'user') this.#results(index, message);
    else this.#calls(index, message);
  }

  /** @param {string} place @param {'user' | 'assistant'} role @param {any} block */
  #block(place, role, block) {
    const fields = isObject(block) ? Object.keys(block) : [];
    if (fields.length !== 1) return this.report(place, `a block with ${fields.length} fields`);
    if (!BLOCKS[role].includes(/** @type {string} */ (fields[0])))
      return this.report(place, "a block that this role can't have");
    const { text, toolResult, reasoningContent } = block;
    if (fields[0] === 'text' && isBlank(text)) this.report(place, 'a blank text');
    if (toolResult !== undefined) this.#resultContent(place, toolResult);
    const { reasoningText } = reasoningContent ?? {};
    if (reasoningText !== undefined && isForged(reasoningText.signature, reasoningText.text))
      this.report(place, 'reasoning with a wrong signature');
  }

  /** @param {string} place @param {any} result */
  #resultContent(place, { content, status }) {
    if (!STATUSES.has(status)) this.report(place, 'an unknown status');
    if (!Array.isArray(content) || content.length === 0) return this.report(place, 'a result without content');
    for (const part of content) {
      const [field, ...others] = isObject(part) ? Object.keys(part) : [];
      const isPart = field !== undefined && others.length === 0 && RESULT_BLOCKS.includes(field);
      if (!isPart) this.report(place, "a block that a result can't contain");
    }
  }

  /** @param {number} index @param {any} message */
  #calls(index, message) {
    const place = `messages[${index}]`;
    const ids = new Set();
    for (const { toolUseId: id, name, input } of holding(message, 'toolUse')) {
      if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) this.report(place, 'an invalid id');
      if (ids.has(id)) this.report(place, 'a duplicate call id');
      ids.add(id);
      if (typeof name !== 'string' || name === '') this.report(place, 'a call without a name');
      if (!isObject(input)) this.report(place, 'an input that is not an object');
    }
    const next = this.messages[index + 1];
    const answered = holding(next, 'toolResult').map((/** @type {any} */ { toolUseId }) => toolUseId);
    const isOnlyResults = next === undefined || blocksOf(next).length === answered.length;
    const isInProgress = this.isPendingAllowed && index >= this.messages.length - 2 && isOnlyResults;
    if (!isInProgress && [...ids].some((id) => !answered.includes(id)))
      this.report(place, 'a call has no result in the next message');
  }

  /** @param {number} index @param {any} message */
  #results(index, message) {
    const place = `messages[${index}]`;
    const calls = holding(this.messages[index - 1], 'toolUse').map((/** @type {any} */ { toolUseId }) => toolUseId);
    const answered = new Set();
    let isOther = false;
    for (const block of blocksOf(message)) {
      const id = block?.toolResult?.toolUseId;
      if (block?.toolResult === undefined) {
        isOther = true;
        continue;
      }
      if (isOther) this.report(place, 'a result after a block that is not a result');
      if (answered.has(id)) this.report(place, 'a second result for the same call');
      else if (!calls.includes(id)) this.report(place, 'a result without a call in the previous message');
      answered.add(id);
    }
  }
}

export const problemsIn = problemsBy(Messages);
